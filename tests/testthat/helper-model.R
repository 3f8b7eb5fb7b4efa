# What the tests of the models share: their blocks, and the kernel matrix.
partial_block <- psdmodels:::partial_block
conic_block <- psdmodels:::conic_block

gaussian_kernel <- function(x, sigma) exp(-as.matrix(dist(x))^2 / (2 * sigma^2))
