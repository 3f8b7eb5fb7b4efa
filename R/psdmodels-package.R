#' @keywords internal
#' @useDynLib psdmodels, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang .data
"_PACKAGE"
