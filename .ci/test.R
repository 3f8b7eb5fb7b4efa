# Rscript .ci/test.R [name]: run the tests, or those of test-<name>.R, on the installed package.
# The last line is "N passed, N failed, N skipped".
library(testthat)
options(warn = 2)
Sys.setenv(NOT_CRAN = "true")

name <- commandArgs(TRUE)
results <- as.data.frame(test_dir(
  "tests/testthat",
  package = "psdmodels",
  load_package = "installed",
  filter = if (length(name)) paste0("^", name, "$"),
  # One line a file in a log, a spinner on a terminal; and no giving up, so that all is counted.
  reporter = ProgressReporter$new(
    max_failures = Inf,
    update_interval = if (isatty(stdout())) 0.1 else Inf
  ),
  stop_on_failure = FALSE
))

passed <- sum(results$passed)
failed <- sum(results$failed, results$error)
cat(passed, " passed, ", failed, " failed, ", sum(results$skipped), " skipped\n", sep = "")
if (failed > 0 || passed == 0) quit(status = 1)
