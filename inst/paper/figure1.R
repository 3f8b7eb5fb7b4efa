# Rscript inst/paper/figure1.R [rows]: the three rows of the paper's Figure 1, four models each,
# about five minutes on one core. With arguments ("density", "hetero", "quantile") only those rows.
source(system.file("paper", "common.R", package = "psdmodels"), local = TRUE)

quantile_levels <- c(0.25, 0.5, 0.75)

# Top: a density with two humps. sigma is one for all, lambda is chosen; the penalty is the paper's.
fit_density <- function(model, lambda = 10^seq(0, -7, by = -0.5)) {
  tuned_fit(psd_density, paper_data("bimodal")$x, model = model, sigma = 1, lambda = lambda,
            penalty = "raw", base = psd_gaussian(0, 5))
}

density_curve <- function(fit) {
  x <- seq(-3, 3, length.out = 301)
  data.frame(x = x, p = predict(fit, x))
}

# Local maxima that reach a tenth of the highest.
humps <- function(p) sum(diff(sign(diff(p))) < 0 & p[2:(length(p) - 1)] > max(p) / 10)

# On a grid so fine that the trapezium rule is exact to rounding for functions this smooth; `test`
# is the expected loss, by the same rule.
density_facts <- function(fit) {
  x <- seq(-30, 30, by = 0.002)
  p <- predict(fit, x)
  truth <- attr(paper_data("bimodal"), "truth")$density(x)
  quadrature <- function(values) sum(values) * 0.002
  data.frame(test = -quadrature(ifelse(truth > 0, truth * log(pmax(p, 0)), 0)),
             closed = if (fit$model == "glm") NA else closed_integral(fit),
             quadrature = quadrature(p), absolute = quadrature(abs(p)),
             negative = quadrature(pmax(-p, 0)), lowest = min(p),
             humps = humps(density_curve(fit)$p))
}

# Centre: mean and variance together; widths and penalties of both parts are chosen.
fit_hetero <- function(model, sigma = list(linear = c(0.1, 0.2, 0.4), psd = c(0.1, 0.2, 0.4)),
                       lambda = list(linear = 10^-(1:4), psd = 10^-(1:4)),
                       data = paper_data("hetero")) {
  tuned_fit(psd_hetero, y ~ x, data, model = model, sigma = sigma, lambda = lambda,
            constant = FALSE)
}

hetero_curve <- function(fit) {
  x <- seq(0, 1, length.out = 201)
  data.frame(x = x, mean = predict(fit, data.frame(x)),
             sd = predict(fit, data.frame(x), type = "sd"))
}

# `test` is the expected loss over x uniform on [0, 1] under the true distribution.
hetero_facts <- function(fit) {
  curve <- hetero_curve(fit)
  truth <- attr(paper_data("hetero"), "truth")
  square <- truth$sd(curve$x)^2 + (truth$mean(curve$x) - curve$mean)^2
  data.frame(test = mean(log(2 * pi) / 2 + log(curve$sd) + square / (2 * curve$sd^2)))
}

# Bottom: three quantiles, with no data in the middle third.
# As in the paper the median and the gaps share their width.
fit_quantreg <- function(model, sigma = c(0.1, 0.2, 0.4, 0.8),
                         lambda = list(linear = 10^-(0:2), psd = 10^-(2:5))) {
  tuned_fit(psd_quantreg, y ~ x, paper_data("quantile"), model = model, tau = quantile_levels,
            sigma = sigma, lambda = lambda, constant = FALSE)
}

quantreg_curve <- function(fit) {
  x <- seq(0, 1, length.out = 301)
  data.frame(x = x, anywhere(predict(fit, data.frame(x))))
}

# `crossing` is the share of a fine grid where two quantiles are in the wrong order.
quantreg_facts <- function(fit) {
  x <- seq(0, 1, length.out = 10001)
  gaps <- anywhere(predict(fit, data.frame(x), type = "gap"))
  test <- paper_test("quantile", 20000)
  data.frame(test = sum(psd_pinball(test$y, anywhere(predict(fit, test)), quantile_levels)),
             crossing = mean(rowSums(gaps < 0) > 0),
             lowest_gap = min(gaps))
}

rows <- list(density = list(fit = fit_density, curve = density_curve, facts = density_facts),
             hetero = list(fit = fit_hetero, curve = hetero_curve, facts = hetero_facts),
             quantile = list(fit = fit_quantreg, curve = quantreg_curve, facts = quantreg_facts))

compute_row <- function(name) {
  row <- rows[[name]]
  fits <- lapply(paper_models, row$fit)
  table <- lapply(fits, function(fit) cbind(solver_row(fit), row$facts(fit)))
  list(table = do.call(rbind, table), tuning = lapply(fits, tuning_table),
       curves = lapply(fits, function(fit) signif(row$curve(fit), 7)),
       parameters = lapply(fits, function(fit) fit$parameters[c("sigma", "lambda")]))
}

if (sys.nframe() == 0) store_results("figure1", names(rows), compute_row)
