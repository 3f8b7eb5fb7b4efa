#' @keywords internal
#' @useDynLib psdmodels, .registration = TRUE
#' @importFrom Rcpp sourceCpp
"_PACKAGE"
