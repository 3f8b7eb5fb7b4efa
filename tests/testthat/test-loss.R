# The contract of a loss, over the registry.
value <- function(case, u, y) psdmodels:::cpp_loss_value(case$spec, u, y)
conjugate <- function(case, a, y) psdmodels:::cpp_loss_conjugate(case$spec, a, y)
prox <- function(case, u, y, step) psdmodels:::cpp_loss_prox(case$spec, u, y, step)

# The largest value of f(domain(t)) over t, from several starts.
supremum <- function(inner, arity, domain) {
  if (arity == 1) {
    f <- Vectorize(function(t) inner(domain(t)))
    grid <- seq(-40, 40, by = 0.05)
    at <- grid[which.max(f(grid))]
    return(optimize(f, at + c(-0.1, 0.1), maximum = TRUE, tol = 1e-12)$objective)
  }
  f <- function(t) inner(domain(t))
  starts <- expand.grid(c(-2, 0, 2), c(-2, 0, 2))
  best <- apply(starts, 1, function(s) {
    fit <- optim(s, function(t) -f(t), control = list(reltol = 1e-15, maxit = 5000))
    optim(fit$par, function(t) -f(t), control = list(reltol = 1e-15, maxit = 5000))$value
  })
  -min(best)
}

test_that("every registered loss has a test case", {
  expect_setequal(names(loss_cases), psdmodels:::cpp_loss_names())
})

for (name in names(loss_cases)) {
  case <- loss_cases[[name]]
  arity <- psdmodels:::cpp_loss_arity(case$spec)

  test_that(paste0(name, ": the conjugate is the supremum"), {
    each_loss_point(case, function(a, y) {
      best <- supremum(function(u) sum(a * u) - value(case, u, y), arity, case$domain)
      expect_equal(conjugate(case, a, y)$value, best, tolerance = 1e-6)
    })
  })

  test_that(paste0(name, ": Fenchel and Young agree at the conjugate's gradient"), {
    each_loss_point(case, function(a, y) {
      at <- conjugate(case, a, y)
      expect_equal(sum(a * at$gradient), value(case, at$gradient, y) + at$value, tolerance = 1e-10)
    })
  })

  test_that(paste0(name, ": gradient and Hessian of the conjugate match finite differences"), {
    h <- 1e-5
    each_loss_point(case, function(a, y) {
      at <- conjugate(case, a, y)
      for (k in seq_along(a)) {
        e <- replace(numeric(length(a)), k, h)
        up <- conjugate(case, a + e, y)
        down <- conjugate(case, a - e, y)
        expect_equal(at$gradient[k], (up$value - down$value) / (2 * h), tolerance = 1e-6)
        expect_equal(at$hessian[, k], (up$gradient - down$gradient) / (2 * h), tolerance = 1e-6)
      }
    })
  })

  if (arity == 1) test_that(paste0(name, ": the slope of the prox matches finite differences"), {
    h <- 1e-6
    for (y in case$y) for (theta in c(0.05, 1, 20)) {
      u <- c(-3.1, 0.23, 0.6, 4.2, 25)
      at <- function(u) {
        spec <- list(losses = list(case$spec), y = matrix(y, length(u)),
                     weights = rep(0.3, length(u)))
        psdmodels:::cpp_risk_prox(spec, rbind(u), theta)
      }
      found <- at(u)
      expect_equal(drop(found$u), vapply(u, prox, 0, case = case, y = y, step = theta))
      expect_equal(drop(found$slope), drop(at(u + h)$u - at(u - h)$u) / (2 * h), tolerance = 1e-5)
    }
  })

  test_that(paste0(name, ": the prox minimises, against a numerical search"), {
    for (y in case$y) for (step in c(0.05, 1, 20)) for (u in c(-3, 0.2, 4)) {
      u <- rep(u, arity) + 0.1 * seq_len(arity)
      p <- prox(case, u, y, step)
      objective <- function(p) step * value(case, p, y) + sum((p - u)^2) / 2
      best <- -supremum(function(p) -objective(p), arity, case$domain)
      expect_lte(objective(p), best + 1e-7 * max(1, abs(best)))
    }
  })

  test_that(paste0(name, ": the domain ends where `reach` and the box say"), {
    directions <- if (arity == 1) list(1, -1) else list(c(1, 0), c(0, 1), c(-1, 0.3), c(0, -1))
    each_loss_point(case, function(a, y) {
      at <- conjugate(case, a, y)
      for (step in directions) {
        room <- ifelse(step > 0, (at$upper - a) / step,
                       ifelse(step < 0, (at$lower - a) / step, Inf))
        end <- min(psdmodels:::cpp_loss_reach(case$spec, a, step, y), room)
        if (is.infinite(end)) end <- 1e3
        expect_true(is.finite(conjugate(case, a + 0.999 * end * step, y)$value))
        if (end < 1e3) expect_identical(conjugate(case, a + 1.001 * end * step, y)$value, Inf)
      }
      expect_true(is.finite(conjugate(case, at$start, y)$value))
      expect_true(all(at$lower < at$start & at$start < at$upper))
    })
  })
}

for (name in names(loss_cases)) {
  test_that(paste0(name, ": the traits are true"), {
    traits <- psdmodels:::cpp_loss_traits(name)
    expect_named(traits, c("regression", "unit_free", "response", "defaults", "arity"))
    spec <- c(list(name = name), traits$defaults)
    expect_setequal(names(spec), names(loss_cases[[name]]$spec))
    expect_identical(psdmodels:::cpp_loss_arity(spec), traits$arity)
    expect_true(all(loss_cases[[name]]$y >= traits$response))
    if (traits$regression) expect_identical(traits$arity, 1L)
    # A parameter that is a size of residuals is measured in the unit of y.
    scaled <- function(s) {
      if (name == "huber") modifyList(spec, list(delta = s * spec$delta)) else spec
    }
    ratios <- function(s) {
      points <- list(c(0.3, 1), c(2, 0.5), c(4, 3))
      vapply(points, function(p) {
        psdmodels:::cpp_loss_value(scaled(s), s * p[1], s * p[2]) /
          psdmodels:::cpp_loss_value(spec, p[1], p[2])
      }, 0)
    }
    if (traits$regression) {
      expect_identical(diff(range(ratios(3))) < 1e-10, traits$unit_free)
    }
  })
}

test_that("traits hold the defaults that users see", {
  expect_identical(psdmodels:::cpp_loss_traits("huber")$defaults, list(delta = 1.345))
  expect_identical(psdmodels:::cpp_loss_traits("pinball")$defaults, list(tau = 0.5))
  expect_length(psdmodels:::cpp_loss_traits("squared")$defaults, 0)
  expect_identical(psdmodels:::cpp_loss_traits("poisson")$response, 0)
  expect_error(psdmodels:::cpp_loss_traits("hinge"), "unknown loss 'hinge'")
  expect_error(psdmodels:::cpp_kernel_traits("box"), "unknown kernel 'box'")
})

test_that("an unknown loss and a bad parameter are errors", {
  expect_error(psdmodels:::cpp_loss_value(list(name = "hinge"), 1, 1), "unknown loss 'hinge'")
  expect_error(psdmodels:::cpp_loss_value(list(name = "pinball", tau = 2), 1, 1), "tau")
  expect_error(psdmodels:::cpp_loss_value(list(name = "pinball"), 1, 1), "`tau` is missing")
  expect_error(psdmodels:::cpp_loss_value(list(name = "squared", tau = 1), 1, 1),
               "there is no parameter `tau`")
})

test_that("a family of glm() is no loss, and the message says what is", {
  expect_error(psd_regression(dist ~ speed, cars, loss = poisson()), "a name such as \"poisson\"",
               class = "psd_input_error")
})
