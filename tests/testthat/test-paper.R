# What the vignette `paper` reads is what its scripts compute, and bears what the vignette says.

paper_file <- function(name) system.file("paper", name, package = "psdmodels", mustWork = TRUE)
stored <- function(name) readRDS(paper_file(paste0(name, ".rds")))
script <- function(name) {
  env <- new.env(parent = globalenv())
  source(paper_file(paste0(name, ".R")), local = env)
  env
}

test_that("the stored densities are what their models give at the stored penalties", {
  paper <- script("figure1")
  row <- stored("figure1")$density
  for (name in c("PNM", "NCM", "Our model")) {
    fit <- paper$fit_density(paper$paper_models[[name]], row$parameters[[name]]$lambda)
    expect_equal(paper$density_curve(fit)$p, row$curves[[name]]$p, tolerance = 1e-3, label = name)
    facts <- paper$density_facts(fit)
    expect_equal(facts, row$table[name, names(facts)], tolerance = 1e-3, ignore_attr = TRUE)
  }
})

test_that("the stored mean, variance and quantiles are what our model gives", {
  paper <- script("figure1")
  stored <- stored("figure1")
  for (row in c("hetero", "quantile")) {
    chosen <- lapply(stored[[row]]$parameters[["Our model"]], as.list)
    fit <- paper$rows[[row]]$fit("psd", chosen$sigma, chosen$lambda)
    curve <- stored[[row]]$curves[["Our model"]]
    expect_equal(paper$rows[[row]]$curve(fit), curve, tolerance = 1e-3)
  }
})

test_that("the stored mixtures are the best ones, and no narrower with more kernels", {
  paper <- script("ncm")
  ncm <- stored("ncm")
  fit <- paper$fit_ncm(100, lambda = ncm$drawn$table$lambda[1])
  expect_equal(paper$ncm_curve(fit), ncm$drawn$curves[[1]], tolerance = 1e-4)
  expect_equal(ncm$drawn$table$n, c(100, 1000, 10000))
  expect_lt(max(abs(ncm$drawn$table$sup_error - 0.0725)), 0.002)
  expect_lt(max(ncm$printed$table$sup_error), 1e-6)
})

test_that("a plain search over two kernels finds no better mixture", {
  # sup error of a k(., -s) + a k(., s), least squares in a, over s: the mixture the vignette shows.
  x <- seq(-5, 5, length.out = 401)
  squares <- function(s) {
    k <- exp(-(x - s)^2 / 4) + exp(-(x + s)^2 / 4)
    sum((dnorm(x) - k * sum(k * dnorm(x)) / sum(k^2))^2)
  }
  best <- optimize(squares, c(0, 3))
  curve <- stored("ncm")$drawn$curves[[3]]
  expect_equal(sum((curve$f - dnorm(curve$x))^2), min(best$objective, squares(0)), tolerance = 1e-3)
})

test_that("the stored densities in one dimension bear what the vignette says", {
  table <- stored("figure1")$density$table
  expect_equal(table[c("PNM", "NCM", "Our model"), "closed"], rep(1, 3), tolerance = 1e-8)
  expect_equal(table[c("PNM", "NCM", "Our model"), "quadrature"], rep(1, 3), tolerance = 1e-7)
  expect_identical(table$negative > 0, c(TRUE, FALSE, FALSE, FALSE))
  expect_identical(table[c("NCM", "GLM", "Our model"), "humps"], c(1L, 2L, 2L))
  off <- abs(table["GLM", "quadrature"] - 1)
  expect_gt(off, 1e-4)
  expect_lt(off, 0.1)
})

test_that("the stored quantiles cross for PNM only, and our variance is as good as the best", {
  figure <- stored("figure1")
  crossing <- setNames(figure$quantile$table$crossing, rownames(figure$quantile$table))
  expect_gt(crossing[["PNM"]], 0.05)
  expect_identical(unname(crossing[c("NCM", "GLM", "Our model")]), c(0, 0, 0))
  expect_identical(names(crossing)[which.max(figure$quantile$table$test)], "GLM")
  hetero <- figure$hetero$table
  best <- which.min(hetero$cv)
  expect_lte(hetero["Our model", "cv"], hetero$cv[best] + hetero$se[best])
  expect_identical(rownames(hetero)[which.min(hetero$test)], "Our model")
})

test_that("the stored densities in ten dimensions bear what the vignette says", {
  rows <- lapply(stored("density10d"), `[[`, "row")
  expect_lte(rows$psd$test_nll, 6)
  for (row in rows[c("pnm", "ncm", "psd")]) {
    expect_equal(row$closed, 1, tolerance = 1e-6)
    expect_lt(abs(row$sampled - 1), 4 * row$sampled_se)
  }
  expect_gt(rows$pnm$negative_test, 0)
  for (row in rows[c("ncm", "glm")]) {
    expect_gt(row$excess - rows$psd$excess, 3 * sqrt(row$excess_se^2 + rows$psd$excess_se^2))
  }
})

test_that("what is stored is small", {
  files <- list.files(paper_file(""), "rds$", full.names = TRUE)
  expect_length(files, 3)
  expect_lt(sum(file.size(files)), 3e5)
})
