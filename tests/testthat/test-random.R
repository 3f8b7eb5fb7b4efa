test_that("with a seed the draws repeat and the user's own state is kept", {
  set.seed(10)
  before <- .Random.seed
  one <- with_seed(1, rnorm(3))
  expect_identical(.Random.seed, before)
  expect_identical(with_seed(1, rnorm(3)), one)
  set.seed(1)
  expect_identical(as.vector(one), rnorm(3))
})

test_that("without a seed the draws go on, and their state can be put back", {
  set.seed(10)
  one <- with_seed(NULL, rnorm(3))
  two <- with_seed(NULL, rnorm(3))
  expect_false(identical(as.vector(one), as.vector(two)))
  assign(".Random.seed", attr(one, "seed"), envir = globalenv())
  expect_identical(rnorm(3), as.vector(one))
})
