# What a call does that says nothing else: the defaults of everything that users call, on record.

# "name: argument = default, ..." of the functions that are exported and of the methods.
signatures <- function() {
  namespace <- asNamespace("psdmodels")
  methods <- .getNamespaceInfo(namespace, "S3methods")[, 3]
  names <- sort(unique(c(getNamespaceExports(namespace), methods)), method = "radix")
  unlist(lapply(names, function(name) {
    defaults <- formals(get(name, namespace))
    given <- vapply(defaults, function(value) deparse1(value), "")
    given <- given[nzchar(given) & given != "NULL"]
    if (length(given) > 0) paste0(name, ": ", paste(names(given), "=", given, collapse = ", "))
  }))
}

test_that("defaults of functions and methods are those on record", {
  expect_snapshot(writeLines(signatures()))
})

test_that("settings that are not given are those on record", {
  expect_snapshot({
    print(psd_control())
    print(psd_control("fista"))
    print(psd_tune())
    print(psd_widths())
    print(psd_lebesgue())
    print(psd_gaussian())
    print(psd_cone())
  })
})
