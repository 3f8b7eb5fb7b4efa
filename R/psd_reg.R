# A model specification for parsnip, and through it for tidymodels.

#' Quantile and heteroscedastic regression in tidymodels
#'
#' A model specification of package 'parsnip'. Mode `"regression"` is [psd_hetero()], mode
#' `"quantile regression"` is [psd_quantreg()] at the `quantile_levels` of `parsnip::set_mode()`.
#' Predictors become columns as in a formula; a recipe can do more.
#'
#' Arguments that are left out are chosen by the fitting function itself, within the data it gets
#' ([psd_tune()]): there is no need to tune them outside. To do so nevertheless, mark them with
#' `hardhat::tune()`; the ranges to look in are those of `psd_kernel_width()` and
#' of `dials::penalty()` from 1e-5 to 1.
#'
#' Types of prediction: `"numeric"`, the mean, `"pred_int"`, the central interval of the response,
#' and `"conf_int"`, a pointwise interval of the mean by [psd_boot()] with 200 replicates, in mode
#' `"regression"`; `"quantile"` in mode `"quantile regression"`; `"raw"` in both. Case weights are
#' passed on.
#'
#' @param mode `"regression"` or `"quantile regression"`.
#' @param engine `"psdmodels"`. Other arguments of the fitting functions, such as `kernel`, go to
#'   `parsnip::set_engine()`.
#' @param kernel_width Width of the kernel, for standardised predictors: `sigma`.
#' @param penalty The penalty: `lambda`.
#' @return A `model_spec`.
#' @export
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- psd_reg(mode = "regression", kernel_width = 1, penalty = 1e-3)
#' fit <- parsnip::fit(spec, dist ~ speed, cars)
#' predict(fit, data.frame(speed = c(5, 15)), type = "pred_int")
psd_reg <- function(mode = "unknown", engine = "psdmodels", kernel_width = NULL, penalty = NULL) {
  rlang::check_installed("parsnip")
  args <- list(kernel_width = rlang::enquo(kernel_width), penalty = rlang::enquo(penalty))
  parsnip::new_model_spec("psd_reg", args = args, eng_args = NULL, mode = mode,
                          user_specified_mode = !missing(mode), method = NULL, engine = engine,
                          user_specified_engine = !missing(engine))
}

#' @importFrom stats update
#' @export
update.psd_reg <- function(object, parameters = NULL, kernel_width = NULL, penalty = NULL,
                           fresh = FALSE, ...) {
  args <- list(kernel_width = rlang::enquo(kernel_width), penalty = rlang::enquo(penalty))
  parsnip::update_spec(object, parameters = parameters, args_enquo_list = args, fresh = fresh,
                       cls = "psd_reg", ...)
}

#' @rdname psd_reg
#' @param range The range, in logarithms to base 10.
#' @param trans A transformation of package 'scales', or `NULL`.
#' @export
psd_kernel_width <- function(range = c(-1, 0.5), trans = NULL) {
  rlang::check_installed("dials")
  trans <- trans %||% dials::penalty()$trans
  dials::new_quant_param("double", range = range, inclusive = c(TRUE, TRUE), trans = trans,
                         label = c(kernel_width = "Kernel Width"))
}

# Tells parsnip of the specification, once.
register_psd_reg <- function() {
  if ("psd_reg" %in% parsnip::get_model_env()$models) return(invisible())
  fitting <- c(regression = "psd_hetero", "quantile regression" = "psd_quantreg")
  if (!"quantile regression" %in% parsnip_modes()) fitting <- fitting["regression"]
  parsnip::set_new_model("psd_reg")
  for (mode in names(fitting)) {
    parsnip::set_model_mode("psd_reg", mode)
    parsnip::set_model_engine("psd_reg", mode, "psdmodels")
    parsnip::set_dependency("psd_reg", "psdmodels", "psdmodels", mode = mode)
    defaults <- if (mode == "quantile regression") list(tau = quote(quantile_levels)) else list()
    parsnip::set_fit("psd_reg", mode, "psdmodels", value = list(
      interface = "formula", protect = c("formula", "data", "weights"),
      func = c(pkg = "psdmodels", fun = fitting[[mode]]), defaults = defaults
    ))
    parsnip::set_encoding("psd_reg", mode, "psdmodels", options = list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE
    ))
    for (type in names(parsnip_predictions[[mode]])) {
      parsnip::set_pred("psd_reg", mode, "psdmodels", type, parsnip_predictions[[mode]][[type]])
    }
  }
  parsnip::set_model_arg("psd_reg", "psdmodels", "kernel_width", "sigma",
                         list(pkg = "psdmodels", fun = "psd_kernel_width"), FALSE)
  parsnip::set_model_arg("psd_reg", "psdmodels", "penalty", "lambda",
                         list(pkg = "dials", fun = "penalty", range = c(-5, 0)), FALSE)
}

# An older parsnip does not know quantile regression.
parsnip_modes <- function() parsnip::get_model_env()$modes

# What parsnip calls for each type of prediction, and what becomes of the answer.
parsnip_prediction <- function(..., post = NULL, func = c(fun = "predict")) {
  list(pre = NULL, post = post, func = func,
       args = list(object = quote(object$fit), newdata = quote(new_data), ...))
}

ends_of_interval <- function(x, object) {
  stats::setNames(as.data.frame(x)[c("lwr", "upr")], c(".pred_lower", ".pred_upper"))
}

parsnip_predictions <- list(
  regression = list(
    numeric = parsnip_prediction(type = "mean"),
    pred_int = parsnip_prediction(type = "interval", level = quote(level),
                                  post = ends_of_interval),
    conf_int = parsnip_prediction(level = quote(level), post = ends_of_interval,
                                  func = c(pkg = "psdmodels", fun = "psd_confidence")),
    raw = parsnip_prediction()
  ),
  "quantile regression" = list(
    quantile = parsnip_prediction(post = function(x, object) {
      parsnip::matrix_to_quantile_pred(x, object)
    }),
    raw = parsnip_prediction()
  )
)

#' Confidence intervals of predictions
#'
#' [psd_boot()] and [predict()][predict.psd_boot] of it in one call.
#'
#' @param object A fit whose prediction is one number per row, such as [psd_hetero()].
#' @inheritParams psd_boot
#' @inheritParams predict.psd_boot
#' @param newdata As for `predict()` of the fit.
#' @param ... Further arguments of `predict()` of the fit, such as `type`.
#' @return A matrix with columns `fit`, `lwr` and `upr`.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' psd_confidence(fit, data.frame(speed = c(5, 15)), R = 50, seed = 1)
psd_confidence <- function(object, newdata = NULL, level = 0.95, R = 200, seed = NULL, ...) {
  out <- predict(psd_boot(object, R = R, seed = seed), newdata, level = level, ...)
  if (!is.null(out$column)) {
    abort("{.arg object} must have one prediction per row; use {.fn psd_boot}.")
  }
  cbind(fit = out$estimate, lwr = out$lower, upr = out$upper)
}
