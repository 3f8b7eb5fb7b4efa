# How many landmarks a fit may have, and how much of the kernel they carry.

# Time grows with the rows times the square of the landmarks. Those of small samples are all of use;
# in large ones some hundreds carry what the penalty lets the data say.
large_sample <- 2000
most_in_large_samples <- 1000
negligible_share <- 1e-3  # of the kernel

most_landmarks <- function(control, n) {
  control$max_rank %||% if (n > large_sample) most_in_large_samples else .Machine$integer.max
}

# Tells if the limit, where the user set none, leaves out what may be seen.
tell_limited <- function(prepared) {
  most <- most_landmarks(prepared$control, length(prepared$weights))
  limited <- lengths(lapply(prepared$features, `[[`, "landmarks")) == most
  if (!is.null(prepared$control$max_rank) || !any(limited)) return()
  unseen <- unseen_share(prepared$features[[which(limited)[1]]], prepared$weights)
  if (unseen < negligible_share) return()
  cli::cli_inform(c(
    "{most} landmarks carry {signif(100 * (1 - unseen), 3)} % of the kernel at the
     {length(prepared$weights)} rows.",
    i = "{.code psd_control(max_rank = )} takes more, at a cost that grows with their square."
  ), class = "psd_landmarks")
}

# Of the kernel sections of the rows, the share of the squared length that lies outside the span of
# those of the landmarks. At a landmark nothing does, and all sections are of one length.
unseen_share <- function(features, weights) {
  seen <- colSums(features$values[seq_along(features$landmarks), , drop = FALSE]^2)
  1 - stats::weighted.mean(seen, weights) / max(seen)
}
