test_that("a fit that is tuned counts its steps, and scripts write nothing", {
  expect_silent(suppressMessages(psd_density(
    faithful$eruptions, sigma = c(0.3, 0.6), lambda = c(0.1, 0.01), tune = psd_tune(folds = 3)
  ), classes = "psd_grid_edge"))
  # one task per fold and width, for the first draw of folds and for the others of the leaders
  expect_identical(progress$done, progress$total)
  expect_gte(progress$done, 6)
  psd_density(faithful$eruptions[1:50])
  expect_gt(progress$done, 3)
})

test_that("an interactive session sees a bar with an estimate, which goes when the fit is done", {
  rlang::local_options(rlang_interactive = TRUE, cli.progress_show_after = 0,
                       cli.progress_handlers_only = "logger")
  log <- capture.output(type = "output", {
    psd_quantreg(dist ~ speed, cars, sigma = 1, lambda = c(0.1, 0.01), tune = psd_tune(folds = 2))
  })
  expect_match(log, "cli-[0-9-]+ ([0-9]+)/\\1 terminated", all = FALSE)
  expect_null(progress$bar)
  rlang::local_options(cli.progress_handlers_only = NULL)
  expect_identical(getOption("cli.progress_show_after"), 0)
})
