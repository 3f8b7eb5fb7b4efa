# The progress of one fit: in interactive sessions a bar with an estimate of the time that is left,
# from three seconds on. Nothing is written by scripts.

progress <- new.env(parent = emptyenv())

# An expression that tells its steps.
with_progress <- function(expr, what = "Choosing sigma and lambda") {
  progress$total <- progress$done <- 0
  if (!rlang::is_interactive()) return(expr)
  before <- options(cli.progress_show_after = getOption("cli.progress_show_after", 3))
  on.exit(options(before))
  progress$bar <- cli::cli_progress_bar(what, total = 1, clear = TRUE,
                                        auto_terminate = FALSE)
  on.exit({
    cli::cli_progress_done(progress$bar)
    progress$bar <- NULL
  }, add = TRUE)
  expr
}

# More steps are to come, as a search finds out while it goes.
expect_steps <- function(steps) progress$total <- (progress$total %||% 0) + steps

progress_step <- function() {
  progress$done <- (progress$done %||% 0) + 1
  if (is.null(progress$bar)) return(invisible())
  cli::cli_progress_update(set = progress$done, total = max(progress$total, progress$done),
                           id = progress$bar)
}
