# The mutants of a file: what can be changed, and into what.

swaps <- list("+" = "-", "-" = "+", "*" = "/", "/" = "*", "<" = ">=", ">" = "<=", "<=" = ">",
              ">=" = "<", "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&", "&" = "|", "|" = "&",
              "%*%" = "*", "%in%" = "!=", "any" = "all", "all" = "any", "min" = "max",
              "max" = "min", "pmin" = "pmax", "pmax" = "pmin", "TRUE" = "FALSE", "FALSE" = "TRUE")
`%||%` <- rlang::`%||%`

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

# Whether tokens are arguments of vapply(): the last of these says of which type its values are, and
# any number does.
is_template <- function(data, tokens) {
  parent <- function(id) data$parent[match(id, data$id)]
  called <- data[data$token == "SYMBOL_FUNCTION_CALL" & data$text == "vapply", ]
  parent(tokens$parent) %in% parent(called$parent)
}

# The text of a file with one token changed.
mutated <- function(mutant) {
  lines <- readLines(mutant$file)
  line <- lines[mutant$line]
  lines[mutant$line] <- paste0(substr(line, 1, mutant$from - 1), mutant$new,
                               substr(line, mutant$to + 1, nchar(line)))
  lines
}

# Expressions run in the namespace of the installed package, so that nothing is installed anew. What
# is assigned there must be known already.
run_in_package <- function(expressions) {
  namespace <- asNamespace("psdmodels")
  for (e in expressions[vapply(expressions, is_assignment, NA)]) {
    name <- as.character(e[[2]])
    unlockBinding(name, namespace)
    eval(e, namespace)
    if (is.function(namespace[[name]])) register_method(name, namespace[[name]])
  }
}

is_assignment <- function(e) is.call(e) && identical(e[[1]], as.name("<-")) && is.name(e[[2]])

is_definition <- function(e) {
  is_assignment(e) && is.call(e[[3]]) && identical(e[[3]][[1]], as.name("function"))
}

# Methods are found in tables of their own, each in the namespace of the generic.
register_method <- function(name, value) {
  for (generic in c("base", loadedNamespaces())) {
    table <- asNamespace(generic)[[".__S3MethodsTable__."]]
    if (is.environment(table) && exists(name, table, inherits = FALSE)) assign(name, value, table)
  }
}

# The values that are no functions are made once more, as some are made of others.
put_mutant <- function(mutant) {
  run_in_package(parse(text = mutated(mutant), keep.source = FALSE))
  for (file in setdiff(sources, mutant$file)) {
    run_in_package(Filter(Negate(is_definition), parse(file, keep.source = FALSE)))
  }
}
