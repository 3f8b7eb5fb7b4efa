# The cases: one entry a case, in sections. A case draws samples and knows the truth:
#   density   draw(n) a matrix; log_density(x); box, the support told to the methods;
#             with one variable `nodes`, a quadrature rule (else the score is a mean over a test
#             sample)
#   quantile  draw(n) a data frame with y; quantile(data, tau), the true quantiles
#   hetero    draw(n) a data frame with y; mean(data), sd(data)
# Real data have `data` instead of all that, and are scored by cross-validation.

line <- list(lower = -Inf, upper = Inf)
half_line <- list(lower = 0, upper = Inf)
unit <- list(lower = 0, upper = 1)

# A quadrature rule on sorted knots, the trapezoidal one.
trapezoid <- function(at) {
  at <- sort(unique(at))
  gap <- diff(at)
  list(at = at, weight = (c(gap, 0) + c(0, gap)) / 2)
}

# Mixtures of normals on the line.
normals <- function(weight, mean, sd) {
  draw <- function(n) {
    k <- sample.int(length(weight), n, TRUE, weight)
    matrix(rnorm(n, mean[k], sd[k]))
  }
  density <- function(x) drop(mapply(function(m, s) dnorm(x, m, s), mean, sd) %*% weight)
  knots <- c(seq(min(mean - 6 * sd), max(mean + 6 * sd), length.out = 2001),
             outer(seq(-5, 5, length.out = 201), sd) + rep(mean, each = 201))
  list(task = "density", box = line, draw = draw, log_density = function(x) log(density(x)),
       nodes = trapezoid(knots), n = c(100, 400, 1600))
}
marron_wand <- lapply(mixtures, function(m) normals(m$weight, m$mean, m$sd))

# Heavy tails, half lines, intervals; rounded values.
# ------------------------------------------------- `d`, `q` and `r` are the functions of the
# distribution, the nodes equal steps of logit probability. The integrated squared error exists only
# where the density is square integrable.
univariate <- function(name, ..., box = line, digits = NULL, square = TRUE) {
  find <- function(letter) get(paste0(letter, name), envir = asNamespace("stats"))
  probability <- plogis(seq(-20, 20, length.out = 4001))
  draw <- function(n) {
    x <- find("r")(n, ...)
    matrix(if (is.null(digits)) x else round(x / digits) * digits)
  }
  list(task = "density", box = box, draw = draw,
       log_density = function(x) find("d")(drop(x), ..., log = TRUE),
       nodes = trapezoid(find("q")(probability, ...)), n = c(100, 400), square = square)
}
tails_and_bounds <- list(
  t3 = univariate("t", 3),
  cauchy = univariate("cauchy"),
  lognormal = univariate("lnorm", box = half_line),
  exponential = univariate("exp", box = half_line),
  gamma2 = univariate("gamma", 2, box = half_line),
  beta25 = univariate("beta", 2, 5, box = unit),
  beta_half = univariate("beta", 0.5, 0.5, box = unit, square = FALSE),
  uniform = univariate("unif", box = unit),
  normal_rounded_0.1 = univariate("norm", digits = 0.1),
  normal_rounded_0.5 = univariate("norm", digits = 0.5),
  gamma_rounded = univariate("gamma", 2, box = half_line, digits = 0.25)
)

# Several variables.
# ---------------------------------------------------------------------------------- A mixture of
# normals with covariance matrices.
mixture <- function(weight, mean, covariance, n = 200) {
  root <- lapply(covariance, chol)
  draw <- function(n) {
    k <- sample.int(length(weight), n, TRUE, weight)
    z <- matrix(rnorm(n * length(mean[[1]])), n)
    for (j in seq_along(weight)) {
      z[k == j, ] <- sweep(z[k == j, , drop = FALSE] %*% root[[j]], 2, mean[[j]], "+")
    }
    z
  }
  log_density <- function(x) {
    log_sum(vapply(seq_along(weight), function(j) {
      z <- forwardsolve(t(root[[j]]), t(x) - mean[[j]])
      log(weight[j]) + colSums(dnorm(z, log = TRUE)) - sum(log(diag(root[[j]])))
    }, numeric(nrow(x))))
  }
  list(task = "density", box = line, draw = draw, log_density = log_density, n = n)
}
log_sum <- function(logs) {
  largest <- apply(logs, 1, max)
  largest + log(rowSums(exp(logs - largest)))
}
correlated <- function(sd1, sd2, rho) {
  matrix(c(sd1^2, rho * sd1 * sd2, rho * sd1 * sd2, sd2^2), 2)
}
# A curve through many small normals.
along <- function(points, sd, n = 200) {
  count <- nrow(points)
  mixture(rep(1 / count, count), lapply(seq_len(count), function(i) points[i, ]),
          rep(list(diag(sd^2, 2)), count), n)
}
circle <- (1:60) / 60 * 2 * pi
winding <- seq(0.5, 3.5, length.out = 80) * pi
student <- function(df, d, n) {
  list(task = "density", box = line, n = n,
       draw = function(n) matrix(rnorm(n * d), n) / sqrt(rchisq(n, df) / df),
       log_density = function(x) {
         lgamma((df + d) / 2) - lgamma(df / 2) - d / 2 * log(df * pi) -
           (df + d) / 2 * log1p(rowSums(x^2) / df)
       })
}
# Two normals in d dimensions, the correlations rho and -rho beside the diagonal.
two_normals <- function(d, rho, n) {
  chain <- function(r) r^abs(outer(seq_len(d), seq_len(d), "-"))
  mixture(c(0.6, 0.4), list(rep(-1, d), rep(1, d)), list(chain(rho), chain(-rho) / 2), n)
}
multivariate <- list(
  ring = along(2 * cbind(cos(circle), sin(circle)), 0.25),
  spiral = along(winding / 3 * cbind(cos(winding), sin(winding)), 0.25),
  bimodal = mixture(c(0.5, 0.5), list(c(-1, 0), c(1, 0)), rep(list(diag(c(4 / 9, 1))), 2)),
  trimodal = mixture(rep(1 / 3, 3), list(c(-1.2, 0), c(1.2, 0), c(0, 1.6)),
                     list(correlated(0.6, 0.6, 0.5), correlated(0.6, 0.6, -0.5), diag(0.25, 2))),
  skewed = mixture(c(0.2, 0.2, 0.6), list(c(0, 0), c(0.5, 0.5), c(13, 13) / 12),
                   list(diag(2), diag(4 / 9, 2), diag(25 / 81, 2))),
  correlated = mixture(1, list(c(0, 0)), list(correlated(1, 1, 0.95))),
  sheets = mixture(c(0.5, 0.5), list(c(-0.5, 0.5), c(0.5, -0.5)),
                   rep(list(correlated(1, 1, 0.95)), 2)),
  scales = mixture(c(0.5, 0.5), list(c(0, 0), c(2, 2)), list(diag(2), diag(0.01, 2))),
  t4 = student(4, 2, 200),
  normals3 = two_normals(3, 0.6, 300),
  normals5 = two_normals(5, 0.6, 500),
  t4_in_5 = student(4, 5, 500),
  # The paper's: two normals of standard deviation one, four apart in every coordinate.
  mixture10 = list(task = "density", box = line, n = 1000,
                   draw = function(n) as.matrix(psdmodels::psd_toy("mixture10d", n)))
)

# Quantiles.
# ------------------------------------------------------------------------------------------ y =
# location(x) + scale(x) noise.
noisy <- function(location, scale, noise, quantile, d = 1) {
  predictors <- function(n) as.data.frame(matrix(runif(n * d), n, dimnames = list(NULL, paste0("x", 1:d))))
  list(task = "quantile", n = c(100, 500),
       draw = function(n) {
         data <- predictors(n)
         data$y <- location(data) + scale(data) * noise(n)
         data
       },
       quantile = function(data, tau) {
         location(data) + outer(rep_len(scale(data), nrow(data)), quantile(tau))
       })
}
standard <- function(location, scale, ...) noisy(location, scale, rnorm, qnorm, ...)
steps <- function(x) 4 * (x > 0.1) - 5 * (x > 0.25) + 3 * (x > 0.4) - 4 * (x > 0.65) + 5 * (x > 0.8)
quantiles <- list(
  sine = standard(function(d) sin(2 * pi * d$x1), function(d) 0.1 + 0.4 * d$x1),
  gamma = noisy(function(d) 2 * sin(2 * pi * d$x1), function(d) 0.5 + d$x1,
                function(n) rgamma(n, 2) - 2, function(tau) qgamma(tau, 2) - 2),
  t3 = noisy(function(d) sin(4 * pi * d$x1), function(d) 0.3, function(n) rt(n, 3),
             function(tau) qt(tau, 3)),
  blocks = standard(function(d) steps(d$x1), function(d) 0.5),
  two = standard(function(d) sin(2 * pi * d$x1) * d$x2, function(d) 0.1 + 0.4 * d$x2, d = 2),
  five = standard(function(d) 2 * sin(pi * d$x1 * d$x2) + 4 * (d$x3 - 0.5)^2 + 2 * d$x4 + d$x5,
                  function(d) 0.2 + 0.5 * d$x1, d = 5)
)

# Mean and variance.
# ----------------------------------------------------------------------------------
gaussian <- function(mean, sd, x = runif) {
  list(task = "hetero", n = c(100, 500), mean = function(d) mean(d$x1), sd = function(d) sd(d$x1),
       draw = function(n) {
         x1 <- x(n)
         data.frame(x1, y = mean(x1) + sd(x1) * rnorm(n))
       })
}
hetero <- list(
  goldberg = gaussian(function(x) 2 * sin(2 * pi * x), function(x) 0.5 + x),
  yuan_wahba = gaussian(function(x) 2 * (exp(-30 * (x - 0.25)^2) + sin(pi * x^2)) - 2,
                        function(x) exp(sin(2 * pi * x) / 2)),
  williams = gaussian(function(x) sin(2.5 * x) * sin(1.5 * x), function(x) 0.01 + 0.25 * (1 - sin(2.5 * x))^2,
                      function(n) runif(n, 0, pi)),
  le = gaussian(function(x) sinpi(2 * x) / (pi * x + 1e-8) * 2, function(x) 0.05 + 0.2 * (1 + sin(2 * x)) / 1.2,
                function(n) runif(n, -1, 5))
)

# Real data.
# ------------------------------------------------------------------------------------------ An
# entry is a promise: what is not installed is skipped.
real <- function(task, data, box = line) list(task = task, data = data, box = box)
from <- function(package, name) {
  found <- new.env()
  if (requireNamespace(package, quietly = TRUE)) utils::data(list = name, package = package, envir = found)
  get0(name, found)
}
columns <- function(data, names) if (!is.null(data)) as.matrix(data[names])
responding <- function(data, formula) if (!is.null(data)) {
  frame <- stats::na.omit(stats::model.frame(formula, data))
  stats::setNames(data.frame(frame[-1], frame[[1]]), c(paste0("x", seq_along(frame[-1])), "y"))
}
some_rows <- function(data, size) if (!is.null(data)) {
  data[round(seq(1, nrow(data), length.out = min(size, nrow(data)))), ]
}
real_data <- list(
  faithful = real("density", function() as.matrix(datasets::faithful)),
  iris = real("density", function() as.matrix(datasets::iris[1:4])),
  quakes = real("density", function() as.matrix(datasets::quakes[c("long", "lat", "depth")])),
  galaxies = real("density", function() {
    speeds <- from("MASS", "galaxies")
    if (!is.null(speeds)) matrix(speeds / 1000)
  }),
  gagurine = real("density", function() columns(from("MASS", "GAGurine"), "GAG"), half_line),
  wines = real("density", function() columns(from("gclus", "wine"), c("Alcohol", "Flavanoids"))),
  mcycle_quantiles = real("quantile", function() responding(from("MASS", "mcycle"), accel ~ times)),
  engel_quantiles = real("quantile", function() responding(from("quantreg", "engel"), foodexp ~ income)),
  airquality_quantiles = real("quantile", function() {
    responding(datasets::airquality, Ozone ~ Solar.R + Wind + Temp)
  }),
  boston_quantiles = real("quantile", function() responding(from("MASS", "Boston"), medv ~ lstat + rm)),
  diamonds_quantiles = real("quantile", function() {
    responding(some_rows(from("ggplot2", "diamonds"), 500), log(price) ~ log(carat))
  }),
  mcycle = real("hetero", function() responding(from("MASS", "mcycle"), accel ~ times)),
  cars = real("hetero", function() responding(datasets::cars, dist ~ speed)),
  engel = real("hetero", function() responding(from("quantreg", "engel"), foodexp ~ income)),
  boston = real("hetero", function() responding(from("MASS", "Boston"), medv ~ lstat + rm))
)

sections <- list(marron_wand = marron_wand, bounds = tails_and_bounds, multivariate = multivariate,
                 quantiles = quantiles, hetero = hetero, data = real_data)
