# The comparison model glm: exponentials of linear functions.

glm_toy <- function(...) {
  set.seed(1)
  x <- psd_toy("bimodal", 60)$x
  set.seed(2)
  psd_density(x, sigma = 1, lambda = 1e-3, model = "glm", base = psd_gaussian(0, 5),
              standardize = FALSE, ...)
}

central <- function(f, x, step = 1e-5) {
  vapply(seq_along(x), function(i) {
    move <- replace(numeric(length(x)), i, step)
    (f(x + move) - f(x - move)) / (2 * step)
  }, 0)
}

exp_model <- function(scale = 1) {
  set.seed(4)
  psdmodels:::new_function("exp", "gaussian",
                           list(at = matrix(rnorm(8), 4), width = matrix(runif(8, 0.5, 2), 4)),
                           matrix(scale * c(1, -2, 0.5, 3)))
}

test_that("an exponential is that of the linear function, with its logarithm and gradient", {
  f <- exp_model()
  linear <- modifyList(f, list(type = "linear"))
  x <- matrix(c(0.3, -1, 2, 0.1, 0.4, -0.7), 3)
  exponent <- psdmodels:::cpp_evaluate(linear, x)
  expect_equal(psdmodels:::cpp_evaluate(f, x), exp(exponent))
  expect_equal(psdmodels:::cpp_log_evaluate(f, x), exponent)
  slopes <- t(apply(x, 1, function(row) {
    central(function(z) psdmodels:::cpp_evaluate(f, t(z)), row)
  }))
  expect_equal(psdmodels:::cpp_gradient(f, x), slopes, tolerance = 1e-6)
})

test_that("an exponential never overflows, and its logarithm is exact", {
  f <- exp_model(1e5)
  x <- f$anchors$at
  expect_true(all(is.finite(psdmodels:::cpp_evaluate(f, x))))
  expect_false(anyNA(psdmodels:::cpp_gradient(f, x)))
  expect_gt(max(psdmodels:::cpp_log_evaluate(f, x)), 1e4)
})

test_that("the closed forms of other functions are refused to an exponential", {
  box <- matrix(1, 1, 2)
  expect_error(mass_in_boxes(exp_model(), lebesgue(2), -box, box), class = "psd_no_closed_form")
})

test_that("slopes of the losses are those of finite differences", {
  set.seed(3)
  y <- rnorm(5)
  check <- function(loss, u) {
    expect_equal(as.vector(loss(u)$slopes),
                 central(function(v) sum(loss(matrix(v, 5))$value), as.vector(u)), tolerance = 1e-6)
  }
  check(function(u) psdmodels:::exp_hetero_loss(u, y), matrix(rnorm(10), 5))
  for (width in c(0.5, 0.05)) {
    check(function(u) psdmodels:::exp_pinball_loss(u, y, c(0.1, 0.4, 0.9), width),
          matrix(rnorm(15), 5))
  }
})

test_that("the losses are those of the other models at the exponential", {
  set.seed(3)
  y <- rnorm(5)
  u <- matrix(rnorm(15), 5)
  natural <- list(eta = u[, 1], theta = exp(u[, 2]))
  expect_equal(psdmodels:::exp_hetero_loss(u, y)$value + log(2 * pi) / 2,
               psdmodels:::gaussian_loss(natural, y))
  levels <- c(0.1, 0.4, 0.9)
  q <- cbind(u[, 1] - exp(u[, 2]), u[, 1], u[, 1] + exp(u[, 3]))
  pinball <- rowSums(psdmodels:::pinball_losses(y, q, levels))
  expect_equal(psdmodels:::exp_pinball_loss(u, y, levels, 0)$value, pinball)
  excess <- psdmodels:::exp_pinball_loss(u, y, levels, 0.1)$value - pinball
  expect_true(all(excess > 0 & excess <= 3 * 0.1 * log(2)))
})

test_that("the whole objective has the gradient of finite differences", {
  set.seed(5)
  values <- list(matrix(rnorm(12), 2), matrix(rnorm(18), 3))
  y <- rnorm(6)
  objective <- psdmodels:::glm_objective(values, c(0.1, 0.3), rep(1 / 6, 6),
                                         function(u) psdmodels:::exp_hetero_loss(u, y))
  w <- rnorm(5)
  expect_equal(objective$gradient(w), central(objective$value, w), tolerance = 1e-6)
})

glm_prepared <- function(x, sigma) {
  measure <- modifyList(lebesgue(ncol(x)), list(sd = rep(3, ncol(x))))
  problem <- psdmodels:::density_problem(x, rep(1, nrow(x)), measure, psdmodels:::model_glm(),
                                         "gaussian")
  psdmodels:::prepare(problem, seq_len(nrow(x)), sigma, psd_control(tol = 1e-10))
}

test_that("the density problem has the derivatives of finite differences", {
  set.seed(6)
  problem <- glm_prepared(matrix(rnorm(20), 10), 1)$points
  w <- rnorm(length(problem$mean))
  d <- rnorm(length(w))
  value <- function(w) psdmodels:::glm_density_point(problem, 0.01, w)$value
  gradient <- function(w) psdmodels:::glm_density_point(problem, 0.01, w)$gradient
  at <- psdmodels:::glm_density_point(problem, 0.01, w)
  expect_equal(at$gradient, central(value, w), tolerance = 1e-6)
  expect_equal(at$hessian(d), (gradient(w + 1e-5 * d) - gradient(w - 1e-5 * d)) / 2e-5,
               tolerance = 1e-6)
})

test_that("the density's optimum is that of optim(), within the gap", {
  set.seed(7)
  x <- rnorm(15)
  prepared <- glm_prepared(matrix(x), 0.8)
  solution <- psdmodels:::solve_at(prepared, 0.01, NA)
  f <- solution$functions[[1]]
  # The objective written out again, from kernels and their coefficients.
  kernel <- function(t) exp(-outer(t, f$anchors$at[, 1], "-")^2 / (2 * 0.8^2))
  gram <- kernel(f$anchors$at[, 1])
  value <- function(a) {
    log(mean(exp(kernel(prepared$problem$draws()[, 1]) %*% a))) - mean(kernel(x) %*% a) +
      0.005 * sum(a * (gram %*% a))
  }
  expect_equal(value(f$coefficients), solution$primal_value, tolerance = 1e-8)
  root <- chol(gram)
  other <- optim(numeric(nrow(gram)), function(w) value(backsolve(root, w)), method = "BFGS",
                 control = list(maxit = 300, reltol = 1e-10))
  expect_gt(other$value, solution$primal_value - solution$gap - 1e-10)
  expect_lt(other$value - solution$primal_value, 1e-6)
})

test_that("the gap bounds the distance to the optimum at any point", {
  set.seed(8)
  prepared <- glm_prepared(matrix(rnorm(15)), 0.8)
  problem <- prepared$points
  best <- psdmodels:::solve_at(prepared, 0.01, NA)
  expect_lte(best$gap, 1e-9)
  for (try in 1:5) {
    at <- psdmodels:::glm_density_point(problem, 0.01, best$w + rnorm(length(best$w)))
    expect_gte(psdmodels:::gradient_bound(at$gradient, 0.01), at$value - best$primal_value)
  }
})

test_that("the integral is one up to the Monte Carlo error, and not exactly", {
  fit <- glm_toy()
  line <- quadrature(-30, 30, parts = 200)
  p <- predict(fit, line$x)
  integral <- sum(line$w * p)
  error <- sqrt((sum(line$w * p^2 / dnorm(line$x, 0, 5)) - 1) / 1e4)
  expect_lt(abs(integral - 1), 4 * error)
  expect_gt(abs(integral - 1), 1e-6)
  expect_equal(psd_prob(fit), integral, tolerance = 1e-9)
})

test_that("integrals of narrow kernels have short cells near these alone", {
  x <- c(-12, -4, 0.6, 1.2, 9)
  narrow <- function(sigma, kernel) {
    psd_density(x, lower = -30, upper = 23, sigma = sigma, lambda = 0.1, kernel = kernel,
                model = "glm", standardize = FALSE)
  }
  for (kernel in c("gaussian", "matern32")) {
    set.seed(1)
    fit <- narrow(0.01, kernel)
    line <- quadrature(-30, 23, parts = 53 * 200)
    expect_equal(psd_prob(fit), sum(line$w * predict(fit, line$x)), tolerance = 1e-9)
    fit <- narrow(1e-7, kernel)
    expect_lt(length(psdmodels:::line_edges(fit$functions[[1]], fit$measure)), 2000)
    expect_equal(predict(fit, 0, type = "cdf"), psd_prob(fit, upper = 0))
    expect_equal(quantile(fit, 0.5), -3.5, tolerance = 0.01, ignore_attr = TRUE)
  }
})

test_that("equal seeds give equal fits, other seeds another sample", {
  expect_identical(glm_toy()$functions, glm_toy()$functions)
  set.seed(1)
  x <- psd_toy("bimodal", 60)$x
  fits <- lapply(3:4, function(seed) {
    set.seed(seed)
    psd_density(x, sigma = 1, lambda = 1e-3, model = "glm", base = psd_gaussian(0, 5))
  })
  expect_false(isTRUE(all.equal(fits[[1]]$objective, fits[[2]]$objective, tolerance = 1e-6)))
})

test_that("candidates share the sample, and the splits are those of the other models", {
  x <- psd_toy("bimodal", 40)$x
  table_of <- function(...) {
    set.seed(9)
    psd_density(x, sigma = 1, lambda = c(0.1, 0.01), base = psd_gaussian(0, 5), ...,
                tune = psd_tune(folds = 3))$tuning
  }
  twice <- table_of(model = "glm")
  expect_identical(twice, table_of(model = "glm"))
  expect_equal(nrow(twice), 2)
  set.seed(9)
  splits <- psdmodels:::make_splits(matrix(1:40), psd_tune(folds = 3))
  scored <- list()
  set.seed(9)
  problem <- psdmodels:::density_problem(matrix(x), rep(1, 40),
                                         modifyList(lebesgue(), list(sd = 5)),
                                         psdmodels:::model_glm(), "gaussian")
  problem$score <- function(solution, points, y) {
    held <- match(points, x)
    scored <<- c(scored, list(held))
    as.numeric(held)
  }
  psdmodels:::choose_parameters(problem, psd_control(), 1, c(0.1, 0.01), NULL, psd_tune(folds = 3))
  expect_setequal(unique(scored), splits)
})

test_that("a density needs a base measure one can draw from, and no constraints", {
  expect_error(psd_density(1:5, sigma = 1, lambda = 1, model = "glm"), "draw from",
               class = "psd_error")
  expect_error(psd_density(1:5, sigma = 1, lambda = 1, model = "glm", lower = 0), "draw from")
  expect_error(psd_density(1:5, sigma = 1, lambda = 1, model = "glm", base = psd_gaussian(),
                           constraints = psd_constraint("mean", 3)), "constraints")
})

test_that("on a box the points fill the box and the integral is near one", {
  set.seed(1)
  x <- runif(100)^2
  for (base in list(psd_lebesgue(), psd_gaussian(0, 0.5))) {
    fit <- psd_density(x, sigma = 0.5, lambda = 1e-3, model = "glm", base = base, lower = 0,
                       upper = 1)
    line <- quadrature(0, 1)
    expect_equal(sum(line$w * predict(fit, line$x)), 1, tolerance = 0.05)
    expect_equal(psd_prob(fit), sum(line$w * predict(fit, line$x)), tolerance = 1e-8)
    expect_identical(predict(fit, 1.1), 0)
  }
})

test_that("on the line the verbs agree with quadrature", {
  for (kernel in c("gaussian", "abel")) {
    fit <- glm_toy(kernel = kernel)
    near <- if (kernel == "abel") 2e-3 else 1e-8  # its kinks spoil the rule below
    at <- c(-2, -0.3, 1.1)
    below <- vapply(at, function(x) {
      line <- quadrature(-45, x, parts = 400)
      sum(line$w * predict(fit, line$x))
    }, 0)
    expect_equal(predict(fit, at, type = "cdf"), below, tolerance = near)
    whole <- psd_prob(fit)
    u <- c(0.01, 0.3, 0.9)
    expect_equal(predict(fit, quantile(fit, u, names = FALSE), type = "cdf"), u * whole,
                 tolerance = 1e-9)
    line <- quadrature(-45, 45, parts = 3000)
    p <- line$w * predict(fit, line$x) / whole
    moments <- psd_moments(fit)
    expect_equal(moments$mean, c(x = sum(p * line$x)), tolerance = near)
    expect_equal(moments$covariance[1], sum(p * line$x^2) - sum(p * line$x)^2, tolerance = near)
    expect_equal(predict(fit, at, type = "gradient"),
                 central(function(x) sum(predict(fit, x)), at), tolerance = 1e-5)
  }
  fit <- glm_toy()
  draws <- as.numeric(simulate(fit, 500, seed = 1))
  expect_gt(ks.test(predict(fit, draws, type = "cdf") / psd_prob(fit), "punif")$p.value, 1e-3)
})

test_that("in the plane what needs an integral is refused, with a class; the rest works", {
  set.seed(1)
  fit <- psd_density(faithful, sigma = 1, lambda = 1e-2, model = "glm",
                     base = psd_gaussian(c(3.5, 70), c(2, 30)))
  refused <- list(function() psd_prob(fit), function() psd_moments(fit), function() simulate(fit),
                  function() psd_marginal(fit, 1),
                  function() psd_conditional(fit, c(eruptions = 2)),
                  function() predict(fit, faithful, type = "cdf"))
  for (verb in refused) expect_error(verb(), "psd", class = "psd_no_closed_form")
  expect_true(all(is.na(tidy(fit)$mean)))
  expect_output(print(summary(fit)), "exponential")
  expect_equal(dim(predict(fit, faithful, type = "gradient")), dim(faithful))
  expect_s3_class(autoplot(fit), "ggplot")
  file <- tempfile()
  on.exit(unlink(file))
  grDevices::pdf(file)
  plot(fit)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("heteroscedastic regression recovers a log-linear variance", {
  set.seed(2)
  n <- 800
  x <- runif(n, -1, 1)
  y <- 1 + x + exp(x) * rnorm(n)
  fit <- psd_hetero(y ~ x, sigma = 1.5, lambda = 1e-4, model = "glm")
  at <- seq(-0.9, 0.9, 0.1)
  expect_lt(max(abs(log(predict(fit, data.frame(x = at), type = "sd")) - at)), 0.25)
  expect_lt(max(abs(predict(fit, data.frame(x = at)) - 1 - at)), 0.5)
  expect_true(fit$converged)
  expect_identical(glance(fit)$gap, NA_real_)
  expect_output(print(fit), "no certificate")
})

test_that("quantiles of exponential gaps are in order everywhere", {
  set.seed(1)
  fit <- quick_quantreg(model = "glm")
  q <- quietly(predict(fit, data.frame(x = seq(-3, 4, length.out = 500))))
  expect_true(all(diff(t(q)) > 0))
  expect_true(all(predict(fit, data.frame(x = 0.5), type = "gap") > 0))
  expect_equal(unname(psd_coverage(fit$y, fitted(fit))), c(0.1, 0.5, 0.9), tolerance = 0.15)
  expect_equal(tidy(fit)$sigma, rep(0.6, 3))
})

test_that("one level has no gap, and is the same quantile as that of the other models", {
  set.seed(1)
  fit <- quick_quantreg(model = "glm", tau = 0.5)
  expect_equal(fitted(fit), fitted(quick_quantreg(tau = 0.5)), tolerance = 0.02)
})

test_that("restarts never make a fit worse", {
  data <- simulated_quantiles()
  x <- matrix(data$x)
  set.seed(3)
  glm <- psdmodels:::model_glm()
  problems <- list(
    psdmodels:::hetero_problem(x, data$y, rep(1, 120), glm, "gaussian", TRUE),
    psdmodels:::quantreg_problem(x, data$y, rep(1, 120), c(0.1, 0.5, 0.9), glm, "gaussian", TRUE))
  for (problem in problems) {
    prepared <- psdmodels:::prepare(problem, 1:120, c(linear = 0.1, psd = 0.1), psd_control())
    lambda <- c(linear = 1e-3, psd = 1e-3)
    many <- psdmodels:::solve_at(prepared, lambda, NA)
    prepared$problem$draws <- function() problem$draws()[, 0]
    one <- psdmodels:::solve_at(prepared, lambda, NA)
    expect_lte(many$primal_value, one$primal_value + 1e-6)
    expect_gt(many$iterations, one$iterations)
  }
})

test_that("a descent that was stopped says so", {
  set.seed(1)
  expect_warning(psd_hetero(y ~ x, hetero_data(), sigma = 0.3, lambda = 1e-6, model = "glm",
                            control = psd_control(max_iter = 1)),
                 "quasi-Newton", class = "psd_not_converged")
})

test_that("a weight of two is the row twice", {
  data <- hetero_data(20)
  fits <- list(function(...) psd_hetero(y ~ x, ..., model = "glm", sigma = 1, lambda = 0.01),
               function(...) psd_quantreg(y ~ x, ..., model = "glm", sigma = 1, lambda = 0.01))
  for (fit in fits) {
    set.seed(1)
    weighted <- fit(data, weights = rep(2:1, each = 10))
    set.seed(1)
    twice <- fit(data[c(1:10, 1:10, 11:20), ])
    expect_equal(weighted$objective, twice$objective, tolerance = 1e-4)
  }
})

test_that("the ridge plays no part", {
  fit <- function(ridge) {
    set.seed(1)
    psd_hetero(y ~ x, hetero_data(), sigma = 0.5, lambda = 0.01, model = "glm", ridge = ridge)
  }
  expect_identical(fit(1)$functions, fit(c(0.1, 0.01))$functions)
  expect_identical(glance(fit(1))$ridge, NA_real_)
})

test_that("an exponential may have several widths", {
  set.seed(1)
  x <- rnorm(50)
  fit <- psd_density(x, model = "glm", lower = -6, upper = 6, lambda = 0.1,
                     sigma = psd_widths(c(1, 0.3)))
  expect_true(fit$converged)
  expect_equal(psd_prob(fit, -6, 6), 1, tolerance = 0.05)
  expect_identical(fit$parameters$sigma, 1)
})

test_that("exponential gaps go with several widths and their linear part", {
  data <- simulated_quantiles(12)
  data$z <- rev(data$x)^2
  set.seed(1)
  fit <- psd_quantreg(y ~ x + z, data, tau = c(0.3, 0.6, 0.9), sigma = psd_widths(c(2, 0.1)),
                      lambda = 0.5, model = "glm")
  expect_true(all(is.finite(fitted(fit))))
  expect_true(all(predict(fit, type = "gap") > 0))
})

test_that("a step is halved until the value falls enough", {
  parabola <- function(from, direction, offset = 0) {
    point <- function(t) {
      x <- from + t * direction
      list(x = x, value = x^2 + offset, gradient = 2 * x)
    }
    psdmodels:::shorten_step(point, point(0), 2 * from * direction)
  }
  expect_identical(parabola(1, -1)$x, 0)
  expect_identical(parabola(1, -2)$x, 0)  # a whole step would end as high as it began
  expect_identical(parabola(1, -8)$x, 0)  # 1/8 of it
  expect_null(parabola(1, 1))             # uphill
  # The decrease is below rounding, but the gradient falls.
  expect_identical(parabola(1e-9, -1e-9, offset = 1)$x, 0)
  # A value above that by more than rounding is no step, however small the gradient.
  trap <- function(t) list(value = if (t == 0) 1 else 1 + 1e-9, gradient = if (t == 0) 1 else 0)
  expect_null(psdmodels:::shorten_step(trap, trap(0), -1))
})

test_that("a support in which no point falls near the data is refused", {
  set.seed(2)
  fit <- function(upper) {
    psd_density(runif(30), sigma = 5, lambda = 1e-3, model = "glm", lower = -0.1, upper = upper)
  }
  expect_error(fit(1e9), "must be nearer to the data", class = "psd_input_error")
  expect_s3_class(fit(10), "psd_density")
})

test_that("up to a bound with much of the data moments agree with quadrature", {
  set.seed(4)
  fit <- psd_density(rbeta(80, 0.7, 1.5), model = "glm", sigma = 0.5, lambda = 1e-3, lower = 0,
                     upper = 1, transform = "none")
  line <- quadrature(0, 1, parts = 200)
  p <- line$w * predict(fit, line$x) / psd_prob(fit)
  moments <- psd_moments(fit)
  expect_equal(unname(moments$mean), sum(p * line$x), tolerance = 1e-8)
  expect_equal(moments$covariance[1], sum(p * line$x^2) - sum(p * line$x)^2, tolerance = 1e-8)
})

test_that("a base without mass beside the data cannot be drawn from", {
  expect_error(psd_density(c(29, 29.5), base = psd_gaussian(0, 1), lower = 28.9, model = "glm",
                           sigma = 1, lambda = 0.1, standardize = FALSE),
               "must have mass between `lower` and `upper`", class = "psd_input_error")
})

test_that("conjugate gradients solve a system up to the residual asked for", {
  set.seed(1)
  a <- crossprod(matrix(rnorm(64), 8)) + diag(8)
  b <- rnorm(8)
  calls <- 0
  product <- function(x) {
    calls <<- calls + 1
    drop(a %*% x)
  }
  expect_equal(conjugate_gradients(product, b, 1e-12), solve(a, b), tolerance = 1e-10)
  for (tol in c(1, 0.1, 1e-3)) {
    calls <- 0
    rough <- conjugate_gradients(product, b, tol)
    expect_lte(sqrt(sum((b - a %*% rough)^2)), tol)
    expect_lte(calls, 9)
  }
})

test_that("points are drawn from the base measure inside its box, whose mass is known", {
  measure <- list(lower = c(-1, 2), upper = c(3, 4), mean = c(1, 0), sd = c(2, Inf))
  set.seed(1)
  x <- draw_base(measure, 4000)
  truncated <- function(q) {
    (pnorm(q, 1, 2) - pnorm(-1, 1, 2)) / (pnorm(3, 1, 2) - pnorm(-1, 1, 2))
  }
  expect_gt(ks.test(x[, 1], truncated)$p.value, 1e-3)
  expect_gt(ks.test(x[, 2], punif, 2, 4)$p.value, 1e-3)
  inside <- integrate(dnorm, -1, 3, mean = 1, sd = 2)$value
  expect_equal(log_base_mass(measure), log(inside * 2), tolerance = 1e-8)
})

test_that("descents start at zero, or where they are told, and where predictors are about one", {
  values <- list(rbind(rep(20, 5), (1:5) / 5), matrix(0.1, 1, 5))
  draws <- matrix(c(1, -2, 0.5, 3, 1, 1), 3)
  starts <- glm_starts(NULL, draws, values)
  expect_identical(starts[[1]], c(0, 0, 0))
  expect_equal(starts[[2]], c(1 / 20, -2, 0.5))
  expect_equal(starts[[3]], c(3 / 20, 1, 1))
  expect_length(starts, 3)
  expect_identical(glm_starts(c(1, 2, 3), draws, values)[[1]], c(1, 2, 3))
  # Where there are fewer draws than features the first are taken again.
  again <- glm_starts(NULL, draws, c(values, list(matrix(1, 2, 5))))
  expect_equal(again[[2]], c(1 / 20, -2, 0.5, 1, -2))
})

test_that("a density may be as much higher at the data than its base as points drawn can tell", {
  f <- new_function("exp", "gaussian", list(at = matrix(0), width = matrix(1)), matrix(2))
  line <- list(lower = -1, upper = 1, mean = 0, sd = Inf)
  # At zero the exponent is two, and the base has mass two.
  at <- function(log_scale) list(functions = list(f), log_scale = log_scale)
  x <- matrix(c(0, 0.7))
  expect_no_error(check_glm_integral(at(97.2 - log(2)), x, line, NULL))
  expect_error(check_glm_integral(at(98.2 - log(2)), x, line, NULL), "nearer to the data",
               class = "psd_input_error")
})
