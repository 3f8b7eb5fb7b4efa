# Kernels are the core's (src/kernel_*.cpp); R asks for their names and traits.

# The default is named first.
check_kernel <- function(kernel, call = rlang::caller_env()) {
  check_choice(kernel, union("gaussian", cpp_kernel_names()), call = call)
}

# list(kinked =, smooth =, root =, normal =, decay =): has a section a kink at its centre?
# derivatives of all orders? by what factor is the section wider whose square it is (NA if there is
# none)? is a product of sections a multiple of a normal density? by how much does its log fall per
# width, far out?
kernel_traits <- function(kernel) cpp_kernel_traits(kernel)

# In widths, where a section is below rounding.
kernel_reach <- function(kernel) if (kernel_traits(kernel)$normal) 9 else 40
