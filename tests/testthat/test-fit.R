newton <- psd_control(tol = 1e-9)

for (name in names(reference_cases)) {
  case <- reference_cases[[name]]
  test_that(paste0(name, ": Newton and FISTA reach the reference optimum"), {
    fit <- case$fit(newton)
    expect_true(fit$converged)
    expect_lt(abs(fit$primal_value - case$optimum), 1e-6)
    slow <- case$fit(psd_control("fista", tol = 3e-5))
    expect_true(slow$converged)
    expect_lt(abs(slow$primal_value - case$optimum), 1e-4)
    expect_gte(slow$gap, -1e-12)
    expect_gte(slow$gap, slow$primal_value - case$optimum - 1e-8)
  })
}

test_that("Newton needs few iterations", {
  iterations <- vapply(reference_cases, function(case) {
    as.numeric(case$fit(psd_control(tol = 1e-8))$iterations)
  }, 0)
  expect_lte(iterations[["heteroscedastic regression"]], 12)
  expect_lte(iterations[["three quantiles"]], 60)
  expect_lte(max(iterations[1:4]), 25)
})

test_that("features approximate the kernel matrix and know their landmarks", {
  set.seed(1)
  x <- matrix(rnorm(60), 30)
  kernel <- exp(-as.matrix(dist(x))^2 / (2 * 0.7^2))
  features <- psd_features(x, 0.7)
  expect_equal(crossprod(features$values), unname(kernel), tolerance = 1e-7)
  expect_equal(tcrossprod(features$factor), unname(kernel[features$landmarks, features$landmarks]))
  expect_equal(features$anchors$at, x[features$landmarks, ])
  few <- psd_features(x, 0.7, control = psd_control(max_rank = 5))
  expect_length(few$landmarks, 5)
  expect_true(all(diag(kernel - crossprod(few$values)) > -1e-12))
  constant <- psd_features(x, 0.7, constant = 10)
  expect_equal(crossprod(constant$values), unname(kernel) + 100, tolerance = 1e-7)
})

test_that("a fitted function takes the solver's values at the data", {
  features <- psd_features(reference$x3, 0.1)
  fit <- fit_psd(list(psd_block(features, 0.01, 1e-4)), list(list(name = "squared")), reference$y4,
                 control = newton)
  f <- psdmodels:::cpp_evaluate(fit$functions[[1]], reference$x3)
  r <- features$factor
  a <- tcrossprod(t(r) %*% fit$functions[[1]]$coefficients)
  expect_equal(f, colSums(features$values * (a %*% features$values)), tolerance = 1e-6)
  objective <- mean((f - reference$y4)^2) / 2 + 0.01 * sum(diag(a)) + 0.5e-4 * sum(a^2)
  expect_equal(objective, fit$primal_value, tolerance = 1e-7)
})

# The gap is honest: random problems, and the same objective minimised over A = U U' by L-BFGS.
random_problem <- function(seed) {
  set.seed(seed)
  n <- 12
  x <- matrix(runif(n))
  y <- rnorm(n)
  psd <- function(sigma) psd_block(psd_features(x, sigma), 0.02, 0.01)
  linear <- function(sigma) linear_block(psd_features(x, sigma), 0.1)
  weights <- runif(n, 0.5, 2)
  box <- integral_constraint(lebesgue(1, 0, 1), 1)
  less <- integral_constraint(lebesgue(1, 0, 0.5), 0.4, equality = FALSE)
  switch(seed,
    list(blocks = list(psd(0.2)), losses = neg_log, y = 0, constraints = list(box),
         weights = weights),
    list(blocks = list(psd(0.2)), losses = neg_log, y = 0, constraints = list(box, less),
         weights = weights),
    list(blocks = list(psd(0.3), psd(0.1)), losses = list(list(name = "squared")), y = y,
         mixing = matrix(c(1, -1), 1), weights = weights),
    list(blocks = list(psd(0.2)), losses = list(list(name = "poisson")), y = rpois(n, 1.5),
         weights = weights),
    list(blocks = list(linear(0.3), psd(0.2)), losses = list(list(name = "hetero")), y = y,
         weights = weights),
    list(blocks = list(linear(0.3), psd(0.2)), losses = pinballs(c(0.3, 0.7)), y = cbind(y, y),
         mixing = cbind(c(1, 1), c(0, 1)), weights = weights),
    list(blocks = list(linear(0.3)),
         losses = list(list(name = "squared"), list(name = "nonnegative")), y = cbind(y, 0),
         mixing = matrix(1, 2, 1), weights = weights),
    list(blocks = list(psd(0.2)), losses = list(list(name = "squared")), y = y,
         constraints = list(integral_constraint(lebesgue(1, 0, 1), 0.3, power = 1,
                                                equality = FALSE)),
         weights = weights),
    list(blocks = list(psd(0.2)), losses = list(list(name = "absolute")), y = abs(y),
         weights = weights),
    list(blocks = list(linear(0.3), psd(0.2)), losses = list(list(name = "huber", delta = 0.4)),
         y = y, mixing = matrix(1, 1, 2), weights = weights)
  )
}

# The objective from scratch, for coefficients in feature coordinates; constraints as a penalty.
plain_objective <- function(problem, coefficients, stiffness) {
  blocks <- problem$blocks
  g <- Map(function(block, c) {
    v <- block$features$values
    if (block$type == "psd") colSums(crossprod(c, v)^2) else drop(crossprod(c, v))
  }, blocks, coefficients)
  mixing <- if (is.null(problem$mixing)) diag(length(blocks)) else problem$mixing
  u <- mixing %*% do.call(rbind, g)
  y <- matrix(problem$y, ncol(u), length(problem$losses))
  weights <- problem$weights / sum(problem$weights)
  arity <- vapply(problem$losses, psdmodels:::cpp_loss_arity, 0L)
  first <- cumsum(c(1, arity))
  risk <- 0
  for (p in seq_along(problem$losses)) for (i in seq_len(ncol(u))) {
    out <- u[first[p] + seq_len(arity[p]) - 1, i]
    term <- psdmodels:::cpp_loss_value(problem$losses[[p]], out, y[i, p])
    if (problem$losses[[p]]$name == "nonnegative") term <- stiffness * min(out, 0)^2
    risk <- risk + weights[i] * term
  }
  penalty <- sum(mapply(function(block, c) {
    if (block$type == "psd") block$l1 * sum(c^2) + block$l2 / 2 * sum(crossprod(c)^2)
    else block$l2 / 2 * sum(c^2)
  }, blocks, coefficients))
  excess <- vapply(problem$constraints, function(constraint) {
    w <- resolve_constraint(constraint, blocks)$integrals[[1]]
    e <- sum(coefficients[[1]] * (w %*% coefficients[[1]])) - constraint$bound
    if (constraint$equality) e else max(e, 0)
  }, 0)
  risk + penalty + stiffness / 2 * sum(excess^2)
}

second_optimum <- function(problem, start) {
  shape <- lapply(start, dim)
  unpack <- function(theta) {
    ends <- cumsum(vapply(shape, prod, 0))
    Map(function(s, end) matrix(theta[end - prod(s) + seq_len(prod(s))], s[1]), shape, ends)
  }
  f <- function(theta) {
    value <- plain_objective(problem, unpack(theta), 1e4)
    if (is.finite(value)) value else 1e10
  }
  theta <- unlist(lapply(start, as.vector))
  for (k in 1:3) {
    theta <- optim(theta, f, method = "BFGS", control = list(maxit = 2000, reltol = 1e-14))$par
  }
  f(theta)
}

for (seed in 1:10) {
  test_that(paste("the gap bounds the distance to an optimum found another way, problem", seed), {
    problem <- random_problem(seed)
    for (control in list(newton, psd_control("fista", tol = 1e-3, max_iter = 2000))) {
      fit <- do.call(fit_psd, c(problem, list(control = control)))
      expect_gte(fit$gap, -1e-10)
    }
    best <- do.call(fit_psd, c(problem, list(control = newton)))
    expect_true(best$converged)
    # Start the other solver from the answer, moved: it must find nothing better.
    set.seed(seed)
    start <- Map(function(block, f) {
      at <- crossprod(block$features$factor, f$coefficients)
      wide <- cbind(at, matrix(0, nrow(at), if (block$type == "psd") 2 else 0))
      wide + 0.02 * matrix(rnorm(length(wide)), nrow(wide))
    }, problem$blocks, best$functions)
    other <- second_optimum(problem, start)
    # The penalty method gives way to a constraint, so it may end a little lower, never much higher.
    expect_lt(abs(other - best$primal_value), 2e-3)
    expect_gte(other, best$dual_value - 1e-3)
    if (is.null(problem$constraints) && seed != 7) expect_gte(other, best$dual_value - 1e-9)
    control <- psd_control("fista", tol = 1e-3, max_iter = 2000)
    fista <- do.call(fit_psd, c(problem, list(control = control)))
    if (is.finite(fista$gap)) expect_gte(fista$gap, fista$primal_value - best$primal_value - 1e-8)
  })
}

test_that("constraints hold exactly in the returned fit", {
  problem <- random_problem(2)
  fit <- do.call(fit_psd, c(problem, list(control = psd_control(tol = 1e-4))))
  mass <- function(lower, upper) mass_in_boxes(fit$functions[[1]], lebesgue(), lower, upper)
  expect_equal(mass(0, 1), 1, tolerance = 1e-7)
  expect_lte(mass(0, 0.5), 0.4 + 1e-7)
})

test_that("integer weights are repeated rows", {
  set.seed(3)
  x <- matrix(rnorm(20))
  y <- sin(x) + rnorm(20)
  weights <- sample(1:4, 20, TRUE)
  rows <- rep(1:20, weights)
  density <- function(x, weights = NULL) {
    fit_psd(list(psd_block(psd_features(x, 0.4), 0.01, 1e-4)), neg_log, 0, weights = weights,
            constraints = list(integral_constraint(lebesgue(), 1)), control = newton)$primal_value
  }
  expect_equal(density(x, weights), density(x[rows, , drop = FALSE]), tolerance = 1e-6)
  quantile <- function(x, y, weights = NULL) {
    features <- psd_features(x, 0.4)
    fit_psd(list(linear_block(features, 0.02), psd_block(features, 0.01, 1e-4)),
            pinballs(c(0.5, 0.8)), cbind(y, y), cbind(1, c(0, 1)), weights,
            control = newton)$primal_value
  }
  expect_equal(quantile(x, y, weights), quantile(x[rows, , drop = FALSE], y[rows]),
               tolerance = 1e-6)
})

test_that("degenerate data solve: one row, two rows, equal rows, duplicates, many dimensions", {
  density <- function(x) {
    fit_psd(list(psd_block(psd_features(x, 0.7), 0.01, 1e-4)), neg_log, 0,
            constraints = list(integral_constraint(modifyList(lebesgue(ncol(x)),
                                                              list(sd = rep(2, ncol(x)))), 1)))
  }
  set.seed(4)
  expect_true(density(matrix(0.3))$converged)
  expect_true(density(matrix(c(0.3, 2)))$converged)
  expect_true(density(matrix(1, 20, 2))$converged)
  expect_true(density(matrix(rep(rnorm(5), each = 6)))$converged)
  for (d in c(1, 2, 3, 5, 10, 20)) {
    x <- matrix(rnorm(25 * d), 25)
    block <- psd_block(psd_features(x, 0.7 * sqrt(d)), 0.01, 1e-4)
    integral <- block_integral(block, modifyList(lebesgue(d), list(sd = rep(2, d))), rep(0, d))
    w <- integral$value / norm(integral$value, "F")
    fit <- fit_psd(list(block), neg_log, 0,
                   constraints = list(list(integrals = list(w), bound = 1, equality = TRUE)))
    expect_true(fit$converged)
    expect_gte(fit$gap, -1e-12)
  }
})

test_that("large spaces reach the optimum, with a few leading directions or all alike", {
  set.seed(5)
  x <- matrix(rnorm(230 * 4), 230)
  y <- rowSums(x^2)
  directions <- c()
  for (sigma in c(0.8, 0.4)) {
    features <- psd_features(x, sigma)
    expect_gte(nrow(features$values), 200)
    directions <- c(directions, 230^2 / sum(crossprod(features$values)^2))
    problem <- list(blocks = list(psd_block(features, 0.001, 1e-4)),
                    losses = list(list(name = "squared")), y = y)
    fit <- do.call(fit_psd, c(problem, list(control = psd_control(tol = 1e-7))))
    slow <- do.call(fit_psd, c(problem, list(control = psd_control("fista", tol = 1e-5))))
    expect_true(fit$converged)
    expect_lte(fit$dual_value, slow$primal_value + 1e-12)
    expect_lte(slow$dual_value, fit$primal_value + 1e-12)
    expect_equal(fit$primal_value, slow$primal_value, tolerance = 1e-4)
  }
  expect_lt(directions[1], 115)
  expect_gt(directions[2], 115)
})

# With many rows in several dimensions Newton's steps are preconditioned by part of the curvature.
test_that("many rows in several dimensions: Newton's optimum is that of FISTA, in few iterations", {
  set.seed(4)
  x <- matrix(rnorm(4 * 160), 160)
  y <- x[, 1] + exp(x[, 2] / 3) * rnorm(160)
  features <- psd_features(x, 1.2)
  problems <- list(
    list(list(list(name = "hetero")), y, diag(2), list(psd_block(features, 1e-3, 1e-5))),
    list(pinballs(c(0.2, 0.8)), cbind(y, y), cbind(1, c(0, 1)),
         list(psd_block(features, 1e-2, 1e-4)))
  )
  for (p in problems) {
    blocks <- c(list(linear_block(features, 1e-2)), p[[4]])
    newton <- fit_psd(blocks, p[[1]], p[[2]], p[[3]], control = psd_control(tol = 1e-7))
    fista <- fit_psd(blocks, p[[1]], p[[2]], p[[3]], control = psd_control("fista", tol = 3e-3))
    expect_true(newton$converged)
    expect_lte(newton$iterations, 45)
    expect_lte(newton$primal_value, fista$primal_value + 1e-6)
    expect_gte(newton$primal_value, fista$dual_value - 1e-6)
  }
})

test_that("a warm start saves iterations, and a start of the wrong length is an error", {
  for (solver in c("newton", "fista")) {
    control <- psd_control(solver, tol = 1e-5)
    case <- function(start) {
      fit_psd(list(psd_block(psd_features(reference$x1, 0.08), 0.01, 1e-4)), neg_log, 0,
              constraints = list(integral_constraint(lebesgue(), 1)), control = control,
              start = start)
    }
    cold <- case(NULL)
    warm <- case(cold$dual)
    expect_lte(warm$iterations, 5)
    expect_gt(cold$iterations, warm$iterations)
  }
  expect_error(case(1:3), "`start` has the wrong length")
})

test_that("the trace has one row an iteration with a gap that ends below the tolerance", {
  fit <- reference_cases[[1]]$fit(psd_control(tol = 1e-7, trace = TRUE))
  expect_named(fit$trace, c("iteration", "primal", "dual", "gap", "rank", "seconds"))
  expect_equal(fit$trace$iteration, 0:fit$iterations)
  expect_true(all(diff(fit$trace$gap) <= 1e-12))
  expect_lte(tail(fit$trace$gap, 1), 1e-7 * max(1, fit$primal_value))
  expect_null(reference_cases[[1]]$fit(psd_control())$trace)
})

test_that("not converging is a status, not an error", {
  fit <- reference_cases[[1]]$fit(psd_control(max_iter = 2))
  expect_identical(fit$status, "max_iter")
  expect_false(fit$converged)
  expect_gt(fit$gap, 1e-6)
})

test_that("the same call gives the same numbers", {
  one <- reference_cases[["three quantiles"]]$fit(psd_control())
  two <- reference_cases[["three quantiles"]]$fit(psd_control())
  one$seconds <- two$seconds <- NULL
  expect_identical(one, two)
})
