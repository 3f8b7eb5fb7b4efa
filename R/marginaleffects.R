# What package 'marginaleffects' needs: predictions as a data frame with one row per prediction, the
# levels of quantiles and the names of outputs as groups, and coefficients that it can leave alone.

register_marginaleffects <- function() {
  known <- getOption("marginaleffects_model_classes")
  options(marginaleffects_model_classes = union(known, marginal_classes))
}

marginal_classes <- c("psd_quantreg", "psd_hetero", "psd_regression")

# The predictions of `type`, or of the first type, in long form.
predictions_frame <- function(model, newdata, type, ...) {
  if (is.null(type) || identical(type, "response")) type <- NULL
  given <- if (is.null(type)) list(...) else c(list(type = type), list(...))
  values <- suppressWarnings(do.call(predict, c(list(model, newdata), given)),
                             classes = "psd_extrapolation")
  values <- as.matrix(values)
  out <- data.frame(rowid = rep(seq_len(nrow(values)), ncol(values)))
  if (ncol(values) > 1) out$group <- rep(colnames(values), each = nrow(values))
  out$estimate <- as.vector(values)
  out
}

#' @exportS3Method marginaleffects::get_predict
get_predict.psd_quantreg <- function(model, newdata, type = NULL, ...) {
  predictions_frame(model, newdata, type)
}

#' @exportS3Method marginaleffects::get_predict
get_predict.psd_hetero <- get_predict.psd_quantreg

#' @exportS3Method marginaleffects::get_predict
get_predict.psd_regression <- get_predict.psd_quantreg

# There are no coefficients to change: standard errors are those of psd_boot().
#' @exportS3Method marginaleffects::get_coef
get_coef.psd_fit <- function(model, ...) stats::setNames(0, "none")

#' @exportS3Method marginaleffects::set_coef
set_coef.psd_fit <- function(model, coefs, ...) model

#' @exportS3Method marginaleffects::get_vcov
get_vcov.psd_fit <- function(model, ...) NULL
