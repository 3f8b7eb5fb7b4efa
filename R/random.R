# Random draws with the manners of stats::simulate(): without a seed they go on from the current
# state; with one they start from it, and the user's own state is put back afterwards. What made
# the draws is their attribute "seed".
with_seed <- function(seed, draws) {
  user <- globalenv()
  if (!exists(".Random.seed", envir = user, inherits = FALSE)) stats::runif(1)
  before <- get(".Random.seed", envir = user)
  state <- before
  if (!is.null(seed)) {
    on.exit(assign(".Random.seed", before, envir = user))
    set.seed(seed)
    state <- structure(seed, kind = as.list(RNGkind()))
  }
  attr(draws, "seed") <- state  # draws are made here: `draws` is a promise until now
  draws
}
