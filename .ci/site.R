# Rscript .ci/site.R: build the site of the installed package into .build/site.
options(warn = 1)
site <- ".build/site"
pkgdown::build_site(override = list(destination = site), preview = FALSE, install = FALSE,
                    new_process = FALSE, devel = FALSE)
pages <- list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)

# Formulas: pkgdown leaves TeX to a script from the network; MathML needs neither.
as_mathml <- function(tex) {
  file <- tempfile(fileext = ".md")
  on.exit(unlink(file))
  writeLines(paste0(tex, "\n"), file, useBytes = TRUE)
  out <- system2("pandoc", c("--mathml", "--wrap=none", "-f", "markdown", "-t", "html", file),
                 stdout = TRUE)
  text <- paste(out, collapse = " ")
  math <- regmatches(text, gregexpr("<math.*?</math>", text, perl = TRUE))[[1]]
  stopifnot(length(math) == length(tex))
  math
}
unescaped <- function(html) {
  for (mark in list(c("&lt;", "<"), c("&gt;", ">"), c("&amp;", "&"))) {
    html <- gsub(mark[1], mark[2], html, fixed = TRUE)
  }
  html
}
for (page in pages) {
  html <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  found <- gregexpr('(?s)<span class="math (inline|display)">.*?</span>', html, perl = TRUE)
  spans <- regmatches(html, found)[[1]]
  if (length(spans) == 0) next
  inner <- unescaped(gsub("(?s)^<span[^>]*>|</span>$", "", spans, perl = TRUE))
  mark <- ifelse(startsWith(inner, "\\["), "$$", "$")
  tex <- gsub("\\s+", " ", trimws(substr(inner, 3, nchar(inner) - 2)))
  regmatches(html, found) <- list(as_mathml(paste0(mark, tex, mark)))
  html <- gsub("(?s)<!-- mathjax -->.*?(?=<!--|</head>)", "", html, perl = TRUE)
  writeLines(html, page, useBytes = TRUE)
}
cat(length(pages), "pages in", site, "\n")
