# What psdmodels tells other packages of itself when they are there, or when they come.

.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_psd_reg)
  when_loaded("marginaleffects", register_marginaleffects)
}

when_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) register()
  setHook(packageEvent(package, "onLoad"), function(...) register())
}
