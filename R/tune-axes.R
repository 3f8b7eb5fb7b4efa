# The space that tuning searches: one axis a parameter. A *cell* is a vector of integers, one an
# axis. A "grid" axis has the user's values, numbered from one; an "auto" axis is a geometric
# lattice around an origin, without end.

parameter_axes <- function(problem, sigma, lambda, ridge, call) {
  parts <- axis_parts(problem)
  widths <- default_sigma(problem) * vapply(problem$parts, `[[`, 0, "smoother")
  axes <- c(part_axes("sigma", sigma, parts, widths, 1.6, Inf, call),
            part_axes("lambda", lambda, parts, 0.1, sqrt(10), highest_lambda(problem), call))
  # What a pilot leaves asks for about one and the same penalty.
  if (!is.null(problem$pilot)) axes <- lapply(axes, function(axis) c(axis, list(path = 3:0)))
  if (has_mixture(problem)) axes <- beside_normals(axes)
  tuned <- !all(vapply(axes, is_fixed, NA))
  if (!is.null(ridge)) ridge <- check_numbers(ridge, above = 0, call = call)
  axes$ridge <- if (problem$model$ridge && !is.null(ridge)) grid_axis(ridge)
                else default_ridge(problem, tuned)
  axes
}

# Kernels beside a mixture of normals mend what it leaves: they are no wider than usual, and it does
# not take as many candidates to see whether there is something to mend.
beside_normals <- function(axes) {
  if (is_searched(axes$sigma)) axes$sigma$highest <- axes$sigma$origin
  axes$sigma$first <- -1:0
  axes$lambda$first <- c(0, -2, -4)
  axes
}

# The parameters of a problem with one part have no names.
axis_parts <- function(problem) if (length(problem$parts) > 1) names(problem$parts) else ""

# Where the search starts: about the width at which a standardised sample in d dimensions is smooth.
default_sigma <- function(problem) 0.6 * sqrt(ncol(problem$x)) * typical_scale(problem)

# In high dimension the Frobenius part of the penalty can matter, and is looked for when the rest is
# found; given parameters are not tuned.
default_ridge <- function(problem, tuned) {
  if (!problem$model$ridge || ncol(problem$x) < 5 || !tuned) return(grid_axis(0.01))
  list(kind = "auto", origin = 0.1, step = 10, lowest = 0.01, highest = 1, shared = TRUE,
       late = TRUE)
}

is_fixed <- function(axis) axis$kind == "grid" && axis$size == 1

# With a parametric part the fit hardly changes beyond this penalty: it is that part. In units of a
# pilot nothing is left of it.
highest_lambda <- function(problem) {
  if (is_parametric(problem) || !is.null(problem$pilot)) 10 else Inf
}

# One axis a part of the model. Parts share a plain vector of values, and a search moves them
# together, from their `origin` each; in a list each has its own.
part_axes <- function(name, value, parts, origin, step, highest, call) {
  kind <- if (is.list(value)) "a list" else "values"
  if (!is.null(names(value))) value <- as.list(value)  # c(linear = 1, psd = 2) means the list
  shared <- !is.list(value)
  if (!shared && (identical(parts, "") || !setequal(names(value), parts))) {
    wanted <- if (identical(parts, "")) "a number or several" else
      "a number, several, or a list with the elements {.val {parts}}"
    abort(paste0("{.arg {name}} must be ", wanted,
                 if (is.null(names(value))) ", not a list."
                 else ", not {kind} with names {.val {names(value)}}."), call = call)
  }
  axes <- Map(function(part, origin) {
    own <- if (shared) value else value[[part]]
    if (is.null(own)) {
      list(kind = "auto", origin = origin, step = step, highest = highest, shared = shared)
    } else {
      grid_axis(check_numbers(own, above = 0, arg = name, call = call), shared)
    }
  }, parts, unname(origin))
  names(axes) <- if (identical(parts, "")) name else paste(name, parts, sep = ".")
  axes
}

grid_axis <- function(values, shared = TRUE) {
  values <- sort(unique(values), decreasing = TRUE)
  list(kind = "grid", values = values, size = length(values), shared = shared)
}

axis_value <- function(axis, index) {
  if (axis$kind == "grid") axis$values[index] else axis$origin * axis$step^index
}

cell_values <- function(axes, cell) mapply(axis_value, axes, cell)

# list(sigma =, lambda =, ridge =) as prepare() and solve_at() take them.
cell_parameters <- function(axes, cell) {
  values <- cell_values(axes, cell)
  pick <- function(name) {
    own <- values[grepl(paste0("^", name), names(values))]
    parts <- sub("^[a-z]+\\.?", "", names(own))
    stats::setNames(own, if (all(nzchar(parts))) parts)
  }
  list(sigma = pick("sigma"), lambda = pick("lambda"), ridge = values[["ridge"]])
}

# The coarse grid to begin with: every value of a grid axis, four points of an auto axis;
# axes that share their values move together, and late ones wait.
first_cells <- function(axes) {
  group <- axis_groups(axes)
  points <- lapply(unique(group), function(g) {
    axis <- axes[[match(g, group)]]
    if (axis$kind == "grid") seq_len(axis$size)
    else if (is_late(axis)) 0
    else axis$first %||% if (startsWith(g, "sigma")) -1:2 else c(2, 0, -2, -4)
  })
  path <- unique(group[first_axes(axes)])
  if (length(path) == 1) {  # more of a single axis
    points[[match(path, unique(group))]] <- axes[[match(path, group)]]$path %||% 3:-5
  }
  grid <- as.matrix(expand.grid(points))
  cells <- grid[, match(group, unique(group)), drop = FALSE]
  dimnames(cells) <- list(NULL, names(axes))
  cells
}

# Where the axes begin.
origin_cell <- function(axes) vapply(axes, function(axis) if (axis$kind == "grid") 1 else 0, 0)

# Shared axes of one parameter form one group.
axis_groups <- function(axes) {
  shared <- vapply(axes, `[[`, NA, "shared")
  ifelse(shared, sub("\\..*", "", names(axes)), names(axes))
}

is_searched <- function(axis) axis$kind == "auto"

is_late <- function(axis) isTRUE(axis$late)

# The axes that a search begins with.
first_axes <- function(axes) {
  vapply(axes, function(axis) is_searched(axis) && !is_late(axis), NA)
}

# Steps with shared axes together, and diagonals: a wider kernel goes with a smaller penalty. One
# row a step.
together_moves <- function(axes) {
  group <- axis_groups(axes)
  free <- first_axes(axes)
  steps <- as.matrix(expand.grid(rep(list(-1:1), length(unique(group[free])))))
  moves <- matrix(0, nrow(steps), length(axes), dimnames = list(NULL, names(axes)))
  moves[, free] <- steps[, match(group[free], unique(group[free]))]
  moves[rowSums(abs(moves)) > 0, , drop = FALSE]
}

# The axes that are also searched alone: those that share their values, and late ones.
alone_axes <- function(axes) {
  group <- axis_groups(axes)
  several <- group %in% group[duplicated(group)]
  names(axes)[vapply(axes, is_searched, NA) & (several | vapply(axes, is_late, NA))]
}

axis_moves <- function(axes, name) {
  step <- as.numeric(names(axes) == name)
  rbind(step, -step, deparse.level = 0)
}

# The cells that the moves lead to, inside the axes.
moved_cells <- function(axes, cell, moves) {
  out <- sweep(moves, 2, cell, "+")
  colnames(out) <- names(axes)
  inside <- apply(out, 1, function(cell) {
    all(mapply(function(axis, index) {
      value <- axis_value(axis, index)
      axis$kind == "grid" ||
        value <= (axis$highest %||% Inf) * 1.01 && value >= (axis$lowest %||% 0) / 1.01
    }, axes, cell))
  })
  out[as.logical(inside), , drop = FALSE]
}
