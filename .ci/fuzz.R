# Rscript .ci/fuzz.R N SEED [CASE]: N random calls of the fitting functions, on data of all kinds,
# and of the verbs of what they return. Each must give a fit that keeps its promises
# (.ci/fuzz/checks.R) or a classed condition that names the argument, within 20 seconds. A case is
# made from its seed and its number alone; each runs in a process of its own, so that a crash or a
# loop without end is found and the rest goes on. FROM=k in the environment begins at the k-th.
suppressPackageStartupMessages(library(psdmodels))
for (file in list.files(file.path(".ci", "fuzz"), full.names = TRUE)) source(file)
`%||%` <- rlang::`%||%`

limit <- as.numeric(Sys.getenv("LIMIT", "20"))  # seconds of computing a call

# Of this process, so that others on the machine do not count.
used_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

seconds_of <- function(pid) {
  out <- suppressWarnings(system2("ps", c("-o", "times=", "-p", pid), stdout = TRUE))
  if (length(out) == 0) Inf else as.numeric(out)
}

# list(data =, call =, verbs =), from these two numbers alone; what is drawn later starts from them
# once more, whatever the fit drew.
make_case <- function(seed, case) {
  start <- 1e5 * (seed %% 20000) + case
  set.seed(start)
  data <- random_data()
  call <- random_call(data)
  call <- with_extras(call, data, count_predictors(data))
  verbs <- random_verbs()
  # Drawn last, and not in the cases of seeds that were in use before.
  if (seed >= 400) call <- with_more(call, data, count_predictors(data))
  if (seed >= 8000) {
    data <- with_groups(data)
    call <- with_late(call, data, count_predictors(data))
  }
  list(data = data, call = call, verbs = verbs, start = start)
}

run_case <- function(seed, case) {
  made <- make_case(seed, case)
  data <- made$data
  call <- made$call
  log <- list2env(new_log())
  begin <- used_seconds()
  grDevices::pdf(NULL)
  fit <- watched(log, "fit", eval(call))
  ok <- inherits(fit, "psd_fit")
  if (ok) {
    fit$call <- call
    set.seed(made$start)
    check_fit(log, fit, data)
    check_verbs(log, fit, data, made$verbs)
    if (seed >= 8000) late_checks(log, fit)
  }
  groups <- inherits(fit, "psd_densities")
  if (groups) {
    set.seed(made$start)
    check_groups(log, fit, data)
  }
  seconds <- used_seconds() - begin
  outcome <- if (!ok && !groups) "error" else if (isTRUE(log$stopped)) "stopped" else "fit"
  list(outcome = outcome, found = log$found(), call = deparse1(call), n = nrow(data),
       seconds = seconds, status = if (ok) fit$status else NA, warned = length(log$conditions) > 0)
}

# In a process of its own.
run_apart <- function(seed, case) {
  job <- parallel::mcparallel(run_case(seed, case), silent = TRUE)
  repeat {
    result <- parallel::mccollect(job, wait = FALSE, timeout = limit)
    if (!is.null(result) || seconds_of(job$pid) > 6 * limit) break
  }
  if (is.null(result)) {
    tools::pskill(job$pid, tools::SIGKILL)
    parallel::mccollect(job)
    return(failed_case(seed, case, "no end within 120 s"))
  }
  result <- result[[1]]
  suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = 5))
  if (!is.list(result)) return(failed_case(seed, case, paste("crash:", result)))
  result
}

failed_case <- function(seed, case, message) {
  made <- make_case(seed, case)
  list(outcome = "crash", found = data.frame(what = "fit", message = message),
       call = deparse1(made$call), n = nrow(made$data), seconds = NA, status = NA,
       warned = FALSE)
}

report <- function(seed, case, result) {
  for (i in seq_len(NROW(result$found))) {
    cat(sprintf("make fuzz SEED=%d CASE=%d  # %s: %s | %s (n = %d)\n", seed, case,
                result$found$what[i], result$found$message[i], substr(result$call, 1, 300),
                result$n))
  }
}

# One line of counts; a batch that is stopped has told the last hundred.
tally <- function(seed, results) {
  outcome <- vapply(results, `[[`, "", "outcome")
  seconds <- vapply(results, function(r) as.numeric(r$seconds), 0)
  cat(sprintf("%d calls (seed %d): %d fits, %d of them stopped early with a warning,",
              length(results), seed, sum(outcome %in% c("fit", "stopped")),
              sum(outcome == "stopped")),
      sprintf("%d classed errors,", sum(outcome == "error")),
      sprintf("%d with classed warnings,", sum(vapply(results, `[[`, NA, "warned"))),
      sprintf("%d crashes; %d cases with faults; slowest %.1f s\n", sum(outcome == "crash"),
              sum(vapply(results, has_fault, NA)), max(seconds, 0, na.rm = TRUE)))
}

has_fault <- function(result) NROW(result$found) > 0

arguments <- as.integer(commandArgs(TRUE))
count <- arguments[1]
seed <- arguments[2]
from <- as.integer(Sys.getenv("FROM", "1"))
if (length(arguments) > 2) {
  result <- run_case(seed, arguments[3])
  report(seed, arguments[3], result)
  cat(result$call, "\n", result$outcome, result$status, "\n")
  results <- list(result)
} else {
  results <- list()
  for (case in seq(from, count)) {
    result <- run_apart(seed, case)
    report(seed, case, result)
    results[[length(results) + 1]] <- result
    if (case %% 100 == 0 && case < count) tally(seed, results)
  }
}
tally(seed, results)
if (any(vapply(results, has_fault, NA))) quit(status = 1)
