# Rscript demo.R [folder]: fits the models on built-in data, prints what it found, and writes one
# figure a model to the folder.
library(psdmodels)

folder <- c(commandArgs(TRUE), "demo-figures")[1]
dir.create(folder, showWarnings = FALSE)
figure <- function(name, plot) {
  file <- file.path(folder, paste0(name, ".png"))
  ggplot2::ggsave(file, plot, width = 6, height = 4, dpi = 120)
  cat("figure:", file, "\n\n")
}
title <- function(text) cat(text, "\n", strrep("-", nchar(text)), "\n", sep = "")
set.seed(1)

title("The density of Old Faithful's eruptions and waiting times")
density <- psd_density(faithful)
print(density)
cat("integral over the plane:", psd_prob(density, c(-Inf, -Inf), c(Inf, Inf)), "\n")
cat("probability of a long eruption after a long wait:",
    psd_prob(density, c(3, 70), c(Inf, Inf)), "\n")
figure("density", autoplot(density, data = faithful))

title("Quartiles of braking distance that cannot cross")
quantiles <- psd_quantreg(dist ~ speed, cars)
print(quantiles)
grid <- predict(quantiles, data.frame(speed = seq(-100, 200, length.out = 1e4)))
cat("crossings on a grid far beyond the data:", sum(apply(grid, 1, is.unsorted)), "of 10000\n")
figure("quantiles", autoplot(quantiles))

title("Mean and spread of braking distance in one convex problem")
hetero <- psd_hetero(dist ~ speed, cars)
print(hetero)
print(predict(hetero, data.frame(speed = c(5, 15, 25)), type = "interval", level = 0.9))
figure("hetero", autoplot(hetero))
