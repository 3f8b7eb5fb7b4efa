# The methods: `package` it needs, `max_dim` where it is meant for few variables, `max_n` where it
# takes minutes beyond, and `fit`, at the package's own defaults:
#   density   fit(x, box) gives a function of a matrix: log densities
#   quantile  fit(data, tau) gives a function of a data frame: a matrix, one column a level
#   hetero    fit(data) gives a function of a data frame: list(mean =, sd =)

method <- function(package, fit, max_dim = Inf, max_n = Inf) {
  list(package = package, fit = fit, max_dim = max_dim, max_n = max_n)
}
predictors <- function(data) setdiff(names(data), "y")
# y ~ term(x1) + term(x2) + ..., for the packages whose smooth terms are asked for by name.
terms_of <- function(data, wrap = "%s", response = "y", env = parent.frame()) {
  stats::as.formula(paste(response, "~", paste(sprintf(wrap, predictors(data)), collapse = " + ")), env)
}
quietly <- function(expr) {
  utils::capture.output(out <- suppressMessages(suppressWarnings(expr)))
  out
}
finite <- function(bound) if (is.finite(bound)) bound

gaussian_kernels <- function(x, width) {
  force(width)
  function(at) log_sum(outer(drop(at), drop(x), dnorm, sd = width, log = TRUE)) - log(length(x))
}

density_methods <- list(
  psdmodels = method("psdmodels", function(x, box) {
    fit <- psdmodels::psd_density(x, lower = box$lower, upper = box$upper)
    function(at) predict(fit, at, type = "log")
  }),
  `density(SJ)` = method("stats", max_dim = 1, function(x, box) {
    gaussian_kernels(x, stats::bw.SJ(x))
  }),
  # In one dimension its bandwidth, its sum evaluated here: beyond its grid, kde() goes on at a
  # constant height. The scales are those of its arguments `positive` and `unit.interval`.
  ks = method("ks", max_dim = 6, function(x, box) {
    if (ncol(x) > 1) {
      width <- ks::Hpi(x)
      return(function(at) log(ks::kde(x, width, eval.points = at)$estimate))
    }
    least <- min(abs(x))
    to <- list(identity, function(x) log(x + least), qnorm)[[1 + sum(is.finite(unlist(box)))]]
    slope <- list(function(x) 1, function(x) 1 / (x + least), function(x) 1 / dnorm(qnorm(x)))[[
      1 + sum(is.finite(unlist(box)))]]
    sum_of <- gaussian_kernels(to(x), ks::hpi(to(drop(x))))
    function(at) sum_of(to(at)) + log(slope(drop(at)))
  }),
  kde1d = method("kde1d", max_dim = 1, function(x, box) {
    bound <- function(b) if (is.finite(b)) b else NaN
    fit <- kde1d::kde1d(drop(x), xmin = bound(box$lower), xmax = bound(box$upper))
    function(at) log(kde1d::dkde1d(drop(at), fit))
  }),
  logspline = method("logspline", max_dim = 1, function(x, box) {
    bounds <- list(lbound = finite(box$lower), ubound = finite(box$upper))
    fit <- do.call(logspline::logspline, c(list(drop(x)), bounds[lengths(bounds) > 0]))
    function(at) log(logspline::dlogspline(drop(at), fit))
  }),
  gss = method("gss", max_dim = 3, function(x, box) {
    data <- stats::setNames(as.data.frame(x), paste0("x", seq_len(ncol(x))))
    formula <- stats::as.formula(paste("~", paste(names(data), collapse = "*")))
    fit <- gss::ssden(formula, data = data, seed = 1)
    function(at) { # zero outside its box, where dssden() stops
      inside <- rowSums(t(t(at) < unlist(fit$domain[1, ]) | t(at) > unlist(fit$domain[2, ]))) == 0
      out <- rep(-Inf, nrow(at))
      out[inside] <- log(gss::dssden(fit, stats::setNames(as.data.frame(at[inside, , drop = FALSE]), names(data))))
      out
    }
  }),
  mclust = method("mclust", function(x, box) {
    mclustBIC <- mclust::mclustBIC # densityMclust() looks it up from here
    fit <- mclust::densityMclust(x, verbose = FALSE, plot = FALSE)
    function(at) stats::predict(fit, at, what = "dens", logarithm = TRUE)
  })
)

quantile_methods <- list(
  psdmodels = method("psdmodels", function(data, tau) {
    fit <- psdmodels::psd_quantreg(y ~ ., data, tau = tau)
    function(at) as.matrix(predict(fit, at))
  }),
  rq = method("quantreg", function(data, tau) {
    fit <- quantreg::rq(y ~ ., tau, data)
    function(at) predict(fit, at)
  }),
  rqss = method("quantreg", max_dim = 2, function(data, tau) {
    qss <- quantreg::qss
    fits <- lapply(tau, function(t) quantreg::rqss(terms_of(data, "qss(%s)"), t, data))
    range <- lapply(data[predictors(data)], range) # rqss() refuses to extrapolate
    function(at) {
      for (x in names(range)) at[[x]] <- pmin(pmax(at[[x]], range[[x]][1]), range[[x]][2])
      vapply(fits, function(fit) as.vector(predict(fit, at)), numeric(nrow(at)))
    }
  }),
  qgam = method("qgam", function(data, tau) {
    fits <- qgam::mqgam(terms_of(data, "s(%s)"), data, qu = tau)
    function(at) vapply(tau, function(t) as.vector(qgam::qdo(fits, t, predict, newdata = at)), numeric(nrow(at)))
  }),
  kqr = method("kernlab", function(data, tau) {
    x <- as.matrix(data[predictors(data)])
    fits <- lapply(tau, function(t) kernlab::kqr(x, data$y, tau = t))
    function(at) vapply(fits, function(fit) drop(kernlab::predict(fit, as.matrix(at[predictors(data)]))), numeric(nrow(at)))
  }),
  ranger = method("ranger", function(data, tau) {
    fit <- ranger::ranger(y ~ ., data, quantreg = TRUE, num.threads = 1)
    function(at) predict(fit, at, type = "quantiles", quantiles = tau)$predictions
  }),
  qrnn = method("qrnn", function(data, tau) {
    x <- as.matrix(data[predictors(data)])
    fit <- qrnn::mcqrnn.fit(x, matrix(data$y), tau = tau, trace = FALSE)
    function(at) qrnn::mcqrnn.predict(as.matrix(at[predictors(data)]), fit, tau)
  })
)

hetero_methods <- list(
  psdmodels = method("psdmodels", function(data) {
    fit <- psdmodels::psd_hetero(y ~ ., data)
    function(at) list(mean = predict(fit, at, type = "mean"), sd = predict(fit, at, type = "sd"))
  }),
  gaulss = method("mgcv", function(data) {
    basis <- if (length(unique(data[[1]])) < 20) "s(%s, k = 5)" else "s(%s)"
    formulas <- list(terms_of(data, basis), terms_of(data, basis, response = ""))
    fit <- mgcv::gam(formulas, mgcv::gaulss(), data)
    function(at) {
      out <- predict(fit, at, type = "response")
      list(mean = out[, 1], sd = 1 / out[, 2])
    }
  }),
  gamlss = method("gamlss", function(data) {
    pb <- gamlss::pb
    fit <- gamlss::gamlss(terms_of(data, "pb(%s)"), terms_of(data, "pb(%s)", response = ""), data = data)
    function(at) {
      out <- gamlss::predictAll(fit, newdata = at[predictors(data)], data = data)
      list(mean = out$mu, sd = out$sigma)
    }
  }),
  hetGP = method("hetGP", max_n = 200, function(data) {
    x <- as.matrix(data[predictors(data)])
    fit <- hetGP::mleHetGP(x, data$y)
    function(at) {
      out <- predict(fit, as.matrix(at[predictors(data)]))
      list(mean = out$mean, sd = sqrt(out$sd2 + out$nugs))
    }
  })
)

methods <- list(density = density_methods, quantile = quantile_methods, hetero = hetero_methods)
