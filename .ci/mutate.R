# Rscript .ci/mutate.R N SEED: N random mutants of R/, each with one operator or constant changed,
# and the tests of the files that go by its name. A mutant that they all pass survives: it is
# printed.
#
# Nothing is installed anew: the changed function is put into the namespace of the installed
# package, so that a mutant costs no more than its tests. One without end within five minutes
# counts as killed.
suppressPackageStartupMessages(library(testthat))
options(warn = 1)
Sys.setenv(NOT_CRAN = "true")

swaps <- list("+" = "-", "-" = "+", "*" = "/", "/" = "*", "<" = ">=", ">" = "<=", "<=" = ">",
              ">=" = "<", "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&", "&" = "|", "|" = "&",
              "%*%" = "*", "%in%" = "!=", "any" = "all", "all" = "any", "min" = "max",
              "max" = "min", "pmin" = "pmax", "pmax" = "pmin", "TRUE" = "FALSE", "FALSE" = "TRUE")

# Tokens that can be changed, as data frame(file, line, col1, col2, text, new).
mutable <- function(file) {
  data <- utils::getParseData(parse(file, keep.source = TRUE))
  tokens <- data[data$terminal, ]
  text <- tokens$text
  new <- unname(vapply(text, function(t) swaps[[t]] %||% "", ""))
  number <- tokens$token == "NUM_CONST" & grepl("^[0-9.]+$", text)
  new[number] <- as.character(as.numeric(text[number]) + 1)
  # Defaults such as `function(min = 0)` name arguments: only calls of these count.
  plain <- !(tokens$token %in% c("SYMBOL_SUB", "SYMBOL_FORMALS", "SYMBOL", "STR_CONST"))
  kept <- nzchar(new) & plain & !(number & is_template(data, tokens))
  data.frame(file = rep(file, sum(kept)), line = tokens$line1[kept], from = tokens$col1[kept],
             to = tokens$col2[kept], text = text[kept], new = new[kept])
}
`%||%` <- rlang::`%||%`

# Whether tokens are arguments of vapply(): the last of these says of which type its values are, and
# any number does.
is_template <- function(data, tokens) {
  parent <- function(id) data$parent[match(id, data$id)]
  called <- data[data$token == "SYMBOL_FUNCTION_CALL" & data$text == "vapply", ]
  parent(tokens$parent) %in% parent(called$parent)
}

# The tests that go by the name of a file, or by the longest part of it that has any.
tests_of <- function(file) {
  stems <- sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-.*[.]R$"))
  name <- sub("[.]R$", "", basename(file))
  special <- list(units = c("units", "transform"), "check-rows" = c("mold", "mistakes"),
                  pipeline = c("units", "table"), settings = "mistakes", newdata = "newdata",
                  solve = c("fit", "widths"), prepare = "fit", problem = "table",
                  psd_fit = "table", fitted = "fit", graphics = "drawn-density",
                  functional = "psd_constraint",
                  feasible = "psd_constraint", control = c("check", "fit"), models = "table",
                  tasks = "tune", "function" = c("density-predict", "model-pnm"),
                  fit = c("fit", "model-ncm"), forge = c("forge", "newdata"),
                  "density-prob" = c("density-predict", "density-algebra", "transform"),
                  "density-moments" = c("density-predict", "density-algebra", "transform"),
                  "density-mode" = "density-hdr", "density-marginals" = "density-plot",
                  "density-divergence" = "density-product",
                  "function-grid" = c("density-hdr", "density-product"),
                  "check-size" = c("units", "transform", "pipeline"),
                  psd_density = c("psd_density", "transform", "widths"),
                  "problem-density" = c("fit", "psd_density", "widths"),
                  features = c("features", "fit", "widths"), "boot-predict" = "psd_boot",
                  "conformal-predict" = "psd_conformal",
                  "function-integral" = c("density-predict", "density-algebra"),
                  "function-draw" = c("density-simulate", "function-reject"),
                  "function-exp" = c("model-glm", "density-simulate"),
                  "function-product" = "density-product",
                  "function-sum" = c("solve-average", "density-algebra"),
                  "densities-methods" = "psd_densities",
                  psd_integral = c("psd_regression", "regression-methods", "solve-halfspaces"),
                  variables = c("slice", "hetero-plot", "regression-plot", "drawn-regression"),
                  turn = c("turn-boxes", "shape"), "turn-boxes" = c("turn-boxes", "shape"),
                  measure = c("psd_density", "density-predict"),
                  "problem-intensity" = c("psd_intensity", "intensity-methods"),
                  "problem-regression" = c("psd_regression", "regression-methods"),
                  "tune-report" = c("tune", "drawn-tuning"),
                  "tuning-profiles" = c("tuning-profiles", "drawn-tuning"),
                  slice = c("slice", "drawn-regression"),
                  "slice-graphics" = c("slice", "drawn-hetero", "drawn-quantreg",
                                       "drawn-regression"),
                  "hetero-autoplot" = c("hetero-plot", "drawn-hetero"),
                  "hetero-plot" = c("hetero-plot", "drawn-hetero"),
                  "quantreg-plot" = c("quantreg-plot", "drawn-quantreg"),
                  "regression-plot" = c("regression-plot", "drawn-regression"),
                  "intensity-plot" = c("intensity-methods", "drawn-intensity"),
                  "density-plot" = c("density-plot", "drawn-density"),
                  "density-autoplot" = c("density-plot", "drawn-density"))
  own <- special[[name]] %||% intersect(name, stems)
  if (length(own) > 0) return(unique(c(own, intersect(name, stems))))
  parts <- strsplit(name, "-")[[1]]
  found <- grep(paste0("^", parts[1], "(-|$)"), stems, value = TRUE)
  found
}

# The text of a file with one token changed.
mutated <- function(mutant) {
  lines <- readLines(mutant$file)
  line <- lines[mutant$line]
  lines[mutant$line] <- paste0(substr(line, 1, mutant$from - 1), mutant$new,
                               substr(line, mutant$to + 1, nchar(line)))
  lines
}

run_tests <- function(stem) {
  results <- test_dir("tests/testthat", package = "psdmodels", load_package = "installed",
                      filter = paste0("^", stem, "$"), reporter = SilentReporter$new(),
                      stop_on_failure = FALSE)
  results <- as.data.frame(results)
  paste(results$file, results$test)[results$failed > 0 | results$error]
}

# In a process of its own: the names of the tests that fail, or NA where it did not end.
failures <- function(mutant, stem, seconds) {
  job <- parallel::mcparallel({
    namespace <- asNamespace("psdmodels")
    changed <- new.env(parent = namespace)
    eval(parse(text = mutated(mutant), keep.source = FALSE), changed)
    for (name in ls(changed, all.names = TRUE)) {
      value <- get(name, changed)
      if (is.function(value)) environment(value) <- namespace
      if (exists(name, namespace, inherits = FALSE)) {
        unlockBinding(name, namespace)
        assign(name, value, namespace)
        if (is.function(value)) register_method(name, value)
      }
    }
    run_tests(stem)
  }, silent = TRUE)
  result <- suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = seconds))
  if (is.null(result)) {
    tools::pskill(job$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(job))
    return(NA)
  }
  suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = 5))
  if (inherits(result[[1]], "try-error")) NA else as.character(result[[1]])
}

# What fails with nothing changed, here (a snapshot that shows a call, say), says nothing; nor does
# a mutant without end where the machine is so busy that the tests have none with nothing changed.
known <- list()
fails_anyway <- function(mutant, stem) {
  if (is.null(known[[stem]])) {
    mutant$new <- mutant$text
    known[[stem]] <<- failures(mutant, stem, limit / 2)
  }
  known[[stem]]
}

limit <- 300  # seconds a file of tests
is_killed_by <- function(stem, mutant) {
  found <- failures(mutant, stem, limit)
  if (!anyNA(found) && length(found) == 0) return(FALSE)
  anyway <- fails_anyway(mutant, stem)
  if (anyNA(anyway)) {
    cat("the tests take too long here to say:", stem, "\n")
    return(FALSE)
  }
  anyNA(found) || length(setdiff(found, anyway)) > 0
}

# File by file, as the first that kills it is enough.
is_killed <- function(mutant, stems) {
  for (stem in stems) if (is_killed_by(stem, mutant)) return(TRUE)
  FALSE
}

# Methods are found in tables of their own, each in the namespace of the generic.
register_method <- function(name, value) {
  for (generic in c("base", loadedNamespaces())) {
    table <- asNamespace(generic)[[".__S3MethodsTable__."]]
    if (is.environment(table) && exists(name, table, inherits = FALSE)) assign(name, value, table)
  }
}

arguments <- as.integer(commandArgs(TRUE))
set.seed(arguments[2])
suppressPackageStartupMessages(library(psdmodels))
files <- setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")
mutants <- do.call(rbind, lapply(files, mutable))
mutants <- mutants[sample.int(nrow(mutants), min(arguments[1], nrow(mutants))), ]
survivors <- 0
for (i in seq_len(nrow(mutants))) {
  mutant <- mutants[i, ]
  stems <- tests_of(mutant$file)
  if (is_killed(mutant, stems)) next
  survivors <- survivors + 1
  cat(sprintf("%s:%d:%d `%s` -> `%s` (%s): %s\n", mutant$file, mutant$line, mutant$from,
              mutant$text, mutant$new, paste(stems, collapse = ", "),
              trimws(readLines(mutant$file)[mutant$line])))
}
cat(sprintf("%d mutants, %d survive (%.0f %%)\n", nrow(mutants), survivors,
            100 * survivors / nrow(mutants)))
