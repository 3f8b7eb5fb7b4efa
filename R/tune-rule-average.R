# The rule "average": as "stack", where that is known to pay: the penalty alone, or the width and
# the penalty of a density. Not in units of a pilot, where an average of penalties does as well.

rule_average <- function() {
  stack <- rule_stack()
  out <- stack
  out$applies <- function(problem, axes) {
    averaged <- grepl("^lambda", names(axes)) | problem$averaged & grepl("^sigma", names(axes))
    is.null(problem$pilot) && stack$applies(problem, axes) &&
      all(vapply(axes[!averaged], is_settled, NA))
  }
  out
}

# A value that was given, or is looked for when the rest is found.
is_settled <- function(axis) is_fixed(axis) || is_late(axis)
