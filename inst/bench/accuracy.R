# Rscript accuracy.R [section=all] [case=all] [method=all] [n=] [samples=1] [table=]: how good the
# estimates are at defaults, against rivals at theirs. Sections: marron_wand, bounds, multivariate,
# quantiles, hetero, data.
# `n`: of the sample sizes of a case those among these, such as n=100,400; else all, or of a single
# sample the smallest.
# With `table` the results are written to that file, one row a case, sample size, method and score;
# rows of other cases and sizes, and of other methods if some are asked for, stay; ranks are among
# all of a case and size.
suppressPackageStartupMessages(library(psdmodels))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
for (part in c("mixtures", "cases", "methods", "scores")) {
  source(file.path(here, "accuracy", paste0(part, ".R")))
}

arguments <- strsplit(commandArgs(TRUE), "=")
arguments <- stats::setNames(lapply(arguments, `[`, 2), vapply(arguments, `[`, "", 1))
option <- function(name, default) if (is.null(arguments[[name]])) default else arguments[[name]]
asked <- strsplit(option("section", "all"), ",")[[1]]
if (identical(asked, "all")) asked <- names(sections)
samples <- as.integer(option("samples", 1))
quick <- samples == 1 # then the smallest sample size only

numbers_in <- function(text) as.numeric(strsplit(text, ",")[[1]])

# One entry a training set: what to fit, what to score on.
trials <- function(case) {
  if (!is.null(case$data)) return(fold_trials(case$data()))
  sizes <- if (!is.null(arguments$n)) intersect(case$n, numbers_in(arguments$n))
           else if (quick) case$n[1] else case$n
  runs <- expand.grid(sample = seq_len(samples), n = sizes)
  Map(function(sample, n) {
    set.seed(sample)
    list(n = n, train = case$draw(n), test = if (is.null(case$nodes)) case$draw(5000))
  }, runs$sample, runs$n)
}
fold_trials <- function(data, folds = 5) {
  if (is.null(data)) return(list())
  set.seed(1)
  fold <- sample(rep_len(seq_len(folds), nrow(data)))
  lapply(if (quick) 1 else seq_len(folds), function(k) {
    list(n = nrow(data), train = data[fold != k, , drop = FALSE], test = data[fold == k, , drop = FALSE])
  })
}

# The scores and seconds of one method on one trial; NULL if it fails.
attempt <- function(method, case, trial) {
  start <- sum(proc.time()[1:2])
  out <- tryCatch(quietly({
    set.seed(1)
    predict <- switch(case$task, density = method$fit(trial$train, case$box),
                      quantile = method$fit(trial$train, levels_fitted), method$fit(trial$train))
    seconds <- sum(proc.time()[1:2]) - start
    scores[[case$task]](predict, case, trial$test)
  }), error = function(e) {
    cat("   fails:", conditionMessage(e), "\n")
    NULL
  })
  if (is.null(out)) return(NULL)
  data.frame(n = trial$n, score = names(out), value = out, seconds = seconds)
}

run_case <- function(section, name) {
  case <- sections[[section]][[name]]
  all <- trials(case)
  if (length(all) == 0) return(NULL)
  width <- NCOL(all[[1]]$train) - (case$task != "density")
  sizes <- vapply(all, `[[`, 0, "n")
  usable <- Filter(function(m) installed[[m$package]] && width <= m$max_dim && min(sizes) <= m$max_n,
                   methods[[case$task]])
  if (!is.null(arguments$method)) usable <- usable[names(usable) %in% strsplit(arguments$method, ",")[[1]]]
  parts <- lapply(names(usable), function(method) {
    some <- all[sizes <= usable[[method]]$max_n]
    rows <- do.call(rbind, lapply(some, attempt, method = usable[[method]], case = case))
    # Folds of real data differ in how hard they are: who fails on one is not compared on the others.
    failed <- is.null(rows) || !is.null(case$data) && sum(rows$score == rows$score[1]) < length(all)
    if (failed) cat(sprintf("%s fails on %s\n", method, name))
    if (!failed) cbind(section, task = case$task, case = name, method, rows)
  })
  out <- do.call(rbind, parts)
  if (is.null(out)) return(NULL)
  first <- out[out$score == out$score[1], ]
  mean <- tapply(first$value, paste0(first$method, " (", first$n, ")"), mean)
  cat(sprintf("%-24s %s\n", name, paste(names(mean), signif(mean, 3), collapse = ", ")))
  out
}

packages <- unique(unlist(lapply(methods, lapply, `[[`, "package")))
installed <- lapply(stats::setNames(packages, packages), requireNamespace, quietly = TRUE)
for (p in packages[!unlist(installed)]) cat(p, "is not installed: skipped\n")

rows <- do.call(rbind, lapply(asked, function(section) {
  cat("==", section, "\n")
  cases <- names(sections[[section]])
  wanted <- strsplit(option("case", paste(cases, collapse = ",")), ",")[[1]]
  do.call(rbind, lapply(intersect(cases, wanted), run_case, section = section))
}))
if (is.null(rows)) {
  cat("nothing to compare\n")
  quit()
}

# The table: mean and standard error over the samples.
by <- rows[c("section", "task", "case", "n", "method", "score")]
cells <- aggregate(rows["value"], by, function(v) c(mean = mean(v), se = sd(v) / sqrt(length(v)), samples = length(v)))
cells <- cbind(cells[names(by)], cells$value, seconds = aggregate(rows["seconds"], by, mean)$seconds)
with_ranks <- function(cells) {
  ranked <- interaction(cells[c("section", "case", "n", "score")], drop = TRUE)
  cells$rank <- ave(cells$mean, ranked, FUN = rank)
  cells[do.call(order, cells[c("section", "case", "n", "score", "rank")]), ]
}
cells <- with_ranks(cells)

# A method's summary: over the cases of a section, by sample size where the cases share them.
cells$size <- ifelse(cells$section %in% c("multivariate", "data"), "all", cells$n)
cells$log <- ifelse(cells$score %in% c("NLL", "NLPD"), NA, log(pmax(cells$mean, 1e-6)))
groups <- cells[c("method", "score", "size", "task", "section")]
summary <- aggregate(cells[c("rank", "log", "seconds")], groups, mean, na.action = NULL)
summary$cases <- aggregate(cells["rank"], groups, length)$rank
summary$geometric_mean <- exp(summary$log)
summary <- summary[order(match(summary$section, names(sections)), summary$task, summary$score,
                         nchar(summary$size), summary$size, summary$rank), ]
shown <- c("section", "task", "size", "score", "method", "rank", "geometric_mean", "seconds", "cases")
summary[c("rank", "geometric_mean", "seconds")] <- lapply(summary[c("rank", "geometric_mean", "seconds")], signif, 3)
cat("\nMean rank, geometric mean of the score, seconds a fit\n")
print(summary[shown], row.names = FALSE)

if (!is.null(arguments$table)) {
  cells[c("log", "size")] <- NULL
  numbers <- c("mean", "se", "seconds")
  cells[numbers] <- lapply(cells[numbers], signif, 4)
  if (file.exists(arguments$table)) {
    old <- utils::read.csv(arguments$table)
    place <- function(table) paste(table$section, table$case, table$n)
    of <- function(table) paste(place(table), if (!is.null(arguments$method)) table$method)
    touched <- place(old) %in% place(cells)
    kept <- touched & !of(old) %in% of(cells)
    cells <- rbind(old[!touched, ], with_ranks(rbind(old[kept, names(cells)], cells)))
  }
  utils::write.csv(cells, arguments$table, row.names = FALSE)
}
