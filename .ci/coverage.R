# Rscript .ci/coverage.R: the share of lines of R/ and src/ that the tests run, by covr; the lines
# that they do not are listed by file.
Sys.setenv(NOT_CRAN = "true")
if (!requireNamespace("covr", quietly = TRUE)) stop("covr is not installed")
coverage <- covr::package_coverage(type = "tests", quiet = TRUE)
lines <- covr::tally_coverage(coverage, by = "line")
part <- ifelse(startsWith(lines$filename, "src/"), "src", "R")
for (name in unique(part)) {
  cat(sprintf("%s: %.1f %% of %d lines\n", name, 100 * mean(lines$value[part == name] > 0),
              sum(part == name)))
}
missed <- lines[lines$value == 0, ]
for (file in unique(missed$filename)) {
  cat(file, ": ", paste(missed$line[missed$filename == file], collapse = ", "), "\n", sep = "")
}
