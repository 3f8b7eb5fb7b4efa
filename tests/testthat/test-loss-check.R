test_that("functions that are a loss pass, without touching the random numbers", {
  set.seed(1)
  before <- .Random.seed
  expect_s3_class(own_absolute(), "psd_loss")
  expect_s3_class(own_squared(), "psd_loss")
  poisson <- psd_loss(
    value = function(u, y) {
      ifelse(u > 0, u - ifelse(y == 0, 0, y * log(pmax(u, 1e-300))),
             ifelse(u == 0 & y == 0, 0, Inf))
    },
    prox = function(u, y, step) ((u - step) + sqrt((u - step)^2 + 4 * step * y)) / 2,
    conjugate = function(a, y) {
      ifelse(y == 0, ifelse(a <= 1 + 1e-10, 0, Inf),
             ifelse(a < 1, y * log(pmax(y, 1e-300)) - y - y * log(pmax(1 - a, 1e-300)), Inf))
    }
  )
  expect_s3_class(poisson, "psd_loss")
  expect_identical(.Random.seed, before)
})

test_that("functions that disagree are told apart", {
  value <- function(u, y) abs(u - y)
  prox <- function(u, y, step) u + pmin(pmax(y - u, -step), step)
  conjugate <- function(a, y) ifelse(abs(a) <= 1 + 1e-10, a * y, Inf)
  expect_snapshot(error = TRUE, {
    psd_loss(value = value, prox = prox)
    psd_loss("squared", value = value, prox = prox, conjugate = conjugate)
    psd_loss(value = value, prox = function(u, y, step) y, conjugate = conjugate)
    psd_loss(value = value, prox = prox, conjugate = function(a, y) a^2 / 2 + a * y)
    psd_loss(value = value, prox = prox,
             conjugate = function(a, y) ifelse(abs(a) < 1 - 1e-6, a * y, Inf))
    psd_loss(value = function(u, y) -abs(u - y), prox = prox, conjugate = conjugate)
    psd_loss(value = function(u, y) sum(abs(u - y)), prox = prox, conjugate = conjugate)
    psd_loss(value = function(u, y) stop("oh"), prox = prox, conjugate = conjugate)
    psd_loss("pinball", 0.9)
  })
})

test_that("a loss by name has its defaults, and prints", {
  expect_snapshot({
    psd_loss("huber")
    psd_loss("squared")
    own_squared()
  })
})

test_that("a prox must stay where the value is finite", {
  expect_error(psd_loss(value = function(u, y) ifelse(u > 0, u - y * log(pmax(u, 1e-300)), Inf),
                        prox = function(u, y, step) u - step, conjugate = function(a, y) a),
               "finite points at which `value` is finite", class = "psd_loss_error")
})

test_that("a single point at which a prox is not the minimum is enough to refuse it", {
  value <- function(u, y) (u - y)^2 / 2
  conjugate <- function(a, y) a^2 / 2 + a * y
  points <- loss_points(c(0, 3))
  at <- which.max(points$u)
  prox <- function(u, y, step) (u + step * y) / (1 + step)
  wrong <- function(u, y, step) prox(u, y, step) + 0.02 * (u == points$u[at] & step == 0.1)
  expect_no_error(check_own_loss(list(value = value, prox = prox, conjugate = conjugate), c(0, 3)))
  expect_error(check_own_loss(list(value = value, prox = wrong, conjugate = conjugate), c(0, 3)),
               "`prox` must minimise", class = "psd_loss_error")
})
