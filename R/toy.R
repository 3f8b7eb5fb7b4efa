#' The data of the paper
#'
#' Draws a sample of one of the toy distributions of Marteau-Ferey, Bach and Rudi (2020), with the
#' true functions attached, so that a plot can show the truth beside a fit.
#'
#' * `"bimodal"`: `x`, one half `N(-1, 0.3^2)` and one half `N(1, 0.3^2)`.
#' * `"mixture10d"`: `x1` to `x10`, one half `N(-2 e1, I / (2 pi))` and one half
#'   `N(2 e1, I / (2 pi))`.
#' * `"hetero"`: `x` equally spaced in `[0, 1]`, `y` normal with mean
#'   `2 (exp(-30 (x - 1/4)^2) + sin(pi x^2))` and variance `exp(sin(2 pi x))`, centred to mean zero
#'   (and the true mean with it).
#' * `"quantile"`: `x` uniform on `[0, 1/3]` and `[2/3, 1]`, `y` normal with mean zero and standard
#'   deviation `1/3 - x` on the left, `x - 2/3` on the right, zero between.
#'
#' The second argument of the paper's `N(.,.)` is a standard deviation, as its figures show.
#'
#' @param name Which: see above.
#' @param n Sample size; by default the paper's (50, 1000, 80, 500).
#' @return A data frame, with attribute `truth`: a list of functions. For the first two `density(x)`
#'   (of a vector, or of a matrix with ten columns); for `"hetero"` `mean(x)` and `sd(x)`; for
#'   `"quantile"` `quantile(x, tau)` and `sd(x)`.
#' @export
#' @examples
#' set.seed(1)
#' toy <- psd_toy("hetero")
#' plot(toy)
#' curve(attr(toy, "truth")$mean(x), add = TRUE)
psd_toy <- function(name = c("bimodal", "mixture10d", "hetero", "quantile"), n = NULL) {
  name <- check_choice(name, c("bimodal", "mixture10d", "hetero", "quantile"))
  if (is.null(n)) n <- c(bimodal = 50, mixture10d = 1000, hetero = 80, quantile = 500)[[name]]
  n <- check_count(n)
  switch(name, bimodal = toy_bimodal(n), mixture10d = toy_mixture10d(n), hetero = toy_hetero(n),
         quantile = toy_quantile(n))
}

with_truth <- function(data, ...) structure(data, truth = list(...))

random_sign <- function(n) sample(c(-1, 1), n, replace = TRUE)

toy_bimodal <- function(n) {
  with_truth(
    data.frame(x = random_sign(n) + stats::rnorm(n, sd = 0.3)),
    density = function(x) (stats::dnorm(x, -1, 0.3) + stats::dnorm(x, 1, 0.3)) / 2
  )
}

toy_mixture10d <- function(n) {
  sd <- 1 / sqrt(2 * pi)
  x <- matrix(stats::rnorm(10 * n, sd = sd), n)
  x[, 1] <- x[, 1] + 2 * random_sign(n)
  density <- function(x) {
    x <- as.matrix(x)
    others <- rowSums(stats::dnorm(x[, -1, drop = FALSE], sd = sd, log = TRUE))
    exp(others) * (stats::dnorm(x[, 1], -2, sd) + stats::dnorm(x[, 1], 2, sd)) / 2
  }
  with_truth(stats::setNames(as.data.frame(x), paste0("x", 1:10)), density = density)
}

toy_hetero <- function(n) {
  x <- seq(0, 1, length.out = n)
  sd <- function(x) exp(sin(2 * pi * x) / 2)
  raw <- function(x) 2 * (exp(-30 * (x - 0.25)^2) + sin(pi * x^2))
  y <- raw(x) + sd(x) * stats::rnorm(n)
  shift <- mean(y)
  with_truth(data.frame(x = x, y = y - shift), mean = function(x) raw(x) - shift, sd = sd)
}

toy_quantile <- function(n) {
  x <- stats::runif(n) / 3 + sample(c(0, 2 / 3), n, replace = TRUE)
  sd <- function(x) pmax(1 / 3 - x, x - 2 / 3, 0)
  with_truth(data.frame(x = x, y = sd(x) * stats::rnorm(n)),
             quantile = function(x, tau) stats::qnorm(tau) * sd(x), sd = sd)
}
