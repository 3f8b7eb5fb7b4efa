# Suggested packages may be missing, this one too.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(psdmodels)

  # A warning outside of an expectation is a mistake too.
  options(warn = 2)

  test_check("psdmodels")
}
