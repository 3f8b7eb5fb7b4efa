# Rscript .ci/coverage.R: the share of lines of R/ and src/ that the tests run, by covr: in all, and
# of each file below 100 % the lines that they do not. Compiled in a copy, .build/coverage, with
# optimisation: without, the tests take hours.
if (!requireNamespace("covr", quietly = TRUE)) stop("covr is not installed (Debian: r-cran-covr)")
Sys.setenv(NOT_CRAN = "true")
copy <- file.path(".build", "coverage")
unlink(copy, recursive = TRUE)
dir.create(copy, recursive = TRUE)
file.copy(c("DESCRIPTION", "LICENSE", "NAMESPACE", "R", "inst", "src", "tests"), copy,
          recursive = TRUE)

flags <- getOption("covr.flags")
options(covr.flags = sub("-O0", "-O2", flags, fixed = TRUE))
# A test that fails, as one that shows the code of a function does here, is no end of it.
tests <- 'testthat::test_dir("%s", package = "psdmodels", load_package = "installed",
                             reporter = "summary", stop_on_failure = FALSE)'
coverage <- covr::package_coverage(
  copy, type = "none", quiet = FALSE, clean = FALSE,
  code = sprintf(tests, normalizePath(file.path(copy, "tests", "testthat")))
)

lines <- covr::tally_coverage(coverage, by = "line")
covered <- function(rows) sprintf("%.1f %% of %d lines", 100 * mean(rows$value > 0), nrow(rows))
part <- ifelse(grepl("(^|/)src/", lines$filename), "src", "R")
for (rows in split(lines, lines$filename)) {
  missed <- sort(unique(rows$line[rows$value == 0]))
  if (length(missed) > 0) {
    cat(rows$filename[1], ": ", covered(rows), ", not ", toString(missed), "\n", sep = "")
  }
}
for (name in unique(part)) cat(name, ": ", covered(lines[part == name, ]), "\n", sep = "")
