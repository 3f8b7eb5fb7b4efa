# Random calls of the fitting functions: unevaluated, so that they can be shown.

count_predictors <- function(data) sum(grepl("^x", names(data)))

random_call <- function(data) {
  d <- count_predictors(data)
  make <- one_of(density_call, density_call, quantreg_call, hetero_call, regression_call,
                 intensity_call)
  call <- make(data, d)
  as.call(c(as.list(call), random_settings(as.character(call[[1]]), data, d)))
}

# Beyond 20 s a call is too slow: the larger the data, the fewer things are left to be searched for.
random_settings <- function(fun, data, d) {
  n <- nrow(data)
  search <- chance(if (n * max(d, 1) <= 60) 0.35 else 0.1)
  out <- list()
  if (!search || chance(0.3)) out$sigma <- random_sigma(fun)
  if (!search || chance(0.3)) out$lambda <- random_penalty()
  if (chance(0.15)) out$ridge <- power_of_ten(-6, 3)
  if (chance(0.2)) out$kernel <- one_of("gaussian", "abel", "matern32")
  if (chance(0.2)) out$standardize <- FALSE
  if (chance(0.1) && fun != "psd_density") out$constant <- FALSE
  # A search among glms of mean and variance takes minutes, which is known.
  models <- c("psd", "pnm", "ncm", if (!is.null(out$sigma) && !is.null(out$lambda)) "glm")
  if (chance(0.25) && fun != "psd_intensity") out$model <- sample(models, 1)
  if (chance(0.2)) out$weights <- quote(w)
  if (chance(0.1)) out$subset <- random_subset(n)
  if (chance(0.05)) out$na.action <- one_of("na.omit", "na.fail", "nothing", NULL, quote(na.pass))
  if (chance(0.15)) out$control <- random_control()
  if (chance(0.1)) out$tune <- one_of(quote(psd_tune(folds = 3, repeats = 1)),
                                      quote(psd_tune(rule = "1se")), quote(psd_tune(train = 0.5)),
                                      quote(psd_tune(rule = "min")))
  out
}

random_sigma <- function(fun) {
  if (chance(0.03)) return(one_of(0, -1, NA, "a", Inf, quote(list(a = 1)), numeric()))
  if (chance(0.1)) return(quote(psd_widths(c(2, 0.5, 0.1))))
  if (chance(0.1)) return(power_of_ten(-8, 8))
  if (chance(0.05)) return(c(1, 0.3))
  power_of_ten(-1, 1)
}

random_penalty <- function() {
  if (chance(0.03)) return(one_of(0, -1, NA, "a", Inf, NaN))
  if (chance(0.15)) return(power_of_ten(-12, 8))
  power_of_ten(-4, 1)
}

random_subset <- function(n) {
  if (n == 0) return(1)
  one_of(seq_len(max(1, n - 1)), -1, c(-1, 2), c(1, 1, n), n + 1, rep(TRUE, n), c(TRUE, NA), 0,
         1.5, "a", quote(y > 0))
}

random_control <- function() {
  one_of(quote(psd_control(tol = 1e-9)), quote(psd_control(max_iter = 3)),
         quote(psd_control(solver = "fista", max_iter = 500)), quote(psd_control(max_rank = 5)),
         quote(psd_control(rank_tol = 1e-3)), quote(psd_control(trace = TRUE)))
}

predictors <- function(d) {
  if (d == 0) return(one_of(quote(1), quote(y), quote(mean)))
  Reduce(function(a, b) call("+", a, b), lapply(sprintf("x%d", seq_len(d)), as.name))
}

# The columns as a formula, or as they are.
points_argument <- function(d) {
  if (d > 0 && chance(0.4)) {
    columns <- sprintf("x%d", seq_len(d))
    return(if (d == 1) call("$", quote(data), as.name(columns))
           else call("[", quote(data), columns))
  }
  list(call("~", predictors(d)), quote(data))
}

with_points <- function(fun, d, ...) {
  points <- points_argument(d)
  if (is.list(points)) as.call(c(as.name(fun), points[[1]], list(data = points[[2]]), list(...)))
  else as.call(c(as.name(fun), points, list(...)))
}

# A support that holds the data, touches them, or cuts some off.
random_box <- function(data, d) {
  x <- suppressWarnings(as.matrix(as.data.frame(lapply(data[sprintf("x%d", seq_len(d))],
                                                       function(x) as.numeric(unlist(x))))))
  if (length(x) == 0) return(list(lower = 0, upper = 1))
  low <- suppressWarnings(apply(x, 2, min, na.rm = TRUE))
  high <- suppressWarnings(apply(x, 2, max, na.rm = TRUE))
  margin <- one_of(0, 0.1, 1, 10, -0.1) * (high - low)
  list(lower = unname(low - margin), upper = unname(high + margin))
}

density_call <- function(data, d) {
  box <- random_box(data, d)
  arguments <- one_of(list(), list(), list(), box, box["lower"], box["upper"],
                      list(base = quote(psd_gaussian(0, 3))), list(penalty = "raw"),
                      list(transform = one_of("asinh", "none")),
                      c(box["lower"], transform = one_of("log", "softplus", "probit")),
                      c(box, transform = one_of("logit", "probit")), list(parametric = TRUE),
                      list(constraints = quote(psd_constraint("mean", 0, columns = 1))))
  do.call(with_points, c("psd_density", d, arguments))
}

intensity_call <- function(data, d) {
  do.call(with_points, c("psd_intensity", d, random_box(data, d)))
}

response_call <- function(fun, left, d, ...) {
  as.call(c(as.name(fun), call("~", left, predictors(d)), quote(data), list(...)))
}

quantreg_call <- function(data, d) {
  tau <- sort(stats::runif(sample.int(5, 1)))
  if (chance(0.05)) tau <- one_of(0, 1, c(0.5, 0.5), 1e-9, NA, c(0.5, 0.5 + 1e-9))
  response_call("psd_quantreg", quote(y), d, tau = tau)
}

hetero_call <- function(data, d) response_call("psd_hetero", quote(y), d)

regression_call <- function(data, d) {
  one <- list(quote(y), quote(abs(y)), quote(abs(y)))
  if (chance(0.3)) {
    cone <- one_of("ordered", "nonnegative", quote(psd_cone(halfspaces = cbind(c(-1, 1), c(1, 0)))),
                   quote(psd_cone(generators = cbind(c(1, 0), c(1, 1)))))
    return(response_call("psd_regression", quote(cbind(y, z)), d, cone = cone))
  }
  loss <- one_of("squared", "absolute", "huber", "poisson", "nosuch", quote(psd_loss("huber")))
  response_call("psd_regression", do.call(one_of, one, quote = TRUE), d, loss = loss)
}
