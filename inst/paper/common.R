# What the scripts of this folder share. Each computes one figure of the vignette `paper` and stores
# small results beside itself; `make paper` runs them all. Sourced, they only define functions.
suppressPackageStartupMessages(library(psdmodels))

# In the order of the paper's figures.
paper_models <- c(PNM = "pnm", NCM = "ncm", GLM = "glm", "Our model" = "psd")

# "K-fold with K = 7" of the paper: seven random splits, 70 % to fit on.
paper_scheme <- psd_tune(train = 0.7, repeats = 7)

paper_data <- function(name, n = NULL) {
  set.seed(1)
  psd_toy(name, n)
}

# Fresh draws from the same distribution.
paper_test <- function(name, n) {
  set.seed(2)
  psd_toy(name, n)
}

# The same splits for every model. `cpu` is the time of this process, free of what else runs.
tuned_fit <- function(fit, ...) {
  set.seed(3)
  time <- system.time(out <- withCallingHandlers(
    fit(..., standardize = FALSE, ridge = 0.01, tune = paper_scheme),
    psd_not_converged = function(w) {
      message(conditionMessage(w))
      tryInvokeRestart("muffleWarning")
    }
  ))
  out$cpu <- sum(time[c("user.self", "sys.self")])
  out
}

# One row a candidate: its parameters, score and standard error.
tuning_table <- function(fit) {
  table <- fit$tuning
  table$by_split <- table$ridge <- NULL
  table$chosen <- seq_len(nrow(table)) == attr(fit$tuning, "chosen")
  table
}

# What the solver said: iterations, certificate, and the seconds of the last fit and of all tuning.
solver_row <- function(fit) {
  data.frame(sigma = paste(signif(unlist(fit$parameters$sigma), 3), collapse = ", "),
             lambda = paste(signif(unlist(fit$parameters$lambda), 3), collapse = ", "),
             cv = fit$tuning$score[attr(fit$tuning, "chosen")],
             se = fit$tuning$se[attr(fit$tuning, "chosen")], iterations = fit$iterations,
             gap = fit$gap, status = fit$status, seconds = fit$seconds, tuning_seconds = fit$cpu)
}

# The closed form, in two halves: psd_prob() rounds a whole to one.
closed_integral <- function(fit, d = 1) {
  lower <- matrix(-Inf, 2, d)
  upper <- matrix(Inf, 2, d)
  upper[1, 1] <- lower[2, 1] <- 0
  sum(psd_prob(fit, lower, upper))
}

# Stores a named list of results beside the script that is run: those that its arguments name, or
# all; the others stay as they are. Seconds depend on the machine, the rest does not.
store_results <- function(name, names, compute) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  file <- file.path(dirname(script), paste0(name, ".rds"))
  result <- if (file.exists(file)) readRDS(file) else list()
  wanted <- commandArgs(TRUE)
  for (part in if (length(wanted) > 0) match.arg(wanted, names, TRUE) else names) {
    message("computing ", part)
    result[[part]] <- compute(part)
  }
  saveRDS(result[names], file, version = 2, compress = "xz")
  message(file, ": ", file.size(file), " bytes")
}

# Curves are drawn a little beyond the data, which prediction warns of.
anywhere <- function(prediction) suppressWarnings(prediction, classes = "psd_extrapolation")
