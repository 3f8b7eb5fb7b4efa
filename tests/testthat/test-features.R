# Features of sum kernels, extra sections and slopes, against sums and integrals done in R.
part <- function(width, weight = 1, extra = NULL, slope = 0, kernel = "gaussian", rank_tol = 1e-8,
                 max_rank = Inf, nodes = 0) {
  list(kernel = kernel, width = as.matrix(width), weight = weight, extra = extra, slope = slope,
       rank_tol = rank_tol, max_rank = max_rank, nodes = nodes)
}
prepare <- function(x, part, integrals = list()) psdmodels:::cpp_prepare(x, list(part), integrals)
features_of <- function(x, part) prepare(x, part)$features[[1]]

sections <- list(gaussian = function(t) exp(-t^2 / 2), abel = function(t) exp(-abs(t)))

# The sum kernel between the rows of x and of z.
sum_kernel <- function(part, x, z) {
  k <- sections[[part$kernel]]
  terms <- lapply(seq_along(part$weight), function(s) {
    factors <- lapply(seq_len(ncol(x)), function(c) {
      k(outer(x[, c], z[, c], "-") / part$width[s, c])
    })
    part$weight[s] * Reduce(`*`, factors)
  })
  Reduce(`+`, terms)
}

# phi(x) of features, from their definition: one column a row of x.
feature_map <- function(part, features, data, x) {
  v <- sum_kernel(part, data[features$landmarks, , drop = FALSE], x)
  for (j in seq_along(part$extra$size)) {
    k <- sections[[part$kernel]]
    v <- rbind(v, Reduce(`*`, lapply(seq_len(ncol(x)), function(c) {
      k((x[, c] - part$extra$at[j, c]) / part$extra$width[j, c])
    })))
  }
  rbind(forwardsolve(features$factor, v), if (part$slope > 0) part$slope * t(x))
}

set.seed(11)
data <- matrix(rnorm(60), 30)
bump <- list(at = rbind(c(0.2, -0.1), c(0, 0)), width = rbind(c(1.5, 2), c(Inf, Inf)),
             size = c(3, 10))
parts <- list(
  one = part(cbind(0.7, 0.7)),
  two = part(rbind(c(1.2, 0.9), c(0.4, 0.5)), weight = c(1, 0.3)),
  three = part(rbind(c(2, 2), c(1, 1), c(0.3, 0.3)), weight = c(2, 1, 0.5), extra = bump,
               slope = 4),
  rough = part(rbind(c(1, 2), c(0.5, 0.5)), weight = c(1, 0.5), extra = bump, kernel = "abel")
)

for (name in names(parts)) {
  p <- parts[[name]]
  f <- features_of(data, p)

  test_that(paste0(name, ": features reproduce the sum kernel and what is appended to it"), {
    kernels <- seq_along(f$landmarks)
    expect_equal(crossprod(f$values[kernels, ]), sum_kernel(p, data, data), tolerance = 1e-7)
    expect_equal(f$values, feature_map(p, f, data, data), tolerance = 1e-6)
    expect_equal(nrow(f$anchors$at), length(kernels) * length(p$weight) + length(p$extra$size))
    expect_identical(nrow(f$factor), as.integer(length(kernels) + length(p$extra$size)))
  })

  test_that(paste0(name, ": coefficients on features and on anchors are the same function"), {
    set.seed(12)
    x <- matrix(rnorm(14), 7)
    w <- matrix(rnorm(2 * nrow(f$values)), ncol = 2)
    inner <- crossprod(w, feature_map(p, f, data, x))
    to <- psdmodels:::cpp_coefficients(f, w)
    expect_identical(is.null(to$slopes), p$slope == 0)
    g <- list(type = "psd", kernel = p$kernel, anchors = f$anchors, coefficients = to$coefficients,
              slopes = to$slopes)
    expect_equal(psdmodels:::cpp_evaluate(g, x), colSums(inner^2), tolerance = 1e-6)
    expect_equal(psdmodels:::cpp_log_evaluate(g, x), log(colSums(inner^2)), tolerance = 1e-6)
    g <- list(type = "linear", kernel = p$kernel, anchors = f$anchors,
              coefficients = to$coefficients[, 1, drop = FALSE], slopes = to$slopes[, 1])
    expect_equal(psdmodels:::cpp_evaluate(g, x), inner[1, ], tolerance = 1e-6)
    expect_equal(psdmodels:::cpp_evaluate_all(list(g, g), x), cbind(inner[1, ], inner[1, ]),
                 tolerance = 1e-6)
    positive <- suppressWarnings(ifelse(inner[1, ] > 0, log(inner[1, ]), -Inf))
    expect_equal(psdmodels:::cpp_log_evaluate(g, x), positive, tolerance = 1e-6)
    g$type <- "exp"
    expect_equal(psdmodels:::cpp_log_evaluate(g, x), inner[1, ], tolerance = 1e-6)
  })
}

test_that("parts with the same kernel share their landmarks, and are as if made alone", {
  constant <- list(at = cbind(0, 0), width = cbind(Inf, Inf), size = 10)
  same <- part(cbind(0.7, 0.9), slope = 10)
  parts <- list(part(cbind(0.7, 0.9), extra = constant, nodes = Inf), same,
                part(cbind(0.7, 0.8)), part(cbind(0.7, 0.9), kernel = "abel"),
                part(cbind(0.7, 0.9), rank_tol = 1e-2), part(cbind(0.7, 0.9), max_rank = 5),
                part(rbind(c(0.7, 0.9), c(0.7, 0.9)), weight = c(1, 0.5)),
                part(rbind(c(0.7, 0.9), c(0.7, 0.9)), weight = c(1, 0.6)))
  together <- psdmodels:::cpp_prepare(data, parts, list())$features
  expect_identical(together, lapply(parts, features_of, x = data))
})

test_that("integrals of features of one width are those of the sections, whitened", {
  constant <- list(at = cbind(0, 0), width = cbind(Inf, Inf), size = 10)
  measure <- lebesgue(2, -1, 2)
  made <- prepare(data, part(cbind(0.7, 0.9), extra = constant, nodes = Inf),
                  list(list(part = 1, form = "psd", measure = measure, power = c(0L, 1L)),
                       list(part = 1, form = "linear", measure = measure, power = c(2L, 0L))))
  f <- made$features[[1]]
  expect_identical(f$nodes, psdmodels:::cpp_nodes(f$values))
  whitened <- function(m) forwardsolve(f$factor, m)
  gram <- psdmodels:::cpp_gram("gaussian", f$anchors, measure, c(0L, 1L))
  expect_equal(made$integrals[[1]]$value, whitened(t(whitened(gram$value))), tolerance = 1e-12)
  expect_identical(made$integrals[[1]]$log_scale, gram$log_scale)
  mean <- psdmodels:::cpp_mean_section("gaussian", f$anchors, measure, c(2L, 0L))
  expect_equal(made$integrals[[2]]$value, whitened(mean$value), tolerance = 1e-12)
  expect_identical(made$integrals[[2]]$log_scale, mean$log_scale)
})

measures <- list(box = lebesgue(1, -1, 2.5),
                 gauss = modifyList(lebesgue(1), list(mean = 0.3, sd = 0.8)))

for (kernel in names(sections)) for (name in names(measures)) {
  test_that(paste(kernel, name, "integrals of two scales and an extra section match quadrature"), {
    set.seed(13)
    x <- matrix(runif(12, -1, 2))
    extra <- list(at = cbind(0.4), width = cbind(1.1), size = 5)
    p <- part(rbind(0.8, 0.3), c(1, 0.4), extra, kernel = kernel)
    measure <- measures[[name]]
    weight <- if (name == "box") function(t) 1 else function(t) dnorm(t, measure$mean, measure$sd)
    ends <- if (name == "box") c(-1, 2.5) else c(-7, 8)
    cuts <- sort(c(ends, x, 0.4, seq(-3, 4, by = 0.5)))
    cuts <- cuts[cuts >= ends[1] & cuts <= ends[2]]
    quadrature <- function(g) {
      sum(mapply(function(lo, hi) integrate(g, lo, hi, rel.tol = 1e-10)$value,
                 head(cuts, -1), tail(cuts, -1)))
    }
    for (power in 0:2) {
      out <- prepare(x, p, list(list(part = 1, form = "psd", measure = measure, power = power),
                                list(part = 1, form = "linear", measure = measure, power = power)))
      f <- out$features[[1]]
      w <- matrix(rnorm(nrow(f$values)))
      inner <- function(t) drop(crossprod(w, feature_map(p, f, x, cbind(t))))
      square <- out$integrals[[1]]
      expect_equal(exp(square$log_scale) * drop(crossprod(w, square$value %*% w)),
                   quadrature(function(t) t^power * inner(t)^2 * weight(t)), tolerance = 1e-7)
      mean <- out$integrals[[2]]
      expect_equal(exp(mean$log_scale) * sum(w * mean$value),
                   quadrature(function(t) t^power * inner(t) * weight(t)), tolerance = 1e-7)
    }
  })
}

test_that("gradients know slopes, for every type of function", {
  set.seed(14)
  f <- features_of(data, parts$three)
  to <- psdmodels:::cpp_coefficients(f, matrix(rnorm(nrow(f$values)) / 5))
  x <- matrix(rnorm(10), 5)
  for (type in c("psd", "linear", "exp")) {
    g <- list(type = type, kernel = "gaussian", anchors = f$anchors,
              coefficients = 1e-3 * to$coefficients, slopes = 1e-3 * to$slopes)
    slope <- sapply(1:2, function(k) {
      e <- matrix(replace(numeric(2), k, 1e-5), 5, 2, byrow = TRUE)
      (psdmodels:::cpp_evaluate(g, x + e) - psdmodels:::cpp_evaluate(g, x - e)) / 2e-5
    })
    expect_equal(psdmodels:::cpp_gradient(g, x), slope, tolerance = 1e-5)
  }
})

test_that("far away a function with slopes is affine, its logarithm finite where it is positive", {
  g <- list(type = "linear", kernel = "gaussian", anchors = list(at = cbind(0), width = cbind(1)),
            coefficients = matrix(2), slopes = 3)
  expect_equal(psdmodels:::cpp_evaluate(g, cbind(c(100, -100))), c(300, -300))
  expect_equal(psdmodels:::cpp_log_evaluate(g, cbind(c(100, -100))), c(log(300), -Inf))
})

test_that("integrals of slopes are refused, as are recipes that do not fit", {
  asked <- list(list(part = 1, form = "psd", measure = lebesgue(2), power = c(0L, 0L)))
  expect_error(prepare(data, parts$three, asked), "no integrals")
  asked[[1]]$form <- "linear"
  expect_error(prepare(data, parts$three, asked), "no integrals")
  g <- psdmodels:::new_function("linear", "gaussian", list(at = cbind(0), width = cbind(1)),
                                matrix(2), slopes = 3)
  expect_error(mass_in_boxes(g, lebesgue(), 0, 1), "no integrals")
  expect_error(psdmodels:::cpp_distribution(g, lebesgue(), 0), "no integrals")
  expect_error(prepare(data, part(cbind(1, 1), weight = c(1, 2))), "one width a scale")
  expect_error(prepare(data, part(cbind(1, 1), weight = 0)), "must be positive")
  expect_error(prepare(data, part(cbind(1))), "one width a scale")
})

test_that("the rank is capped, relative to the sum of the weights", {
  expect_length(features_of(data, part(cbind(0.3, 0.3), max_rank = 5))$landmarks, 5)
  few <- features_of(data, part(cbind(2, 2), weight = 1))
  scaled <- features_of(data, part(cbind(2, 2), weight = 100))
  expect_identical(few$landmarks, scaled$landmarks)
  expect_equal(scaled$values, 10 * few$values, tolerance = 1e-6)
})

# How many pivots the diagonal of a matrix needs to fall to 1e-7 of its largest.
pivots_needed <- function(k) {
  remaining <- diag(k)
  floor <- 1e-7 * max(remaining)
  count <- 0
  while (max(remaining) > floor) {
    at <- which.max(remaining)
    column <- k[, at] / sqrt(remaining[at])
    k <- k - tcrossprod(column)
    remaining <- pmax(diag(k), 0)
    remaining[at] <- 0
    k[at, ] <- k[, at] <- 0
    count <- count + 1
  }
  count
}

test_that("nodes are given up only where they would be many", {
  set.seed(8)
  cases <- expand.grid(d = 1:4, sigma = c(0.1, 0.3, 1, 3))
  found <- many <- NULL
  for (i in seq_len(nrow(cases))) {
    v <- psd_features(matrix(rnorm(240 * cases$d[i]), 240), cases$sigma[i])$values
    most <- min(120, 8 * nrow(v))
    found[i] <- length(psdmodels:::cpp_nodes(v)$at) > 0
    many[i] <- pivots_needed(crossprod(v)^2) >= most || 3 * nrow(v) > 240
  }
  expect_identical(found, !many)
  expect_true(any(many) && !all(many))
})

test_that("nodes of very many features are not looked for", {
  repeated <- function(r) matrix(rnorm(r * 5), r)[, rep(1:5, 200)]
  expect_length(psdmodels:::cpp_nodes(repeated(300))$at, 5)
  expect_length(psdmodels:::cpp_nodes(repeated(301))$at, 0)
})

test_that("leading directions have nodes where few points determine their products", {
  set.seed(9)
  leading <- eigen(gaussian_kernel(matrix(rnorm(106)), 0.3), symmetric = TRUE)
  for (r in c(3, 6, 10, 14, 20)) {
    v <- t(leading$vectors[, 1:r]) * sqrt(leading$values[1:r])
    nodes <- psdmodels:::cpp_nodes(v)
    expect_identical(length(nodes$at) > 0, pivots_needed(crossprod(v)^2) < min(53, 8 * r))
  }
})
