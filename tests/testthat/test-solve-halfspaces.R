# Three outputs that want to cross: the cone binds.
crossing <- function(n = 50, seed = 1) {
  set.seed(seed)
  x <- runif(n)
  truth <- cbind(a = 0.5 + 0 * x, b = x, c = 0.8 - 0.3 * x)
  list(x = x, y = truth + 0.1 * rnorm(3 * n), truth = truth)
}
rising <- cbind(c(-1, 1, 0), c(0, -1, 1), c(1, 0, 0))  # 0 <= a <= b <= c

test_that("the orthant by half-spaces is the orthant: same optimum, same fit", {
  data <- transform(wave(30), y = abs(y))
  fit <- function(cone, loss, tol) {
    psd_regression(cbind(y, count) ~ x, data, cone = cone, loss = loss, sigma = 0.5, lambda = 0.05,
                   control = psd_control(tol = tol))
  }
  for (loss in c("squared", "absolute", "huber", "pinball", "poisson")) {
    given <- fit(psd_cone(halfspaces = 3 * diag(2)), loss, 1e-7)
    known <- fit(psd_cone(), loss, 1e-9)
    expect_true(given$converged)
    expect_lt(abs(given$objective - known$objective), 2e-7 * max(1, known$objective))
    expect_gte(given$objective, known$objective - 1e-8)
    expect_gte(given$gap, given$objective - known$objective - 1e-8)
  }
})

# In the plane, with a cone that also holds negative outputs: |b| <= a, |c| <= a.
plane <- function(n, seed = 1) {
  set.seed(seed)
  x <- matrix(runif(2 * n), n)
  list(x = x, y = cbind(a = 0.3, b = x[, 1] - 0.5, c = 0.8 * x[, 2] - 0.3) + 0.1 * rnorm(3 * n))
}
around <- cbind(c(1, 0, 1), c(1, 0, -1), c(1, 1, 0), c(1, -1, 0))

test_that("Newton and FISTA find the same fit, Newton in far fewer iterations", {
  data <- plane(30)
  for (loss in c("squared", "huber")) {
    fits <- lapply(c("newton", "fista"), function(solver) {
      psd_regression(x = data$x, y = data$y, cone = psd_cone(halfspaces = around), loss = loss,
                     sigma = 2, lambda = 0.01, ridge = 0.5,
                     control = psd_control(solver, tol = 1e-8, max_iter = 20000))
    })
    for (fit in fits) {
      expect_true(fit$converged)
      expect_gte(fit$gap, 0)
    }
    expect_lt(abs(fits[[1]]$objective - fits[[2]]$objective), 2e-8)
    expect_equal(fitted(fits[[1]]), fitted(fits[[2]]), tolerance = 1e-3)
    expect_lt(fits[[1]]$iterations, fits[[2]]$iterations / 5)
  }
})

test_that("two hundred rows in the plane take few Newton steps, and the cone holds everywhere", {
  data <- plane(200)
  fit <- psd_regression(x = data$x, y = data$y, cone = psd_cone(halfspaces = around), sigma = 1,
                        lambda = 0.01)
  expect_true(fit$converged)
  expect_lte(fit$gap, 1e-6)
  expect_lt(fit$iterations, 150)
  set.seed(7)
  outputs <- quietly(predict(fit, matrix(runif(2e5, -0.5, 1.5), ncol = 2)))
  expect_gte(min(outputs %*% around), -1e-14 * max(abs(outputs)))
  expect_lt(min(predict(fit, data$x) %*% around), 0.01)
})

test_that("the size of the response, and a penalty so strong that nothing is left, do no harm", {
  data <- plane(60)
  fit <- function(scale, lambda) {
    psd_regression(x = data$x, y = scale * data$y, cone = psd_cone(halfspaces = around), sigma = 2,
                   lambda = lambda, standardize = FALSE)
  }
  for (scale in c(1e-3, 1e3)) expect_true(fit(scale, 0.01 * scale)$converged)
  nothing <- fit(1, 100)
  expect_true(nothing$converged)
  expect_lt(max(abs(predict(nothing, data$x))), 1e-8)
})

test_that("the gap is honest where the cone binds: a second solver finds nothing better", {
  data <- crossing(20)
  cone <- psdmodels:::resolve_cone(psd_cone(halfspaces = rising), 3)
  problem <- psdmodels:::regression_problem(
    matrix(data$x), data$y, rep(1, 20), psdmodels:::resolve_losses("squared", 3), cone,
    psdmodels:::model_psd(), "gaussian", FALSE
  )
  prepared <- psdmodels:::prepare(problem, 1:20, 0.4, psd_control(tol = 1e-7, max_rank = 4))
  fit <- psdmodels:::solve_at(prepared, 0.01, 0.5)
  expect_true(fit$converged)
  v <- prepared$features$psd$values
  r <- nrow(v)
  # A = sum_t G_t B_t B_t' with G the generators of this simplicial cone: any point of the cone.
  generators <- solve(t(cone$normals))
  objective <- function(theta) {
    roots <- array(theta, c(r, r, 3))
    forms <- lapply(1:3, function(t) tcrossprod(roots[, , t]))
    total <- 0
    for (s in 1:3) {
      a <- Reduce(`+`, Map(`*`, forms, generators[s, ]))
      e <- eigen(a, symmetric = TRUE, only.values = TRUE)$values
      u <- colSums(v * (a %*% v))
      total <- total + mean((u - data$y[, s])^2) / 2 + 0.01 * (sum(abs(e)) + 0.25 * sum(e^2))
    }
    total
  }
  set.seed(2)
  theta <- rnorm(3 * r * r) / 3
  for (k in 1:2) {
    theta <- optim(theta, objective, method = "BFGS",
                   control = list(maxit = 400, reltol = 1e-12))$par
  }
  best <- objective(theta)
  expect_gte(best, fit$dual_value - 1e-9)
  expect_lt(best - fit$primal_value, 1e-3)
})

test_that("outputs are in the cone at random points, also where it binds", {
  data <- crossing()
  cone <- psd_cone(halfspaces = rising)
  for (tol in c(1e-3, 1e-5)) {
    fit <- psd_regression(x = data$x, y = data$y, cone = cone, sigma = 0.5, lambda = 1e-2,
                          control = psd_control(tol = tol))
    set.seed(3)
    outputs <- quietly(predict(fit, runif(1e5, -0.5, 1.5)))
    expect_gte(min(outputs %*% rising), -1e-15 * max(abs(outputs)))
  }
  bound <- predict(fit, data$x) %*% rising
  expect_lt(min(bound[, 1]), 0.01)  # a and b touch
})

test_that("generators and half-spaces of a simplicial cone predict alike", {
  data <- crossing(100)
  new <- crossing(1000, seed = 9)
  loss <- vapply(list(psd_cone(halfspaces = rising), psd_cone(generators = solve(t(rising)))),
                 function(cone) {
                   fit <- psd_regression(x = data$x, y = data$y, cone = cone, sigma = 0.5,
                                         lambda = 1e-2, control = psd_control(tol = 1e-5))
                   outputs <- quietly(predict(fit, new$x))
                   expect_gte(min(outputs %*% rising), -1e-14)
                   mean((outputs - new$y)^2)
                 }, 0)
  expect_lt(abs(log(loss[1] / loss[2])), 0.05)
})

test_that("more half-spaces than outputs, tuning and one's own loss work", {
  data <- crossing(40)
  many <- psd_cone(halfspaces = cbind(rising, c(0, 0, 1), c(0, 1, 0), c(-2, 1, 1)))
  set.seed(4)
  fit <- psd_regression(x = data$x, y = data$y, cone = many, sigma = 0.5, lambda = c(0.1, 0.01),
                        loss = own_squared(), tune = psd_tune(folds = 2),
                        control = psd_control(tol = 1e-3))
  expect_true(fit$converged)
  expect_identical(nrow(fit$tuning), 2L)
})

test_that("while tuning nothing starts from the dual of another width, which has matrices in it", {
  data <- crossing(24)
  problem <- psdmodels:::regression_problem(
    cbind(data$x), data$y, rep(1, 24), rep(list(psd_loss("squared")), 3),
    psd_cone(halfspaces = rising), psdmodels:::model_psd(), "gaussian", TRUE
  )
  losses <- function(sigma, start = NULL) {
    psdmodels:::path_losses(problem, psdmodels:::tuning_control(psd_control()), 1:8,
                            list(list(sigma = sigma, lambda = 0.1, ridge = 0.01)), start)
  }
  other <- losses(2)
  warm <- losses(0.1, c(other$solutions[[1]][c("dual", "lambda")], foreign = TRUE))
  expect_identical(warm$losses, losses(0.1)$losses)
  expect_false(length(warm$solutions[[1]]$dual) == length(other$solutions[[1]]$dual))
  # of its own width it does
  again <- losses(2, other$solutions[[1]])
  expect_equal(mean(again$losses), mean(other$losses), tolerance = 5e-3)
})

test_that("interior points satisfy all half-spaces, and a cone without interior is an error", {
  set.seed(5)
  for (k in 1:20) {
    normals <- matrix(rnorm(12), 3) + c(2, 0, 0)
    point <- psdmodels:::interior_point(normals)
    if (!is.null(point)) expect_gte(min(crossprod(normals, point)), 1 - 1e-12)
  }
  expect_snapshot(error = TRUE, {
    psd_cone(halfspaces = cbind(c(1, 0), c(-1, 0)))
    psd_cone("ordered", halfspaces = diag(2))
    psd_regression(y ~ x, wave(), cone = psd_cone(halfspaces = diag(2)), sigma = 1, lambda = 1)
  })
  expect_output(print(psd_cone(halfspaces = rising)), "3 half-spaces in R\\^3")
})

test_that("a fit that was stopped early is in the cone, and no further from it than need be", {
  data <- crossing()
  stopped <- function(...) {
    suppressWarnings(psd_regression(
      x = data$x, y = data$y, cone = psd_cone(halfspaces = rising), sigma = 0.3, lambda = 1e-2,
      control = psd_control(...)
    ), classes = "psd_not_converged")
  }
  for (early in list(stopped("fista", max_iter = 1000), stopped(max_iter = 12))) {
    expect_identical(early$status, "max_iter")
    set.seed(6)
    outputs <- quietly(predict(early, runif(1e4, -0.5, 1.5)))
    expect_gte(min(outputs %*% rising), -1e-14 * max(abs(outputs)))
  }
  # Adding a multiple of the identity in place of the negative parts costs ten times as much.
  expect_lt(stopped("fista", max_iter = 1000)$gap, 1e-3)
  unreachable <- stopped(tol = 1e-16)
  expect_false(unreachable$converged)
  expect_lt(unreachable$gap, 1e-8)
})

test_that("where the user did not say how many iterations there are more, or work is limited", {
  patient <- psdmodels:::patient
  usual <- psd_control("fista")
  expect_identical(patient(usual, 10, 5), usual)
  expect_identical(patient(usual, 100, 5)$max_iter, 1000)
  expect_identical(patient(usual, 1000, 5)$max_iter, 100)
  own <- psd_control("fista", max_iter = 40000)
  expect_identical(patient(own, 1000, 5), own)
  expect_identical(patient(psd_control(), 100, 5)$max_iter, 600)
  expect_identical(patient(psd_control(max_iter = 7), 100, 5)$max_iter, 7)
})

test_that("integrals in the orthant by half-spaces are those in the orthant: the same optimum", {
  data <- transform(wave(30), y = abs(y))
  fit <- function(cone, constraints, solver, tol) {
    psd_regression(cbind(y, count) ~ x, data, cone = cone, sigma = 0.5, lambda = 0.05,
                   constraints = constraints, control = psd_control(solver, tol = tol))
  }
  area_of <- function(fit) {
    outputs <- function(x) quietly(predict(fit, data.frame(x)))[, 1]
    integrate(outputs, 0, 1, rel.tol = 1e-10)$value
  }
  area <- area_of(fit(psd_cone(), list(), "newton", 1e-6))
  for (relation in c("==", "<=", ">=")) {
    for (value in c(0.7, 1.3) * area) {
      constraints <- list(psd_integral(value, relation, lower = 0, upper = 1),
                          psd_integral(2 * area, ">=", output = "count", lower = 0, upper = 1))
      known <- fit(psd_cone(), constraints, "newton", 1e-9)
      for (solver in c("newton", "fista")) {
        tol <- if (solver == "newton") 1e-7 else 1e-5
        given <- fit(psd_cone(halfspaces = diag(2)), constraints, solver, tol)
        expect_true(given$converged)
        expect_lt(abs(given$objective - known$objective), 2 * tol * max(1, known$objective))
        expect_gte(given$objective, known$objective - 1e-8)
        expect_gte(given$gap, given$objective - known$objective - 1e-8)
        found <- area_of(given)
        if (relation == "==") expect_equal(found, value, tolerance = 1e-9)
        if (relation == "<=") expect_lte(found, value * (1 + 1e-9))
        if (relation == ">=") expect_gte(found, value * (1 - 1e-9))
      }
    }
  }
})

test_that("integrals of outputs of any sign are exact, and the cone still holds", {
  data <- plane(60)
  constraints <- list(psd_integral(-0.1, output = "b", lower = 0, upper = 1),
                      psd_integral(0, output = "c", lower = 0, upper = 1),
                      psd_integral(0.2, "<=", output = "a", lower = 0, upper = 1))
  fit <- function(cone, ...) {
    psd_regression(x = data$x, y = data$y, cone = psd_cone(halfspaces = cone), sigma = 2,
                   constraints = constraints, ...)
  }
  fits <- lapply(c("newton", "fista"), function(solver) {
    fit(around, lambda = 0.01, ridge = 0.5,
        control = psd_control(solver, tol = 1e-6, max_iter = 20000))
  })
  expect_lt(abs(fits[[1]]$objective - fits[[2]]$objective), 2e-6)
  for (one in fits) {
    expect_true(one$converged)
    expect_true(all(psd_verify(one)$holds, na.rm = TRUE))
    checked <- psd_verify(one)
    expect_lt(max(checked$error[checked$check == "constraint"]), 1e-9)
    outputs <- quietly(predict(one, matrix(runif(2e4, -0.5, 1.5), ncol = 2)))
    expect_gte(min(outputs %*% around), -1e-14 * max(abs(outputs)))
  }
  set.seed(1)
  tuned <- fit(around, lambda = c(0.1, 0.01), tune = psd_tune(folds = 2))
  expect_identical(nrow(tuned$tuning), 2L)
})

test_that("integrals that no outputs in the cone have are a classed error, found at once", {
  data <- plane(40)
  fit <- function(...) {
    psd_regression(x = data$x, y = data$y, cone = psd_cone(halfspaces = around), sigma = 2,
                   lambda = 0.01, constraints = list(...))
  }
  over <- function(...) psd_integral(..., lower = 0, upper = 1)
  expect_error(fit(over(-0.1, output = "a")), class = "psd_infeasible")
  expect_error(fit(over(0.1, "<=", output = "a"), over(0.2, ">=", output = "b")),
               class = "psd_infeasible")
  expect_error(fit(over(0.1, output = "a"), over(0.2, output = "a")), class = "psd_infeasible")
  twice <- fit(over(0.2, output = "a"), over(0.2, output = "a"))
  expect_true(twice$converged)
})
