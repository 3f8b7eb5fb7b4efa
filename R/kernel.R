# Kernels are the core's (src/kernel_*.cpp); R asks for their names and traits.

# The default is named first.
check_kernel <- function(kernel, call = rlang::caller_env()) {
  check_choice(kernel, union("gaussian", cpp_kernel_names()), call = call)
}

# list(kinked =, normal =, root =): has a section a kink at its centre? is a product of sections a
# multiple of a normal density? and by what factor is the section wider whose square it is (NA if
# there is none)?
kernel_traits <- function(kernel) {
  list(kinked = kernel == "abel", normal = kernel == "gaussian",
       root = c(gaussian = sqrt(2), abel = 2)[[kernel]])
}
