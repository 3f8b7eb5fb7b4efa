# From a workflow that tunes a quantile regression to a picture of the distributions it predicts.
#   Rscript inst/examples/tidymodels.R [picture.png]
library(psdmodels)
library(parsnip)
library(ggplot2)

spec <- psd_reg(kernel_width = hardhat::tune(), penalty = hardhat::tune()) |>
  set_mode("quantile regression", quantile_levels = c(0.05, 0.25, 0.5, 0.75, 0.95))
steps <- recipes::recipe(waiting ~ eruptions, faithful)
flow <- workflows::workflow(steps, spec)

set.seed(1)
tuned <- tune::tune_grid(flow, rsample::vfold_cv(faithful, 3),
                         grid = expand.grid(kernel_width = c(0.5, 1, 2), penalty = c(0.01, 0.1)))
best <- tune::select_best(tuned, metric = "weighted_interval_score")
fitted <- fit(tune::finalize_workflow(flow, best), faithful)

new <- data.frame(eruptions = seq(2, 5, by = 0.5))
new$waiting <- predict(hardhat::extract_fit_engine(fitted), new, type = "distribution")
# Five quantiles do not tell the shape of a density between them: intervals, not curves.
picture <- ggplot(new, aes(eruptions, ydist = waiting)) +
  ggdist::stat_interval(.width = c(0.5, 0.9), linewidth = 6) +
  geom_point(aes(eruptions, waiting), faithful, inherit.aes = FALSE, alpha = 0.3) +
  scale_colour_brewer() +
  labs(y = "waiting")

path <- if (sys.nframe() == 0) commandArgs(TRUE)  # run as a script
if (length(path) == 1) ggsave(path, picture, width = 7, height = 4.5)
