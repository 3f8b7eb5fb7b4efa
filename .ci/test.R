# Rscript .ci/test.R [name]: run the tests, or those of test-<name>.R, on the installed package.
# The last line is "N passed, N failed, N skipped".
library(testthat)
options(warn = 2)
Sys.setenv(NOT_CRAN = "true")

name <- commandArgs(TRUE)
# One line a file in a log, a spinner on a terminal; and no giving up, so that all is counted.
reporter <- ProgressReporter$new(
  max_failures = Inf,
  update_interval = if (isatty(stdout())) 0.1 else Inf
)
test_dir(
  "tests/testthat",
  package = "psdmodels",
  load_package = "installed",
  filter = if (length(name)) paste0("^", name, "$"),
  reporter = reporter,
  stop_on_failure = FALSE
)

# The reporter also counts what is skipped or fails outside of a test.
cat(reporter$n_ok, " passed, ", reporter$n_fail, " failed, ", reporter$n_skip, " skipped\n",
    sep = "")
if (reporter$n_fail > 0 || reporter$n_ok == 0) quit(status = 1)
