# Shared by growth.R and peers.R: CPU seconds, and tables that say where they were taken.

has <- function(package) requireNamespace(package, quietly = TRUE)

# list(seconds =, value =): CPU time of user and system; of quick calls the median of five.
timed <- function(expr) {
  expr <- substitute(expr)
  env <- parent.frame()
  once <- function() {
    time <- system.time(value <- suppressWarnings(eval(expr, env)))
    list(seconds = sum(time[c("user.self", "sys.self")]), value = value)
  }
  first <- once()
  if (first$seconds > 1) return(first)
  first$seconds <- stats::median(vapply(1:5, function(i) once()$seconds, 0))
  first
}

timing_row <- function(case, n, method, run) {
  fit <- run$value
  ours <- inherits(fit, "psd_fit")
  data.frame(case, n, method, seconds = signif(max(run$seconds, 1e-3), 3),
             iterations = if (ours) fit$iterations else NA,
             gap = if (ours) signif(fit$gap, 2) else NA,
             binned = if (ours && !is.null(fit$binning)) fit$binning$rows else NA)
}

show_row <- function(row) {
  cat(sprintf("%-20s n = %-8g %-24s %8.3f s%s\n", row$case, row$n, row$method, row$seconds,
              if (is.na(row$iterations)) "" else
                sprintf("   %d iterations, gap %.1e", row$iterations, row$gap)))
}

# The rows of a table that an earlier run began, NULL if there is none.
begun_timing <- function(file) if (file.exists(file)) utils::read.csv(file, comment.char = "#")

# The table, after a line with the machine and the versions.
write_timing <- function(results, file) {
  packages <- intersect(c("psdmodels", "logspline", "ks", "mgcv", "quantreg"), loadedNamespaces())
  versions <- paste(packages, vapply(packages, function(p) format(utils::packageVersion(p)), ""))
  model <- if (file.exists("/proc/cpuinfo")) {
    sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
  }
  machine <- paste(c(model, R.version.string, paste("BLAS", basename(extSoftVersion()["BLAS"])),
                     versions), collapse = "; ")
  writeLines(paste("#", machine), file)
  suppressWarnings(utils::write.table(results, file, sep = ",", row.names = FALSE, append = TRUE))
}
