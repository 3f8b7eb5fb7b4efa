# cheatsheet(): which function do I need, as a ggplot.
library(ggplot2)

# What one has, what one wants, and the function; then what to ask of a fit.
cheatsheet_functions <- data.frame(
  have = c("points", "events in a window", "y and predictors", "", ""),
  want = c("their density", "their rate, in time or space", "quantiles that do not cross",
           "mean and spread", "a mean that is never negative,\ncounts, outputs in a cone"),
  call = paste0("psd_", c("density", "intensity", "quantreg", "hetero", "regression"), "()")
)
cheatsheet_verbs <- data.frame(
  title = c("look", "predict", "ask a density", "how certain?", "say what you know",
            "choose, faster"),
  calls = c(
    "print() summary()\nautoplot() plot()\ntidy() glance()\naugment()",
    "predict(fit, new)\n  type = \"sd\", \"cdf\",\n  \"interval\", ...\nsimulate() residuals()",
    "psd_prob() quantile()\npsd_marginal()\npsd_conditional()\npsd_mode() psd_hdr()",
    "psd_boot()\npsd_conformal()\npsd_verify()\npsd_cv()",
    "lower =, upper =\nweights =, exposure =\npsd_constraint()\npsd_integral() psd_cone()",
    "sigma =, lambda =\npsd_tune()\npsd_control()\nfuture::plan()"
  )
)

cheatsheet <- function(functions = cheatsheet_functions, verbs = cheatsheet_verbs) {
  functions$y <- rev(seq_len(nrow(functions))) + 4
  functions$from <- c(9, 8, 6, 6, 6) # the row in which what one has is written
  verbs$x <- 3.5 * ((seq_len(nrow(verbs)) - 1) %% 3)
  verbs$y <- ifelse(seq_len(nrow(verbs)) <= 3, 3.9, 1.5)
  ggplot(functions) +
    geom_segment(aes(x = 2.2, xend = 2.9, y = from, yend = y), colour = "grey60") +
    geom_segment(aes(x = 6.8, xend = 7.2, y = y, yend = y), colour = "grey60",
                 arrow = arrow(length = unit(5, "pt"))) +
    geom_text(aes(0, from, label = have), hjust = 0, size = 3.8,
              data = functions[functions$have != "", ]) +
    geom_text(aes(3, y, label = want), hjust = 0, size = 3.8, lineheight = 0.9) +
    geom_label(aes(7.3, y, label = call), hjust = 0, size = 4, family = "mono", fontface = "bold",
               fill = "#dce9f5", label.padding = unit(5, "pt")) +
    geom_text(aes(x, y, label = title), verbs, hjust = 0, vjust = 1, size = 3.8,
              fontface = "bold", colour = "steelblue4") +
    geom_text(aes(x, y - 0.4, label = calls), verbs, hjust = 0, vjust = 1, size = 3.2,
              family = "mono", lineheight = 1.05) +
    annotate("text", c(0, 3, 7.3), 9.75, label = c("I have", "I want", "I call"), hjust = 0,
             size = 3.8, fontface = "bold", colour = "steelblue4") +
    annotate("segment", x = 0, xend = 10, y = 4.3, yend = 4.3, colour = "grey80") +
    coord_cartesian(xlim = c(0, 10), ylim = c(-0.2, 9.8), clip = "off") +
    theme_void() +
    theme(plot.margin = margin(8, 8, 8, 8))
}
