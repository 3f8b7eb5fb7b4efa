# Whether three R functions are a convex loss, its prox and its conjugate, as far as points can
# tell.

check_own_loss <- function(functions, y, call = rlang::caller_env()) {
  y <- unique(y)
  y <- y[unique(round(seq(1, length(y), length.out = min(length(y), 9))))]
  points <- loss_points(y)
  p <- asked(functions, "prox", points, call)
  at <- list(u = p, y = points$y)
  value <- asked(functions, "value", at, call)
  if (!all(is.finite(p)) || !all(is.finite(value))) {
    disagree("{.arg prox} must return finite points at which {.arg value} is finite",
             points, which(!is.finite(p) | !is.finite(value))[1], call)
  }
  check_prox(functions, points, p, value, call)
  check_conjugate(functions, points, p, value, call)
}

# Points spread like normal draws around each response, without touching the random numbers.
loss_points <- function(y, count = 12) {
  normal <- stats::qnorm(((seq_len(count) * 0.618034) %% 1) * 0.98 + 0.01)
  grid <- expand.grid(normal = normal, y = y, step = c(0.1, 1, 10))
  list(u = grid$y + 2 * (1 + abs(grid$y)) * grid$normal, y = grid$y, step = grid$step)
}

asked <- function(functions, part, points, call) {
  out <- tryCatch(do.call(functions[[part]], unname(points)), error = function(e) {
    abort(c("{.arg {part}} of the loss failed.", x = conditionMessage(e)), call = call)
  })
  if (!is.numeric(out) || length(out) != length(points[[1]]) || anyNA(out)) {
    abort("{.arg {part}} of the loss must return one number per observation (no {.val {NA}}), not
           {.obj_type_friendly {out}} of length {length(out)} for {length(points[[1]])}
           observations.", call = call)
  }
  out
}

# At points near and far no value of the objective of the prox is lower than at p; and the value at
# the middle of two points is at most the mean.
check_prox <- function(functions, points, p, value, call) {
  objective <- points$step * value + (p - points$u)^2 / 2
  for (shift in c(-3, -0.3, -0.01, 0.01, 0.3, 3)) {
    q <- p + shift
    other <- asked(functions, "value", list(u = q, y = points$y), call)
    middle <- asked(functions, "value", list(u = (p + q) / 2, y = points$y), call)
    bent <- which(middle > (value + other) / 2 + loss_slack(value))
    if (length(bent) > 0) disagree("{.arg value} must be convex", points, bent[1], call)
    worse <- which(objective > points$step * other + (q - points$u)^2 / 2 + loss_slack(objective))
    if (length(worse) > 0) {
      disagree(paste0("{.arg prox} must minimise {.code step * value(p, y) + (p - u)^2 / 2} over ",
                      "p: ", signif(q[worse[1]], 5), " is better than its ",
                      signif(p[worse[1]], 5)),
               points, worse[1], call)
    }
  }
}

check_conjugate <- function(functions, points, p, value, call) {
  a <- (points$u - p) / points$step
  conjugate <- asked(functions, "conjugate", list(a = a, y = points$y), call)
  outside <- which(is.infinite(conjugate))
  if (length(outside) > 0) {
    disagree(paste0("{.arg conjugate} must be finite at {.code (u - prox(u, y, step)) / step}, ",
                    "here ", format(a[outside[1]], digits = 12), "; the boundary of its domain is ",
                    "reached up to rounding, so leave a margin such as 1e-10"),
             points, outside[1], call)
  }
  wrong <- which(abs(value + conjugate - a * p) > loss_slack(abs(value) + abs(a * p)))
  if (length(wrong) > 0) {
    i <- wrong[1]
    disagree(paste0("{.arg conjugate} must be the conjugate of {.arg value}: at a = ",
                    signif(a[i], 5), " it must be ", signif(a[i] * p[i] - value[i], 5), ", not ",
                    signif(conjugate[i], 5)), points, i, call)
  }
}

loss_slack <- function(size) 1e-6 * pmax(1, abs(size))

disagree <- function(message, points, i, call) {
  where <- paste0("at u = ", signif(points$u[i], 5), ", y = ", signif(points$y[i], 5), ", step = ",
                  points$step[i])
  abort(c(paste0(message, "."), x = "This fails {where}."), class = "psd_loss_error", call = call)
}
