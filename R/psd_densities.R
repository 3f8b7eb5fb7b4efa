# One density per group, from a formula with a bar: `~ x | g`.

# `left | group` of a one-sided formula, else NULL.
bar_of <- function(x) if (inherits(x, "formula") && length(x) == 2 && is_bar(x[[2]])) x[[2]]

is_bar <- function(expression) is.call(expression) && identical(expression[[1]], as.name("|"))

# The call once for each group, with its rows as `subset`: each fit is one that the user could have
# asked for, and finds its data again as any other.
fit_groups <- function(formula, data, weights, subset, matched, env, call = rlang::caller_env()) {
  bar <- bar_of(formula)
  if (!is.null(data) && !is.data.frame(data)) {
    abort("{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call = call)
  }
  if (is_bar(bar[[2]])) {
    abort("{.arg x} must have one bar only; groups of several variables are
           {.code interaction(a, b)}.", call = call)
  }
  group <- group_of(bar[[3]], formula, data, call)
  kept <- check_subset(eval_in(subset, data, "subset", call), length(group), call)
  of_group <- split(kept, droplevels(group[kept]))
  if (length(of_group) == 0) abort("{.arg subset} must keep at least one row.", call = call)
  by_name <- is.null(matched$subset) && all(all.vars(bar[[3]]) %in% names(data))
  inner <- matched
  inner$x <- stats::as.formula(call("~", without_groups(bar, data)), env = environment(formula))
  inner$weights <- rlang::quo_get_expr(weights)
  fits <- lapply(names(of_group), function(level) {
    inner$subset <- if (by_name) call("%in%", bar[[3]], level) else of_group[[level]]
    tryCatch(eval(inner, env), psd_error = function(e) {
      abort(c("The density of the group {.val {level}} cannot be fitted
               ({length(of_group[[level]])} row{?s}).", x = "{conditionMessage(e)}"),
            class = class(e)[1], call = call)
    })
  })
  new_densities(stats::setNames(fits, names(of_group)), deparse1(bar[[3]]), matched)
}

# A dot stands for all columns but those of the groups.
without_groups <- function(bar, data) {
  others <- setdiff(names(data), all.vars(bar[[3]]))
  if (!"." %in% all.vars(bar[[2]]) || length(others) == 0) return(bar[[2]])
  all <- stats::reformulate(sprintf("`%s`", others))[[2]]
  do.call(substitute, list(bar[[2]], list(. = all)))
}

# A factor with one value per row; rows without a group are left out, with a message.
group_of <- function(expression, formula, data, call) {
  group <- eval_in(rlang::new_quosure(expression, environment(formula)), data, "x", call)
  if (!is.atomic(group) || !is.null(dim(group)) || !is.null(data) && length(group) != nrow(data)) {
    abort("The groups {.code {deparse1(expression)}} must be a vector or factor with one value per
           row, not {.obj_type_friendly {group}}.", call = call)
  }
  group <- factor(group)
  if (nlevels(group) == 0) {
    abort("The groups {.code {deparse1(expression)}} must not be all missing.", call = call)
  }
  if (nlevels(group) > length(group) / 2) {
    abort(c("The groups {.code {deparse1(expression)}} must have several rows each: they are
             {nlevels(group)} for {length(group)} row{?s}.",
            i = "A numeric variable can be fixed with {.fn psd_conditional}, or cut with
                 {.fn cut}."), call = call)
  }
  lost <- sum(is.na(group))
  if (lost > 0) {
    cli::cli_inform("{lost} row{?s} without a group {?is/are} left out.", class = "psd_missing")
  }
  group
}

# A named list of densities; attributes: the name of the grouping variable and the call.
new_densities <- function(fits, group, matched) {
  structure(fits, group = group, call = matched, class = "psd_densities")
}

group_sizes <- function(x) vapply(x, `[[`, 0L, "n")

#' Densities of groups
#'
#' [psd_density()] with a formula such as `~ a + b | g` fits one density for each value of `g`, each
#' tuned on its own rows. The result is a list of them, named by group: `fits[["a"]]` is a
#' `psd_density`, for all that can be done with one, and `lapply()` does it for all. Together they
#' can be printed, compared in one picture, and asked for the group of new points by Bayes' rule.
#'
#' Rows with a missing group are left out, with a message. `[` keeps some of the groups.
#'
#' @param x,object Densities of groups.
#' @param newdata Points, as for [predict.psd_density()].
#' @param type `"density"` and `"log"`, `"cdf"`: as for [predict.psd_density()], one column per
#'   group. `"posterior"`: the probabilities of the groups given the point, proportional to `prior`
#'   times density, so that they are exact also where all densities are too small for a number;
#'   `"class"`, the most probable group, a factor.
#' @param prior Probabilities of the groups: one number per group, in their order or by name; they
#'   are divided by their sum. By default the share of each group in the number of observations.
#' @param probs Of two variables: the regions of highest density whose borders are drawn.
#' @param rug,points Show the observations that the fits keep?
#' @param n Number of points per curve, or along each axis.
#' @param digits Significant digits.
#' @param i Groups: names or numbers.
#' @param ... Not used.
#' @return `predict()`: a matrix with one row per point and one column per group, or a factor; `NA`
#'   where a coordinate is missing. `tidy()` and `glance()`: those of each density, with the column
#'   `group` first. `mean()`, `median()` and `quantile()`: one row or element per group.
#'   `autoplot()`: a ggplot of one or two variables.
#' @name psd_densities
#' @examples
#' fits <- psd_density(~ Petal.Length + Petal.Width | Species, iris, sigma = 1, lambda = 0.01)
#' fits
#' autoplot(fits)
#' new <- data.frame(Petal.Length = c(1.5, 4.9), Petal.Width = c(0.2, 1.7))
#' predict(fits, new, type = "posterior")
#' predict(fits, new, type = "class")
#' psd_prob(fits[["virginica"]], lower = c(Petal.Length = 5))
NULL

#' @rdname psd_densities
#' @export
print.psd_densities <- function(x, digits = 3, ...) {
  check_dots()
  cat("<psd_densities> densities of ", paste(x[[1]]$recipe$columns, collapse = ", "), " by ",
      attr(x, "group"), " (", nobs(x), " observations)\n", sep = "")
  for (name in names(x)) {
    fit <- x[[name]]
    cat(sprintf("%s: %d observations, mean %s; %s, %s; %s\n", name, fit$n,
                shown_numbers(known_moments(fit)$mean, digits), shown_width(fit, digits),
                shown_penalty(fit, digits), fit$status))
  }
  invisible(x)
}

#' @rdname psd_densities
#' @export
`[.psd_densities` <- function(x, i) {
  fits <- unclass(x)
  unknown <- if (is.character(i)) setdiff(i, names(x))
             else if (is.numeric(i)) setdiff(abs(i), seq_along(x))
  if (length(unknown) > 0) {
    abort("There is no group {.val {unknown[1]}}; the groups are {.val {names(x)}}.")
  }
  new_densities(fits[i], attr(x, "group"), attr(x, "call"))
}

#' @rdname psd_densities
#' @export
predict.psd_densities <- function(object, newdata,
                                  type = c("density", "log", "cdf", "posterior", "class"),
                                  prior = NULL, ...) {
  check_dots()
  type <- check_type(type, c("density", "log", "cdf", "posterior", "class"))
  if (missing(newdata)) abort("{.arg newdata} must be given: points, as for a single density.")
  check_takers(type, list(prior = c("posterior", "class")))
  each <- if (type %in% c("posterior", "class")) "log" else type
  values <- vapply(object, predict, predict(object[[1]], newdata, type = each), newdata = newdata,
                   type = each)
  values <- matrix(values, ncol = length(object), dimnames = list(NULL, names(object)))
  if (each == type) return(values)
  posterior <- posterior_of(values, check_prior(prior, object))
  if (type == "posterior") return(posterior)
  best <- apply(posterior, 1, function(row) if (anyNA(row)) NA else which.max(row))
  factor(names(object)[as.integer(best)], levels = names(object))
}

# From log densities. Where all are zero nothing is known.
posterior_of <- function(log_density, prior) {
  joint <- sweep(log_density, 2, log(prior), "+")
  top <- apply(joint, 1, max)
  odds <- exp(joint - top)
  odds[!is.finite(top), ] <- NA
  odds / rowSums(odds)
}

check_prior <- function(prior, object, call = rlang::caller_env()) {
  if (is.null(prior)) return(group_sizes(object) / sum(group_sizes(object)))
  given <- names(prior)
  prior <- check_numbers(prior, min = 0, size = length(object), call = call)
  if (!is.null(given)) {
    if (!setequal(given, names(object))) {
      abort("{.arg prior} must be named by the groups {.val {names(object)}}, not {.val {given}}.",
            call = call)
    }
    prior <- prior[match(names(object), given)]
  }
  if (sum(prior) == 0) abort("{.arg prior} must not be all zero.", call = call)
  prior / sum(prior)
}
