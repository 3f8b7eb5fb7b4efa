# Sizes below and above those of tiles and of what is packed at a time, and none at all.
test_that("products are R's", {
  set.seed(1)
  sizes <- expand.grid(rows = c(1, 7, 8, 20, 97, 200), depth = c(1, 30, 257, 513),
                       cols = c(1, 6, 61))
  for (i in seq_len(nrow(sizes))) {
    size <- sizes[i, ]
    one <- matrix(rnorm(size$rows * size$depth), size$rows)
    other <- matrix(rnorm(size$depth * size$cols), size$depth)
    expected <- one %*% other
    product <- psdmodels:::cpp_product
    expect_equal(product(one, other, FALSE, FALSE), expected, tolerance = 1e-13)
    expect_equal(product(t(one), other, TRUE, FALSE), expected, tolerance = 1e-13)
    expect_equal(product(one, t(other), FALSE, TRUE), expected, tolerance = 1e-13)
    expect_equal(product(t(one), t(other), TRUE, TRUE), expected, tolerance = 1e-13)
  }
  expect_equal(psdmodels:::cpp_product(matrix(0, 40, 0), matrix(0, 0, 50), FALSE, FALSE),
               matrix(0, 40, 50))
})

test_that("so are thin products of a matrix that the caches do not hold", {
  set.seed(3)
  large <- matrix(rnorm(1030 * 1100), 1030)
  for (thin in c(5, 20)) {
    other <- matrix(rnorm(1100 * thin), 1100)
    expected <- large %*% other
    product <- psdmodels:::cpp_product
    expect_equal(product(large, other, FALSE, FALSE), expected, tolerance = 1e-12)
    expect_equal(product(t(large), other, TRUE, FALSE), expected, tolerance = 1e-12)
    expect_equal(product(other, large, TRUE, TRUE), t(expected), tolerance = 1e-12)
  }
})

test_that("so are weighted squares, with weights of any sign", {
  set.seed(2)
  for (size in c(1, 5, 96, 130, 210)) {
    m <- matrix(rnorm(size * 150), size)
    weights <- rnorm(150)
    expected <- m %*% (weights * t(m))
    expected[upper.tri(expected)] <- 0
    expect_equal(psdmodels:::cpp_lower_square(m, weights), expected, tolerance = 1e-13)
  }
})

test_that("without columns they are zero, which the sanitizers see made without reading any", {
  expect_identical(psdmodels:::cpp_lower_square(matrix(0, 5, 0), numeric()), matrix(0, 5, 5))
  expect_identical(psdmodels:::cpp_lower_square(matrix(0, 0, 3), c(1, 1, 1)), matrix(0, 0, 0))
})
