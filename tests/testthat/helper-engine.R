# The engine's internals, and what its tests share.
`%||%` <- rlang::`%||%`
psd_features <- function(x, sigma, kernel = "gaussian", control = psd_control(), constant = 0,
                         nodes = FALSE) {
  recipe <- psdmodels:::recipe(ncol(x), sigma, kernel, constant, control$rank_tol %||% 1e-8,
                               psdmodels:::most_landmarks(control, nrow(x)), nodes)
  psdmodels:::make_features(x, list(recipe), list())$features[[1]]
}

psd_block <- psdmodels:::psd_block
linear_block <- psdmodels:::linear_block

# The constraint sum_k weight_k int g_k x^power dmeasure == or <= bound, `weights` one a block.
integral_constraint <- function(measure, bound, weights = 1, power = 0, equality = TRUE) {
  list(measure = measure, bound = bound, weights = weights,
       power = rep_len(power, length(measure$lower)), equality = equality)
}

# W or q with int g x^power dmeasure = exp(log_scale) <A, W>, for features of one scale.
block_integral <- function(block, measure, power) {
  features <- block$features
  psd <- block$type == "psd"
  integrate <- if (psd) psdmodels:::cpp_gram else psdmodels:::cpp_mean_section
  out <- integrate(features$kernel, features$anchors, measure, as.integer(power))
  out$value <- forwardsolve(features$factor, out$value)
  if (psd) out$value <- forwardsolve(features$factor, t(out$value))
  out
}

# With the matrices of its blocks.
resolve_constraint <- function(constraint, blocks) {
  if (!is.null(constraint$integrals)) return(constraint)
  constraint$integrals <- Map(function(block, weight) {
    integral <- block_integral(block, constraint$measure, constraint$power)
    weight * exp(integral$log_scale) * integral$value
  }, blocks, rep_len(constraint$weights, length(blocks)))
  constraint
}

fit_psd <- function(blocks, ..., constraints = list()) {
  psdmodels:::fit_psd(blocks, ..., constraints = lapply(constraints, resolve_constraint, blocks))
}

lebesgue <- function(d = 1, lower = -Inf, upper = Inf) {
  list(lower = rep(lower, d), upper = rep(upper, d), mean = rep(0, d), sd = rep(Inf, d))
}

# The integrals of a function over boxes.
mass_in_boxes <- function(f, measure, lower, upper) {
  psdmodels:::box_integrals(f, measure, as.matrix(lower), as.matrix(upper), 0)
}

neg_log <- list(list(name = "neg_log"))
pinballs <- function(tau) lapply(tau, function(t) list(name = "pinball", tau = t))

# The data of the reference optima.
reference <- local({
  i <- 0:29
  j <- 0:39
  x3 <- matrix(j / 13 + 0.02 * cos(5 * j))
  list(x1 = matrix(i / 10 + 0.03 * sin(7 * i)),
       x2 = cbind(2 * sin(1.3 * j), 2 * cos(2.1 * j + 0.5)),
       x3 = x3,
       y3 = 2 * sin(2 * x3) + (0.3 + 0.25 * x3) * sin(37 * j + 0.4 * j^2),
       y4 = 1 + sin(3 * x3) + 0.3 * cos(11 * j))
})

# One entry a reference optimum: the fit as a function of `control`, and the optimum.
reference_cases <- list(
  "density on the line" = list(optimum = 1.076309789, fit = function(control) {
    fit_psd(list(psd_block(psd_features(reference$x1, 0.08), 0.01, 1e-4)), neg_log, 0,
            constraints = list(integral_constraint(lebesgue(), 1)), control = control)
  }),
  "density on a box" = list(optimum = 0.784783947, fit = function(control) {
    fit_psd(list(psd_block(psd_features(reference$x1, 0.08), 0.001, 1e-5)), neg_log, 0,
            constraints = list(integral_constraint(lebesgue(1, -0.2, 3.2), 1)), control = control)
  }),
  "density in 2-d against a Gaussian" = list(optimum = -0.924820821, fit = function(control) {
    measure <- modifyList(lebesgue(2), list(sd = rep(sqrt(5), 2)))
    fit_psd(list(psd_block(psd_features(reference$x2, 0.5), 0.01, 1e-4)), neg_log, 0,
            constraints = list(integral_constraint(measure, 1)), control = control)
  }),
  "density with a linear block" = list(optimum = 1.123574730, fit = function(control) {
    fit_psd(list(linear_block(psd_features(reference$x1, 0.08), 0.01)), neg_log, 0,
            constraints = list(integral_constraint(lebesgue(), 1)), control = control)
  }),
  "heteroscedastic regression" = list(optimum = 0.508724309, fit = function(control) {
    fit_psd(list(linear_block(psd_features(reference$x3, 0.12), 0.05),
                 psd_block(psd_features(reference$x3, 0.15), 0.02, 2e-4)),
            list(list(name = "hetero")), reference$y3, control = control)
  }),
  "three quantiles" = list(optimum = 0.49041804, fit = function(control) {
    gaps <- psd_block(psd_features(reference$x3, 0.15), 0.01, 1e-4)
    fit_psd(list(linear_block(psd_features(reference$x3, 0.12), 0.02), gaps, gaps),
            pinballs(c(0.1, 0.5, 0.9)), cbind(reference$y3, reference$y3, reference$y3),
            mixing = cbind(1, c(-1, 0, 0), c(0, 0, 1)), control = control)
  }),
  "squared loss" = list(optimum = 0.163812558, fit = function(control) {
    fit_psd(list(psd_block(psd_features(reference$x3, 0.1), 0.01, 1e-4)),
            list(list(name = "squared")), reference$y4, control = control)
  })
)

# Every registered loss: its specification, responses to try, interior points of the conjugate's
# domain for a response, and a transformation from the plane to the domain of the loss.
loss_cases <- list(
  neg_log = list(spec = list(name = "neg_log"), y = 0,
                 dual = function(y) list(-0.1, -1, -7), domain = exp),
  squared = list(spec = list(name = "squared"), y = c(-1.3, 2),
                 dual = function(y) list(-2, 0.3, 5), domain = identity),
  poisson = list(spec = list(name = "poisson"), y = c(0, 1, 6),
                 dual = function(y) list(-4, 0.2, 0.9), domain = exp),
  pinball = list(spec = list(name = "pinball", tau = 0.3), y = c(-1, 0.5),
                 dual = function(y) list(-0.29, 0, 0.65), domain = identity),
  absolute = list(spec = list(name = "absolute"), y = c(-1, 0.5),
                  dual = function(y) list(-0.97, 0, 0.6), domain = identity),
  huber = list(spec = list(name = "huber", delta = 0.8), y = c(-1.3, 2),
               dual = function(y) list(-0.75, 0.1, 0.6), domain = identity),
  nonnegative = list(spec = list(name = "nonnegative"), y = 0,
                     dual = function(y) list(-3, -0.1), domain = exp),
  hetero = list(spec = list(name = "hetero"), y = c(-0.7, 0, 2),
                dual = function(y) list(c(0, -0.5), c(0.4, -1 - abs(y)), c(-y, -y^2 / 2 - 2)),
                domain = function(t) c(t[1], exp(t[2])))
)
each_loss_point <- function(case, do) {
  for (y in case$y) for (a in case$dual(y)) do(as.numeric(a), y)
}
