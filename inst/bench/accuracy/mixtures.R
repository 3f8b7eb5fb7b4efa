# The mixtures of normals of Marron and Wand (1992), Annals of Statistics 20, 712-736.
mixture <- function(weight, mean, sd) list(weight = weight, mean = mean, sd = sd)
mixtures <- list(
  gaussian = mixture(1, 0, 1),
  skewed = mixture(c(1, 1, 3) / 5, c(0, 1 / 2, 13 / 12), c(1, 2 / 3, 5 / 9)),
  strongly_skewed = mixture(rep(1 / 8, 8), 3 * ((2 / 3)^(0:7) - 1), (2 / 3)^(0:7)),
  kurtotic = mixture(c(2, 1) / 3, c(0, 0), c(1, 0.1)),
  outlier = mixture(c(0.1, 0.9), c(0, 0), c(1, 0.1)),
  bimodal = mixture(c(1, 1) / 2, c(-1, 1), c(2, 2) / 3),
  separated = mixture(c(1, 1) / 2, c(-1.5, 1.5), c(0.5, 0.5)),
  skewed_bimodal = mixture(c(3, 1) / 4, c(0, 1.5), c(1, 1 / 3)),
  trimodal = mixture(c(0.45, 0.45, 0.1), c(-1.2, 1.2, 0), c(0.6, 0.6, 0.25)),
  claw = mixture(c(0.5, rep(0.1, 5)), c(0, (0:4) / 2 - 1), c(1, rep(0.1, 5))),
  double_claw = mixture(c(0.49, 0.49, rep(1 / 350, 7)), c(-1, 1, (-3:3) / 2),
                        c(2 / 3, 2 / 3, rep(0.01, 7))),
  asymmetric_claw = mixture(c(0.5, 2^(1 - (-2:2)) / 31), c(0, (-2:2) + 0.5), c(1, 2^-(-2:2) / 10)),
  asymmetric_double_claw = mixture(c(0.46, 0.46, rep(1 / 300, 3), rep(7 / 300, 3)),
                                   c(-1, 1, -(1:3) / 2, (1:3) / 2),
                                   c(2 / 3, 2 / 3, rep(0.01, 3), rep(0.07, 3))),
  smooth_comb = mixture(2^(5 - (0:5)) / 63, (65 - 96 * 2^-(0:5)) / 21, (32 / 63) / 2^(0:5)),
  discrete_comb = mixture(c(rep(2 / 7, 3), rep(1 / 21, 3)), c((12 * (0:2) - 15) / 7, 2 * (8:10) / 7),
                          c(rep(2 / 7, 3), rep(1 / 21, 3)))
)
