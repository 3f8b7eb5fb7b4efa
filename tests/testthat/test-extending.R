test_that("the vignette that explains how to add a loss still fits the sources", {
  vignette <- "../../vignettes/extending.Rmd"
  skip_if_not(file.exists(vignette) && file.exists("../../src/loss_huber.cpp"))
  skip_if_not_installed("knitr")
  script <- tempfile(fileext = ".R")
  knitr::purl(vignette, script, quiet = TRUE)
  # Chunks that show an error have each line of theirs at the top level.
  code <- parse(script)
  old <- setwd("../../vignettes")
  on.exit(setwd(old))
  env <- new.env()
  failed <- 0
  capture.output(for (expression in code) {
    tryCatch(eval(expression, env), psd_error = function(e) failed <<- failed + 1)
  })
  expect_identical(failed, 2)
  expect_s3_class(env$in_cpp, "psd_regression")
})
