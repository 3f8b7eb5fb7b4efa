# Which statements of R/ a test runs: every statement notes that it was reached.

# What can be reached, one row each: the statements of the functions of R/, by the name of the
# function, a hash of its text, and their lines counted from its first. Line 0 to 0 is the function.
sites <- data.frame(name = character(), hash = character(), from = integer(), to = integer())
reached <- logical()

note <- function(site) reached[site] <<- TRUE

new_site <- function(name, hash, from, to) {
  sites[nrow(sites) + 1, ] <<- list(name, hash, from, to)
  as.call(list(note, nrow(sites)))
}

# The functions that a file assigns at its top: data frame(name, hash, first, last).
functions_in <- function(file) {
  expressions <- parse(file, keep.source = TRUE)
  rows <- lapply(seq_along(expressions), function(i) {
    e <- expressions[[i]]
    if (!is_definition(e)) return(NULL)
    where <- attr(expressions, "srcref")[[i]]
    data.frame(name = as.character(e[[2]]), hash = rlang::hash(as.character(where)),
               first = where[1], last = where[3])
  })
  do.call(rbind, rows)
}

# An expression with notes before each statement of each block in it.
with_notes <- function(e, name, hash, first) {
  if (!is.call(e)) return(e)
  inner <- function(part) with_notes(part, name, hash, first)
  where <- attr(e, "srcref")
  block <- identical(e[[1]], as.name("{")) && length(where) == length(e)
  if (!block) {
    for (i in seq_along(e)) if (is.call(e[[i]])) e[[i]] <- inner(e[[i]])
    return(e)
  }
  parts <- lapply(seq_along(e)[-1], function(i) {
    list(new_site(name, hash, where[[i]][1] - first, where[[i]][3] - first), inner(e[[i]]))
  })
  as.call(c(e[[1]], unlist(parts, recursive = FALSE)))
}

# All functions of the package, each with notes in its body.
trace_package <- function() {
  namespace <- asNamespace("psdmodels")
  for (file in sources) {
    run_in_package(parse(file, keep.source = TRUE))
    found <- functions_in(file)
    for (k in seq_len(NROW(found))) {
      value <- namespace[[found$name[k]]]
      entry <- new_site(found$name[k], found$hash[k], 0L, 0L)
      noted <- with_notes(body(value), found$name[k], found$hash[k], found$first[k])
      body(value) <- call("{", entry, noted)
      assign(found$name[k], value, namespace)
      register_method(found$name[k], value)
    }
  }
}

# The names of the functions that mention a value, or one that is made of it.
users_of <- function(name) {
  expressions <- unlist(lapply(sources, parse, keep.source = FALSE))
  expressions <- Filter(is_assignment, expressions)
  assigned <- vapply(expressions, function(e) as.character(e[[2]]), "")
  constant <- !vapply(expressions, is_definition, NA)
  repeat {
    mentions <- vapply(expressions, function(e) any(name %in% all.names(e[[3]])), NA)
    wider <- union(name, assigned[mentions & constant])
    if (setequal(wider, name)) return(assigned[mentions & !constant])
    name <- wider
  }
}

# The names of the values that an expression at the top of a file assigns.
assigned_at <- function(file, line) {
  expressions <- parse(file, keep.source = TRUE)
  around <- vapply(attr(expressions, "srcref"), function(w) w[1] <= line && line <= w[3], NA)
  unlist(lapply(Filter(is_assignment, expressions[around]), function(e) as.character(e[[2]])))
}

# The rows of `hits` (sites, with `test` and `seconds`) of the tests that run the line of a mutant:
# those that reach the smallest statement around it; where its function was changed since they were
# looked at, or it is in none, those that reach the function, or one that uses the value. Tests that
# reach nothing look at the text of functions and are always among them.
tests_reaching <- function(mutant, hits) {
  looking <- hits[hits$name == "", ]
  found <- functions_in(mutant$file)
  own <- found[found$first <= mutant$line & mutant$line <= found$last, ]
  if (NROW(own) == 0) {
    users <- users_of(assigned_at(mutant$file, mutant$line))
    return(rbind(looking, hits[hits$name %in% users, ]))
  }
  hits <- hits[hits$name == own$name, ]
  line <- mutant$line - own$first
  statements <- sites_of(own, mutant$file)
  statements <- statements[statements$from <= line & line <= statements$to, ]
  if (!own$hash %in% hits$hash || nrow(statements) == 0) {
    return(rbind(looking, hits[hits$from == 0 & hits$to == 0, ]))
  }
  smallest <- statements[which.min(statements$to - statements$from), ]
  same <- hits$hash == own$hash & hits$from == smallest$from & hits$to == smallest$to
  rbind(looking, hits[same, ])
}

# The statements of one function, reached or not.
sites_of <- function(own, file) {
  sites <<- sites[0, ]
  expressions <- parse(file, keep.source = TRUE)
  first <- vapply(attr(expressions, "srcref"), `[`, 0L, 1)
  definition <- expressions[[which(first == own$first)]]
  with_notes(definition[[3]][[3]], own$name, own$hash, own$first)
  sites
}
