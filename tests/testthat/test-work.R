test_that("what the core computes is counted, and R can add to it", {
  work <- psdmodels:::cpp_work
  before <- work()
  psdmodels:::cpp_product(matrix(1, 50, 40), matrix(1, 40, 30), FALSE, FALSE)
  expect_identical(work() - before, 50 * 40 * 30)
  expect_identical(work(7) - before, 50 * 40 * 30 + 7)
})

set.seed(1)
data <- data.frame(x = runif(60), z = rnorm(60))
data$y <- sin(6 * data$x) + 0.3 * data$z

# One fit for each solver; glms draw at random.
fits <- list(
  interior = function(...) {
    psd_density(data$y, sigma = 0.3, lambda = 1e-4, control = psd_control(...))
  },
  low_rank = function(...) {
    psd_density(cbind(data, data$x * data$z), sigma = 0.1, lambda = 1e-4,
                control = psd_control(...))
  },
  newton = function(...) {
    psd_hetero(y ~ x, data, sigma = 0.3, lambda = 1e-4, control = psd_control(...))
  },
  boxed = function(...) {
    psd_quantreg(y ~ x, data, sigma = 0.3, lambda = 1e-4, control = psd_control(...))
  },
  conic = function(...) {
    psd_density(data$y, model = "ncm", sigma = 0.3, lambda = 1e-4, control = psd_control(...))
  },
  halfspaces = function(...) {
    psd_regression(cbind(y, z) ~ x, data, cone = psd_cone(halfspaces = cbind(c(-1, 1), c(1, 0))),
                   sigma = 0.3, lambda = 1e-2, control = psd_control(...))
  },
  fista = function(...) {
    psd_density(data$y, sigma = 0.3, lambda = 1e-4, control = psd_control("fista", ...))
  },
  glm = function(...) {
    psd_quantreg(y ~ x, data, model = "glm", sigma = 0.3, lambda = 1e-4,
                 control = psd_control(...))
  },
  glm_density = function(...) {
    psd_density(data$y, model = "glm", lower = -3, upper = 3, sigma = 0.3, lambda = 1e-4,
                control = psd_control(...))
  }
)

test_that("a fit that takes more than `max_work` stops there, says so, and is found again", {
  for (name in names(fits)) {
    fitted <- function(...) {
      set.seed(2)
      fits[[name]](...)
    }
    begin <- psdmodels:::cpp_work()
    fitted(max_work = Inf)
    whole <- psdmodels:::cpp_work() - begin
    expect_warning(fit <- fitted(max_work = whole / 4), "max_work", class = "psd_not_converged",
                   info = name)
    expect_identical(fit$status, "max_work", info = name)
    again <- suppressWarnings(fitted(max_work = whole / 4))
    expect_identical(again$functions, fit$functions, info = name)
  }
})

test_that("by default there is work for all of these", {
  for (name in names(fits)) expect_no_warning(fits[[name]](), class = "psd_not_converged")
})

test_that("more rows are allowed more work, and the members of an average share it", {
  work <- function(n, ...) psdmodels:::allowed_work(psd_control(...), 1e9, n)
  expect_identical(work(10), 1e9)
  expect_identical(work(600), 4e9)
  expect_identical(work(600, max_work = 5), 5)
  prepared <- list(control = psd_control(max_work = 100), weights = 1)
  expect_identical(psdmodels:::sharing_work(prepared, 4)$control$max_work, 25)
})

test_that("a search that takes more than `max_work` stays with the best so far", {
  search <- function(...) {
    psd_quantreg(y ~ x + z, data, tau = 0.5, control = psd_control(...))$tuning
  }
  whole <- search()
  expect_message(part <- search(max_work = 2e7), "stopped", class = "psd_search_stopped")
  expect_lt(nrow(part), nrow(whole))
  expect_true(is.finite(part$score[attr(part, "chosen")]))
  expect_identical(suppressMessages(search(max_work = 2e7)), part)
})
