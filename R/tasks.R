# Independent tasks one after the other or, with a future plan, in parallel; with progress.

# lapply() over tasks: in parallel where the user has set a plan, with progress where it is wanted.
run_tasks <- function(tasks, do, what = "Tuning") {
  step <- progress_steps(length(tasks), what)
  work <- function(task) {
    out <- do(task)
    step()
    out
  }
  if (parallel_plan()) future.apply::future_lapply(tasks, work, future.seed = TRUE)
  else lapply(tasks, work)
}

parallel_plan <- function() {
  requireNamespace("future.apply", quietly = TRUE) &&
    !inherits(future::plan(), "sequential")
}

progress_steps <- function(total, what) {
  if (requireNamespace("progressr", quietly = TRUE)) {
    signal <- progressr::progressor(steps = total, envir = rlang::caller_env(2))
    return(function() signal())
  }
  if (!interactive()) return(function() NULL)
  bar <- cli::cli_progress_bar(what, total = total, .envir = rlang::caller_env(2))
  function() cli::cli_progress_update(id = bar)
}
