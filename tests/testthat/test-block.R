# The contract of a block, over all kinds: what the solvers rely on.
set.seed(21)
n <- 14
r <- 4
x <- sort(runif(n))
v <- t(sapply(1:r, function(k) exp(-(x - k / 5)^2 / 0.1)))
symmetric <- function(m) (m + t(m)) / 2
w1 <- crossprod(matrix(rnorm(r^2), r)) / r
w2 <- symmetric(matrix(rnorm(r^2), r))
vectors <- list(cbind(runif(r)), cbind(rnorm(r)))

blocks <- list(
  psd = list(block = list(type = "psd", values = v, nodes = NULL, l1 = 0.1, l2 = 0.3,
                          offset = NULL),
             integrals = list(w1, w2)),
  "psd, offset" = list(block = list(type = "psd", values = v, nodes = NULL, l1 = 0.1, l2 = 0.3,
                                    offset = 0.1 * w2), integrals = list(w1, w2)),
  "psd, one constraint not its own" = list(
    block = list(type = "psd", values = v, nodes = NULL, l1 = 0.1, l2 = 0.3,
                          offset = NULL),
    integrals = list(w1, NULL)),
  "psd, many features" = list(
    block = list(type = "psd", values = v[, 1:5], nodes = NULL, l1 = 0.1, l2 = 0.3,
                          offset = NULL),
    integrals = list(w1, w2)),
  linear = list(block = list(type = "linear", values = v, l2 = 0.4), integrals = vectors),
  conic = list(block = list(type = "conic", values = v, l2 = 0.4,
                            generators = v[, c(1, 4, 8, 11, 14)]),
               integrals = vectors),
  partial = list(block = list(type = "partial", values = v, l2 = 0.4), integrals = vectors)
)

# A point where g is not zero, and a direction.
point <- function(case) {
  set.seed(22)
  n <- ncol(case$block$values)
  list(b = -runif(n, 0.2, 1.5), nu = c(0.3, -0.2), db = rnorm(n), dnu = rnorm(2))
}
at <- function(case, p, barrier = 0, t = 0) {
  psdmodels:::cpp_block_at(case$block, case$integrals, p$b, p$nu, p$db, p$dnu, t, barrier)
}
moved <- function(p, t) modifyList(p, list(b = p$b + t * p$db, nu = p$nu + t * p$dnu))

for (name in names(blocks)) for (barrier in c(0, 0.05)) {
  case <- blocks[[name]]
  p <- point(case)
  label <- paste0(name, if (barrier > 0) ", smoothed")

  test_that(paste0(label, ": values and integrals are minus the gradient of the conjugate"), {
    here <- at(case, p, barrier)
    expect_false(here$vanishes)
    h <- 1e-5
    for (k in seq_along(p$b)) {
      e <- modifyList(p, list(db = replace(0 * p$b, k, 1), dnu = c(0, 0)))
      difference <- at(case, moved(e, h), barrier)$value - at(case, moved(e, -h), barrier)$value
      expect_equal(here$values[k], -difference / (2 * h), tolerance = 1e-5)
    }
    for (k in seq_along(p$nu)) {
      e <- modifyList(p, list(db = 0 * p$b, dnu = replace(c(0, 0), k, 1)))
      difference <- at(case, moved(e, h), barrier)$value - at(case, moved(e, -h), barrier)$value
      expect_equal(here$integrals[k], -difference / (2 * h), tolerance = 1e-5)
    }
  })

  test_that(paste0(label, ": the conjugate along a line is the conjugate there"), {
    t <- c(0, 0.2, -0.1, 1)
    there <- vapply(t, function(s) at(case, moved(p, s), barrier)$value, 0)
    expect_equal(at(case, p, barrier, t)$along, there, tolerance = 1e-8)
  })

  test_that(paste0(label, ": the Hessian moves the gradient, and its matrix is the same"), {
    here <- at(case, p, barrier)
    h <- 1e-5
    up <- at(case, moved(p, h), barrier)
    down <- at(case, moved(p, -h), barrier)
    expect_equal(here$curve_b, -(up$values - down$values) / (2 * h), tolerance = 1e-4)
    expect_equal(here$curve_nu, -(up$integrals - down$integrals) / (2 * h), tolerance = 1e-4)
    alone <- at(case, modifyList(p, list(dnu = c(0, 0))), barrier)
    expect_equal(drop(here$curvature %*% p$db), alone$curve_b, tolerance = 1e-5)
  })

  test_that(paste0(label, ": the primal point satisfies Fenchel's equality, nearly if smoothed"), {
    here <- at(case, p, barrier)
    if (barrier == 0) {
      expect_equal(here$values_of, here$values, tolerance = 1e-10)
      expect_equal(here$integrals_of, here$integrals, tolerance = 1e-10)
    }
    exact <- at(case, p)$value  # the conjugate without a barrier bounds every primal point
    excess <- exact + here$penalty + sum(p$b * here$values_of) + sum(p$nu * here$integrals_of)
    expect_gte(excess, -1e-10)
    expect_lte(excess, if (barrier == 0) 1e-10 else barrier)
  })
}

for (name in names(blocks)) {
  case <- blocks[[name]]
  p <- point(case)

  test_that(paste0(name, ": an orthonormal change of features changes nothing"), {
    basis <- qr.Q(qr(matrix(rnorm(r^2), r)))
    same <- psdmodels:::cpp_block_restricted(case$block, case$integrals, basis, p$b, p$nu)
    expect_identical(is.null(same), case$block$type != "psd")
    if (!is.null(same)) {
      here <- at(case, p)
      expect_equal(same[c("value", "values", "integrals")], here[c("value", "values", "integrals")])
      expect_equal(tcrossprod(basis %*% same$coefficients), tcrossprod(here$coefficients))
    }
  })

  test_that(paste0(name, ": a repair reaches the bound and stays in the set"), {
    here <- at(case, p)
    own <- !vapply(case$integrals, is.null, NA)
    few <- case$integrals[own]
    bound <- here$integrals[own] + c(0.01, -0.01)[own] * max(abs(here$integrals))
    out <- psdmodels:::cpp_block_repaired(case$block, few, here$coefficients, bound, 3)
    expect_equal(out$integrals, bound, tolerance = 1e-9)
    if (case$block$type %in% c("psd", "partial")) expect_gte(min(out$values), -1e-9)
  })
}

test_that("a function vanishes where nothing asks for it", {
  for (name in c("psd", "conic")) {
    case <- blocks[[name]]
    p <- modifyList(point(case), list(b = rep(1, n), nu = c(0.1, 0)))
    here <- at(case, p)
    expect_true(here$vanishes)
    expect_equal(here$values, numeric(n))
    expect_identical(here$value, 0)
  }
})

test_that("at an assumed root the block stands as at the optimum, and near it up to first order", {
  for (name in c("psd", "psd, offset", "psd, one constraint not its own")) {
    case <- blocks[[name]]
    p <- point(case)
    assumed <- function(root) {
      psdmodels:::cpp_block_assumed(case$block, case$integrals, root, p$b, p$nu, p$db, p$dnu)
    }
    here <- at(case, p)
    same <- assumed(here$coefficients)
    for (field in names(same)) expect_equal(same[[field]], here[[field]], tolerance = 1e-8)
    # A root that is off by h, assumed at a point whose optimum is `here`.
    set.seed(23)
    off <- matrix(rnorm(length(here$coefficients)), nrow(here$coefficients))
    error <- vapply(c(1e-2, 1e-3), function(h) {
      max(abs(assumed(here$coefficients + h * off)$values - here$values))
    }, 0)
    expect_lt(error[2], error[1] / 50)  # the square of ten, not ten
    plain <- here$coefficients + 1e-3 * off
    expect_lt(error[2], max(abs(colSums(crossprod(plain, case$block$values)^2) - here$values)) / 20)
  }
})
