# Random data, mostly unkind: every draw comes from the seed of the case.

one_of <- function(...) {
  choices <- list(...)
  choices[[sample.int(length(choices), 1)]]
}

chance <- function(p) stats::runif(1) < p

power_of_ten <- function(from, to) 10^stats::runif(1, from, to)

random_column <- function(n) {
  x <- switch(sample.int(8, 1),
    stats::rnorm(n), stats::rnorm(n), stats::runif(n), stats::rexp(n),
    sample(stats::rnorm(3), n, replace = TRUE),    # ties
    as.integer(stats::rpois(n, 3)),
    round(stats::rnorm(n, 50, 10), sample(0:2, 1)),
    stats::rcauchy(n)
  )
  if (chance(0.02)) x <- rep(stats::rnorm(1), n)
  if (chance(0.05) && n > 2) x[sample.int(n, 1)] <- one_of(-1, 1) * 1e12
  if (chance(0.12)) x <- x * power_of_ten(-200, 200)
  if (chance(0.03)) x <- x * 1e-310
  if (chance(0.05)) x <- x + power_of_ten(0, 12)
  x
}

# Predictors that are no plain numbers.
odd_column <- function(n) {
  switch(sample.int(7, 1),
    factor(sample(letters[1:3], n, replace = TRUE)),
    sample(letters[1:2], n, replace = TRUE),
    as.Date("2020-01-01") + seq_len(n),
    as.POSIXct("2020-01-01", tz = "UTC") + 3600 * seq_len(n),
    sample(c(TRUE, FALSE), n, replace = TRUE),
    complex(real = stats::rnorm(n)),
    as.list(seq_len(n))
  )
}

# The columns x1, ..., xd, the response y and a second one z, and weights w.
random_data <- function() {
  n <- one_of(0, 1, 2, 3, 5, 8, 13, 20, 20, 30, 30, 50, 50, 80, 120, 300)
  d <- one_of(0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 6, 12)
  columns <- lapply(seq_len(d), function(k) random_column(n))
  names(columns) <- sprintf("x%d", seq_len(d))
  if (d > 1 && chance(0.1)) columns[[2]] <- columns[[1]]  # collinear
  if (d > 0 && chance(0.06)) columns[[sample.int(d, 1)]] <- odd_column(n)
  columns$y <- random_column(n)
  if (d > 0 && is.numeric(columns$x1) && chance(0.3)) columns$y <- columns$y + columns$x1
  columns$z <- random_column(n)
  columns$w <- random_weights(n)
  data <- structure(columns, class = "data.frame", row.names = seq_len(n))
  if (n > 3 && chance(0.1)) {
    for (name in sample(names(data), 1)) data[sample.int(n, ceiling(n / 5)), name] <- NA
  }
  if (n > 3 && chance(0.03)) data$y[2] <- one_of(Inf, -Inf, NaN)
  if (n > 3 && chance(0.1)) data <- data[sample.int(n, n, replace = TRUE), , drop = FALSE]
  if (chance(0.1) && requireNamespace("tibble", quietly = TRUE)) data <- tibble::as_tibble(data)
  data
}

random_weights <- function(n) {
  switch(sample.int(5, 1), rep(1, n), stats::runif(n), stats::rpois(n, 1),
         10^stats::runif(n, -12, 12), 10^stats::runif(n, -150, 150))
}
