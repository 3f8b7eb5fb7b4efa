# Marginals for a matrix of pictures. Those of a density of many sections, as several widths at each
# landmark have, take a time that goes with the third power of their number: sections that nobody
# would see are left out.

# What all panels share: the marginals of one variable, and their ranges.
with_marginals <- function(spec, x) {
  spec$marginals[spec$columns] <- lapply(spec$columns, function(column) shown_marginal(x, column))
  spec$ranges[spec$columns] <- lapply(spec$marginals[spec$columns], plot_range)
  spec
}

shown_marginal <- function(x, columns, many = 500) {
  f <- x$functions[[1]]
  if (f$type == "psd" && nrow(f$coefficients) > many && !is_turned(x)) {
    x$functions[[1]] <- without_small(f, x$measure, columns)
  }
  psd_marginal(x, columns)
}

# The function without sections that, added up where they are, are below `tol` of the largest in its
# marginal of these columns: |R'v| changes by no more.
without_small <- function(f, measure, columns, tol = 1e-3) {
  size <- marginal_sizes(f, measure, columns)
  for (level in 10^-(3:9)) {
    small <- which(size < level)
    if (length(small) == 0) break
    anchors <- take_rows_of(take_anchors(f$anchors, columns), small)
    there <- crossprod(exp(cpp_log_sections(f$kernel, anchors, anchors$at)), size[small])
    if (max(there) > tol) next
    f$anchors <- take_rows_of(f$anchors, -small)
    f$coefficients <- f$coefficients[-small, , drop = FALSE]
    break
  }
  f
}

take_rows_of <- function(anchors, rows) lapply(anchors, function(a) a[rows, , drop = FALSE])

# Of each section the root of its own integral over the other columns, relative to the largest.
marginal_sizes <- function(f, measure, columns) {
  log_size <- log(rowSums(f$coefficients^2)) / 2
  for (k in setdiff(seq_along(measure$lower), columns)) {
    weight <- c(measure$lower[k], measure$upper[k], measure$mean[k], measure$sd[k])
    section <- cbind(f$anchors$at[, k], f$anchors$width[, k])
    masses <- apply(section, 1, function(own) cpp_kernel_product(f$kernel, own, own, weight)[1])
    log_size <- log_size + masses / 2
  }
  exp(log_size - max(log_size))
}
