# Scores of a table by hand: the third candidate is the lowest.
table <- data.frame(sigma.linear = c(1, 1, 2, 2, 1), sigma.psd = c(1, 2, 2, 1, 1),
                    lambda.linear = 0.1, lambda.psd = c(1, 1, 0.1, 0.1, 0.01),
                    ridge = 0.01, score = c(3, 2.05, 2, 2.5, Inf), se = 0.1)
table$by_split <- list(c(3, 3), c(2.0, 2.1), c(1.9, 2.1), c(2.4, 2.6), c(Inf, 2))
tuned <- list(tuning = structure(table, chosen = 3L),
              parameters = list(lambda = c(linear = 0.1, psd = 0.1)))

test_that("a profile has the lowest loss at each value of a parameter", {
  expect_identical(varied_parameters(table), c("sigma.linear", "sigma.psd", "lambda.psd"))
  expect_true(needs_profiles(tuned))
  profiles <- tuning_profiles(tuned)
  expect_identical(levels(profiles$parameter), varied_parameters(table))
  psd <- profiles[profiles$parameter == "sigma.psd" & profiles$best, ]
  expect_identical(psd$score[order(psd$value)], c(2.5, 2))
  expect_identical(unique(profiles$score[profiles$chosen]), 2)
})

test_that("a picture shows the best at each value, and the standard error of the choice", {
  # The best are 2.05, 2, 2.5; the choice is 2.
  for (se in c(0.1, 0.3, 2)) {
    wide <- tuned
    wide$tuning$se <- se
    expect_equal(profile_range(tuning_profiles(wide)), c(2 - se, max(2.5, 2 + se)))
  }
  wide$tuning$se <- NA
  expect_equal(profile_range(tuning_profiles(wide)), c(2, 2.5))
})

test_that("both systems draw a panel per parameter", {
  panels <- drawn_panels(record_drawing(draw_profiles(tuned)))
  expect_length(panels, 3)
  expect_points(drawn_points(panels[[3]])[[1]], c(1, 1, 0.1, 0.1), c(3, 2.05, 2, 2.5))
  expect_points(drawn_lines(panels[[3]])[[1]], c(0.1, 1), c(2, 2.05))
  plot <- gg_profiles(tuned)
  lines <- built_lines(plot)
  expect_length(lines, 3)
  expect_equal(lines[[3]]$y, c(2, 2.05))
})

test_that("the summary says which candidates are as good", {
  # differences to the chosen one: 0.1, 0 (mean 0.05, standard error 0.05); 0.5, 0.5
  expect_identical(as_good(tuned$tuning), c(FALSE, TRUE, TRUE, FALSE, FALSE))
  expect_output(print_certainty(tuned, 3),
                "of it: 1 other, with sigma.linear 1 to 2, sigma.psd 2 to 2, lambda.psd 0.1 to 1")
  density <- psd_density(faithful$eruptions)
  expect_output(print(summary(density)), "averaged over: lambda .* the largest weight [0-9]+% at")
})

test_that("without splits those are as good whose score is within the chosen one's error", {
  tuning <- structure(data.frame(score = c(2.2, 2.1, 2, 2.11, NA, Inf), se = c(9, 0, 0.1, 9, 0, 0)),
                      chosen = 3L)
  expect_identical(as_good(tuning), c(FALSE, TRUE, TRUE, FALSE, FALSE, FALSE))
})
