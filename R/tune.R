#' How sigma, lambda and ridge are chosen
#'
#' Settings of the cross-validation that chooses among several values of `sigma`, `lambda` and
#' `ridge`, for the `tune` argument of the fitting functions.
#'
#' Each candidate is scored by the model's own loss on rows that were held out: minus the log
#' density, the pinball loss, or the Gaussian negative log-likelihood (the latter two in units of
#' the standardised response). All candidates share the same folds. By default these are not random,
#' so that the same data give the same fit: in the order of the predictors, neighbouring rows go to
#' different folds. Where `folds`, `repeats` or `train` are given they are drawn from R's random
#' numbers, and `set.seed()` fixes them.
#'
#' **Quantiles** are by default tuned without folds. One fit to all rows tells, by the curvature of
#' its problem at the optimum, what a fit without any one of them would say of it. For that the
#' kinks of the pinball losses are blurred by the mean error of each level, as other rows answer
#' when one is left out. It takes a quarter of the time of folds, and what is chosen is as good. In
#' the table of candidates `by_split` then has the mean losses of ten groups of rows.
#'
#' **Several widths** (`sigma = NULL`, the default) leave only the penalty. A density is then fitted
#' along a path of penalties, and scored by leaving out one row at a time, without fitting again: at
#' an optimum the curvature of the problem tells what a fit without a row would say of it. There are
#' no folds and no random numbers. The fit is the average over the path (rule `"average"`); its
#' certificate is that each part of it is within `gap` of its own global optimum. The weight of a
#' part is the likelihood of the rows left out times a prior density: the likelihood of a small
#' sample hardly tells penalties apart, and those that turn out to be good are much alike for
#' densities of all kinds, so the penalty has a half-Cauchy prior with the scale `0.1 / sqrt(n)`
#' (and a little weight at any other size, for data that do follow the parametric part); and the log
#' density that a row loses by being left out counts 1.2 times, against fits that are too rough. For
#' the other models, and where `folds` are given, the path is scored by cross-validation, and the
#' ten best candidates at most have weights `exp(-n / 4 * (score - lowest))`.
#'
#' **One width**: values given by the user are all tried, and the lowest score wins. With
#' `sigma = "search"`, the search goes over a geometric lattice: first a coarse grid, then the
#' neighbours of the best candidate so far, until none beside it is better by more than noise (half
#' a standard error of the difference), so the lattice has no edge to run into. For models with two
#' parts (a linear and a PSD one) widths and penalties of both first move together (the gaps of
#' quantiles 1.6 times as wide as their middle); then each of the four moves alone, once (not in
#' units of a pilot: see [psd_hetero()]). A candidate whose losses are above those of the best, on
#' the same rows, by more than 2.5 standard errors is not tried on further folds. Fits use a looser
#' tolerance while tuning, only the features that matter under their penalty, and start from the
#' fits of candidates nearby.
#'
#' A single width of a density or an intensity is hard to tell from a small sample: candidates with
#' quite different widths have nearly the same score, and the lowest is lowest by chance. So the
#' rule `"mean"` averages: the logarithm of the width, over all widths tried, each with the weight
#' `exp(-n * (score - lowest) / 5)` of its best candidate; the choice is the best candidate at the
#' width next to that. (The model `"glm"` takes the lowest.) In units of a pilot ([psd_hetero()])
#' the same holds of the penalty, the only choice there: its logarithm is averaged over the
#' penalties tried, with the weights `exp(-n / 4 * (score - lowest))`.
#'
#' **Averages over widths.** The default of a density of several variables goes further: it is the
#' average of the densities of all these candidates, widths and penalties, with the weights above
#' (of two that differ by less than 5 per cent at the rows held out, the one with the wider kernel
#' has the weight of both);
#' the parameters that [glance()] shows are those of the rule `"mean"`. An average of densities is
#' again one of the same kind, with the sections of all of them, and every verb is exact as before.
#' The same for the other models is `rule = "stack"`: quantiles, natural parameters or functions are
#' averaged, what stays ordered, positive or in its cone. It is not their default, as it seldom pays
#' there.
#'
#' **Several predictors** of a regression whose `sigma` is left to be chosen may have relative
#' widths of their own (`shape = "axes"`), found before anything is tuned, so that `sigma`, which
#' multiplies them, is still one number. They are the widths of the kernel of a plain Gaussian
#' process under which the response is most likely (at most 200 rows at even distances, responses
#' farther out than three robust standard deviations moved there), and for quantiles and variances
#' also the log of the squared errors of rows left out, with the same relative widths; their logs
#' are drawn to the common one as if they had a standard deviation of one in advance. The columns of
#' a factor share one width, and none is more than ten times the narrowest. They are used where they
#' raise the log likelihood above that of a common width by 1.5 for each free number. There are no
#' random numbers.
#'
#' **Many variables.** With ten variables, say, 120 landmarks know little of the other rows (a
#' quarter or more of a typical section lies outside the span of theirs). Then the candidates of a
#' density are scored with all landmarks, so that there must be few of them: the width is that
#' whose squared sections are the Gaussian kernels under whose sum the rows, each left out in turn,
#' are most likely, and only penalties are looked for, on two of the folds. The parametric
#' part of the density is by default left out where that sum is more likely than it.
#'
#' Where the density is zero (or negative, in the model `"pnm"`) at a held-out row the loss is
#' infinite. A candidate with such rows loses against any without; if all have some, the one with
#' the fewest is chosen, with a message, and its score is `Inf`. For the other densities the loss of
#' one row is bounded, by that under `n^-3` times a Cauchy density with the centre and scale of the
#' data, so that one far outlier does not decide the width for all.
#'
#' **Large samples** are cross-validated on 5000 of their rows, such at even distances in the order
#' of the first predictor, without random numbers; the fit itself, with its certificate, is to all.
#' Not where the fold of every row is given, and not by [psd_cv()]. Of the five folds no more are
#' used than hold out 2000 rows together, unless folds are asked for.
#'
#' With a [future::plan()] set and `future.apply` installed, widths run in parallel, with the same
#' result. Progress is shown in interactive sessions, and through `progressr` where it is
#' asked for.
#'
#' @param folds Number of folds, or a vector of fold numbers with one entry per observation used.
#'   `NULL`: none where rows can be left out without fitting again, otherwise 5 (of large samples
#'   not all of them are used).
#' @param repeats How often the folds (or the random splits) are drawn anew. By default the folds of
#'   a small sample are drawn several times, so that some 1000 rows are held out in all, at most
#'   twice (in units of a pilot once); the second time for the best six candidates only (with the
#'   rule `"mean"`, for the best candidate of each of the best six widths).
#' @param train If given, random splits instead of folds: the share of rows to fit on. The paper
#'   uses `train = 0.7, repeats = 7`.
#' @param rule `"average"`: the average over the penalties, where only these are looked for, and
#'   for a density over the widths too; otherwise, and in units of a pilot, as `"mean"`. `"stack"`:
#'   the average over all candidates of a search, for every model with a certificate. `"mean"`: see
#'   above; for anything but the width of a density or an intensity and the penalty in units of a
#'   pilot as `"min"`. `"min"` takes the candidate with the lowest mean score; `"1se"` the one with
#'   the largest penalty whose score is within one standard error of that. Values that were given to
#'   choose from are not averaged.
#' @return A list of class `psd_tune`.
#' @seealso [psd_cv()] for the score of given parameters.
#' @export
#' @examples
#' psd_tune(folds = 10)
#' psd_tune(train = 0.7, repeats = 7)
#'
#' \dontrun{
#' # on a cluster: names of machines instead of "localhost", each with this package installed
#' before <- future::plan(future::cluster, workers = c("localhost", "localhost"))
#' fit <- psd_quantreg(dist ~ speed, cars)  # the same fit as with one process
#' future::plan(before)
#' }
psd_tune <- function(folds = NULL, repeats = NULL, train = NULL, rule = "average") {
  if (!is.null(folds)) folds <- check_numbers(folds, min = 1)
  if (length(folds) == 1) folds <- check_count(folds, min = 2)
  if (!is.null(repeats)) repeats <- check_count(repeats)
  if (!is.null(train)) train <- check_number(train, above = 0, below = 1)
  rule <- check_choice(rule, names(rule_table()))
  structure(list(folds = folds, repeats = repeats, train = train, rule = rule),
            class = "psd_tune")
}

#' Cross-validated score of a fit
#'
#' Scores the parameters of a fit by cross-validation, as tuning does, for comparing models: two
#' fits to the same rows with the same seed share their folds.
#'
#' @param fit A fitted model. Its call is evaluated again, so its data must still be there.
#' @param tune The splits: [psd_tune()].
#' @return A data frame of one row: the parameters, the mean held-out `score` (lower is better), its
#'   standard error `se`, and `by_split`, a list with the score of each split.
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 0.1)
#' set.seed(1)
#' psd_cv(fit)$score
psd_cv <- function(fit, tune = psd_tune()) {
  if (!inherits(fit, "psd_fit")) {
    abort("{.arg fit} must be a fitted model, not {.obj_type_friendly {fit}}.")
  }
  call <- fit$call
  several <- !is.null(fit$parameters$widths)  # then sigma, a factor to them, stays as it was asked
  chosen <- c(if (!several) "sigma", "lambda", "ridge", "parametric", "shape", "transform",
              "pilot")
  chosen <- fit$parameters[intersect(chosen, names(fit$parameters))]
  call[names(chosen)] <- lapply(chosen, function(p) if (is.null(names(p))) p else as.list(p))
  call$tune <- check_tune(tune)
  call$tune$always <- TRUE
  eval(call, parent.frame())$tuning
}

check_tune <- function(tune, call = rlang::caller_env()) {
  if (!inherits(tune, "psd_tune")) {
    abort("{.arg tune} must be made by {.fn psd_tune}, not {.obj_type_friendly {tune}}.",
          call = call)
  }
  tune
}

# The parameters to fit with: list(sigma =, lambda =, ridge =, tuning =), by cross-validation where
# the user left a choice. In problems of two parts sigma and lambda are named vectors.
choose_parameters <- function(problem, control, sigma, lambda, ridge, tune,
                              call = rlang::caller_env()) {
  tune <- check_tune(tune, call)
  axes <- parameter_axes(problem, sigma, lambda, ridge, call)
  fixed <- all(vapply(axes, is_fixed, NA))
  if (fixed && !isTRUE(tune$always)) return(cell_parameters(axes, rep(1, length(axes))))
  if (leaves_one_out(problem, axes, tune, control)) {
    return(choose_by_leaving_one_out(problem, control, axes, call))
  }
  problem <- tuning_sample(problem, tune)
  n <- nrow(problem$x)
  alone <- leaves_rows_out(problem, tune, control)
  splits <- if (alone) list(rows_of(problem))
            else enough_splits(make_splits(problem$x, tune, call), tune)
  # What a model itself draws at random comes after the splits, so that all models share them.
  problem$draws()
  rule <- find_rule(tune$rule, problem, axes)
  # Values that the user gave are all scored in full.
  race <- any(vapply(axes, is_searched, NA))
  crowded <- race && is_crowded(problem, cell_parameters(axes, origin_cell(axes))$sigma, control)
  if (crowded) {
    axes <- crowded_axes(axes, problem)
    splits <- utils::head(splits, 2)
  }
  first <- utils::head(first_splits(tune, splits, n), length(splits))
  # Of the one penalty that is looked for, a second draw of folds says little more.
  if (!is.null(problem$pilot)) splits <- splits[first]
  fits <- if (crowded) tuning_control(control, Inf) else tuning_control(control)
  budget <- search_budget(n, control, crowded)
  fits$max_work <- budget$each
  if (alone) fits$blur <- usual_blur
  warm <- warm_starts(if (identical(problem$start, no_start)) 0 else 24)
  score <- function(held, cells) score_cells(problem, fits, axes, held, cells, warm, budget)
  scorer <- cell_scorer(score, problem$weights, axes, splits, first, rule$leaders, race,
                        budget$spent,
                        if (alone) spread_folds(problem$x, min(score_groups, n), 1))
  if (crowded) search_axes(scorer, axes) else search_all(scorer, axes, rule, problem)
  if (budget$spent()) tell_search_stopped(nrow(scorer$cells()))
  chosen_cell(scorer, rule, axes, n, problem$likelihood)
}

chosen_cell <- function(scorer, rule, axes, n, likelihood) {
  best <- rule$choose(scorer, n)
  table <- tell_infinite(scorer$table(), best)
  tell_edges(axes, table[best, ])
  if (!is.null(rule$weights)) {
    table$weight <- rule$weights(table$score, n)
    if (likelihood) table$weight <- without_doubles(table$weight, table$sigma, scorer$apart)
  }
  c(cell_parameters(axes, scorer$cells()[best, ]), list(tuning = structure(table, chosen = best)))
}

search_all <- function(scorer, axes, rule, problem) {
  search_cells(scorer, axes, apart = is.null(problem$pilot))
  rule$search(scorer, axes, nrow(problem$x))
}

# Scores in which the cap of path_losses() shows: some held-out rows have an infinite loss. Such a
# candidate loses against any other; if all are such, the one with the fewest such rows wins.
tell_infinite <- function(table, best) {
  infinite <- which(table$score > sqrt(loss_cap))
  table$score[infinite] <- Inf
  table$se[infinite] <- NA
  table$by_split <- lapply(table$by_split, function(s) ifelse(s > sqrt(loss_cap), Inf, s))
  if (best %in% infinite) {
    cli::cli_inform("Every candidate has held-out rows with an infinite loss; the one with the
                     fewest was chosen.", class = "psd_infinite_score")
  }
  table
}

tell_edges <- function(axes, row) {
  at_edge <- vapply(names(axes), function(name) {
    axis <- axes[[name]]
    axis$kind == "grid" && axis$size > 2 && row[[name]] %in% range(axis$values)
  }, NA)
  if (any(at_edge)) {
    cli::cli_inform("The best {.field {names(axes)[at_edge]}} {?is/are} at the edge of the values
                     given.",
                    class = "psd_grid_edge")
  }
}

#' @export
print.psd_tune <- function(x, ...) print_settings(x)
