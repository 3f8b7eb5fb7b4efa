# The settings that all fitting functions share, checked:
# list(model =, kernel =, standardize =, constant =, control =).
check_settings <- function(problem, model, kernel, standardize, constant, control,
                           call = rlang::caller_env()) {
  list(model = find_model(model, problem, call), kernel = check_kernel(kernel, call),
       standardize = check_flag(standardize, call = call),
       constant = check_flag(constant, call = call), control = check_control(control, call))
}
