# Rscript inst/demo/readme.R [folder]: the figures of README.md, one of each model, and the cheat
# sheet, into man/figures.
library(psdmodels)
library(ggplot2)

folder <- c(commandArgs(TRUE), "man/figures")[1]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
theme_set(theme_minimal(base_size = 10) +
            theme(plot.title = element_text(face = "bold"), legend.position = "none"))
figure <- function(name, plot, title, subtitle, width = 3.4, height = 2.6) {
  plot <- plot + labs(title = title, subtitle = subtitle)
  ggsave(file.path(folder, paste0(name, ".png")), plot, width = width, height = height, dpi = 110,
         bg = "white")
}

set.seed(1)
figure("density", autoplot(psd_density(faithful)), "psd_density()",
       "regions that hold 50, 80 and 95 %")

air <- subset(airquality, !is.na(Ozone))
quantiles <- psd_quantreg(Ozone ~ Wind, air, tau = c(0.1, 0.25, 0.5, 0.75, 0.9), lower = 0,
                          sigma = 1.5, lambda = 0.01)
figure("quantreg", autoplot(quantiles), "psd_quantreg()", "quantiles that do not cross")

helmet <- psd_hetero(accel ~ times, MASS::mcycle)
figure("hetero", autoplot(helmet), "psd_hetero()", "mean, and where 50 and 95 % lie")

theophylline <- psd_regression(conc ~ sqrt(Time), Theoph, sigma = 0.5, lambda = 0.001)
figure("regression", autoplot(theophylline), "psd_regression()", "never negative")

deep <- subset(quakes, depth > 500 & long > 177)
map <- psd_intensity(~ long + lat, data = deep, lower = c(long = 177, lat = -28),
                     upper = c(long = 185, lat = -16), sigma = 0.5, lambda = 0.003)
figure("intensity", autoplot(map), "psd_intensity()", "events in a window")

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "cheatsheet.R"))
ggsave(file.path(folder, "cheatsheet.png"), cheatsheet(), width = 7.6, height = 5, dpi = 105,
       bg = "white")
