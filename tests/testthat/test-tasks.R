test_that("two processes of a cluster plan find the same fit as one", {
  skip_if_not_installed("future.apply")
  skip_on_cran()
  tuned <- function() {
    set.seed(1)
    psd_quantreg(dist ~ speed, cars, sigma = c(0.5, 1), lambda = c(0.1, 0.01))
  }
  one <- tuned()
  before <- future::plan(future::cluster, workers = c("localhost", "localhost"))
  on.exit(future::plan(before))
  ids <- unlist(run_tasks(1:4, function(task) {
    Sys.sleep(0.2)
    Sys.getpid()
  }))
  expect_length(setdiff(ids, Sys.getpid()), 2)
  two <- tuned()
  expect_equal(two$tuning, one$tuning)
  expect_equal(two$parameters, one$parameters)
  expect_equal(fitted(two), fitted(one))
})
