# Rscript .ci/lint.R: what lintr finds with the settings of .lintr, and names that nothing defines.
# The settings are for the lintr of Debian 12 (3.0.2); a newer one has more rules by default.

# The files of R/ in the order in which R reads them.
sources <- function() {
  collate <- read.dcf("DESCRIPTION", "Collate")[[1]]
  files <- if (is.na(collate)) sort(list.files("R", "[.]R$"), method = "radix")
           else scan(text = gsub("'", "", collate), what = "", quiet = TRUE)
  file.path("R", setdiff(files, "RcppExports.R"))
}

# The package's functions from its sources, with what NAMESPACE imports behind them: nothing needs
# to be compiled, and no installed version stands in the way.
package_functions <- function() {
  imports <- new.env(parent = .BaseNamespaceEnv)
  for (import in parseNamespaceFile(basename(getwd()), "..")$imports) {
    for (name in import[[2]]) assign(name, getExportedValue(import[[1]], name), imports)
  }
  sys.source("R/RcppExports.R", imports)
  functions <- new.env(parent = imports)
  for (file in sources()) sys.source(file, functions, keep.source = TRUE)
  functions
}

# codetools finds them, as R CMD check does, but in seconds.
unknown_names <- function() {
  found <- character()
  report <- function(message) found <<- c(found, message)
  codetools::checkUsageEnv(package_functions(), report = report, suppressLocalUnused = TRUE)
  unique(found)
}

unknown <- unknown_names()
cat(unknown, sep = "")
lints <- c(lintr::lint_package(), lintr::lint_dir(".ci"))
for (lint in lints) print(lint)

found <- length(unknown) + length(lints)
if (found > 0) {
  cat("lint.R:", found, "complaints\n")
  quit(status = 1)
}
