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

# Who has set a plan has loaded its package; to load it here would take longer than a small fit.
parallel_plan <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), "sequential") &&
    requireNamespace("future.apply", quietly = TRUE)
}

# Through progressr where it is loaded, which shows nothing unless it is asked to, and on the bar of
# the fit.
progress_steps <- function(total) {
  signal <- if (isNamespaceLoaded("progressr")) {
    progressr::progressor(steps = total, envir = rlang::caller_env(2))
  }
  expect_steps(total)
  function() {
    if (!is.null(signal)) signal()
    progress_step()
  }
}
