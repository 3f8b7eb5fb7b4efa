# The model of this package: g(x) = phi(x)' A phi(x), A positive semidefinite, with penalty
# lambda (tr A + ridge / 2 |A|^2).
model_psd <- function() {
  new_model(
    "psd", label = "positive semidefinite", form = "psd", ridge = TRUE,
    block = function(features, lambda, ridge, norm, positive) {
      psd_block(features, lambda / norm, lambda * ridge / norm^2)
    }
  )
}
