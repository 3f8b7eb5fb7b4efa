# Independent tasks one after the other or, with a future plan, in parallel; with progress.

# lapply() over tasks: in parallel where the user has set a plan, with progress where it is wanted.
run_tasks <- function(tasks, do) {
  step <- progress_steps(length(tasks))
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

# Through progressr where it is installed, which shows nothing unless it is asked to, and on the bar
# of the fit.
progress_steps <- function(total) {
  signal <- if (requireNamespace("progressr", quietly = TRUE)) {
    progressr::progressor(steps = total, envir = rlang::caller_env(2))
  }
  expect_steps(total)
  function() {
    if (!is.null(signal)) signal()
    progress_step()
  }
}
