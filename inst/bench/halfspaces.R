# Regression in a cone given by half-spaces: seconds (CPU), Newton steps, the gap, and how many of a
# million random points leave the cone.
library(psdmodels)

set.seed(1)
n <- 200
x <- matrix(runif(2 * n), n)
noise <- matrix(0.1 * rnorm(3 * n), n)
cones <- list(
  simplicial = list(normals = cbind(c(-1, 1, 0), c(0, -1, 1), c(1, 0, 0)),  # 0 <= a <= b <= c
                    y = cbind(a = 0.5, b = x[, 1], c = 0.8 - 0.3 * x[, 2]) + noise),
  pyramid = list(normals = cbind(c(1, 0, 1), c(1, 0, -1), c(1, 1, 0), c(1, -1, 0)),  # |b|, |c| <= a
                 y = cbind(a = 0.3, b = x[, 1] - 0.5, c = 0.8 * x[, 2] - 0.3) + noise)
)

run <- function(cone, loss, lambda) {
  case <- cones[[cone]]
  seconds <- system.time(
    fit <- psd_regression(x = x, y = case$y, cone = psd_cone(halfspaces = case$normals), sigma = 1,
                          loss = loss, lambda = lambda)
  )
  new <- cbind(runif(1e6, -0.5, 1.5), runif(1e6, -0.5, 1.5))
  outputs <- suppressWarnings(predict(fit, new))
  outside <- apply(outputs %*% case$normals < -1e-14 * max(abs(outputs)), 1, any)
  data.frame(cone = cone, loss = loss, lambda = lambda, seconds = sum(seconds[1:2]),
             steps = fit$iterations, status = fit$status, objective = fit$objective, gap = fit$gap,
             outside = sum(outside))
}
cases <- expand.grid(cone = names(cones), loss = c("squared", "absolute"), lambda = c(1e-2, 1e-3),
                     stringsAsFactors = FALSE)
print(do.call(rbind, Map(run, cases$cone, cases$loss, cases$lambda)), row.names = FALSE)
