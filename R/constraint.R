resolve_constraints <- function(constraints, scaling, recipe) list()
