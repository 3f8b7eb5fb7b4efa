# The limit on landmarks in large samples.

corners <- function(n) {
  set.seed(n)
  matrix(runif(4 * n), n)
}

test_that("landmarks are limited in large samples only, and only by default", {
  most <- function(n, ...) psdmodels:::most_landmarks(psd_control(...), n)
  expect_identical(most(2000), .Machine$integer.max)
  expect_identical(most(2001), 1000)
  expect_identical(most(1e6), 1000)
  expect_equal(most(1e6, max_rank = Inf), .Machine$integer.max)
  expect_identical(most(100, max_rank = 7), 7)
})

test_that("a limit that binds is told, with what the landmarks carry of the kernel", {
  x <- corners(2100)
  told <- NULL
  fit <- withCallingHandlers(
    psd_density(x, sigma = 0.1, lambda = 1, standardize = FALSE, model = "pnm"),
    psd_landmarks = function(m) {
      told <<- c(told, conditionMessage(m))
      rlang::cnd_muffle(m)
    }
  )
  expect_length(told, 1)
  expect_identical(fit$landmarks, 1000L)
  at <- fit$functions[[1]]$anchors$at
  k <- function(a, b) exp(-(outer(rowSums(a^2), rowSums(b^2), "+") - 2 * a %*% t(b)) / (2 * 0.1^2))
  seen <- colSums(backsolve(chol(k(at, at)), k(at, x), transpose = TRUE)^2)
  expect_equal(as.numeric(sub(".* carry ([0-9.]+) .*", "\\1", told)), 100 * mean(seen),
               tolerance = 0.002)
  expect_no_message(psd_density(x[1:300, ], sigma = 0.1, lambda = 1, model = "pnm"),
                    class = "psd_landmarks")
})
