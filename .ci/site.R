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
# Articles have formulas in spans, between \( and \) or \[ and \]; help pages between dollars.
formulas <- r"-((?s)<span class="math (?:inline|display)">.*?</span>|\$\$[^$]+\$\$)-"
with_mathml <- function(html) {
  found <- gregexpr(formulas, html, perl = TRUE)
  formula <- regmatches(html, found)[[1]]
  if (length(formula) == 0) return(html)
  inner <- trimws(unescaped(gsub("<[^>]*>", "", formula)))
  tex <- gsub("\\s+", " ", trimws(substr(inner, 3, nchar(inner) - 2)))
  mark <- ifelse(startsWith(inner, "\\("), "$", "$$")
  regmatches(html, found) <- list(as_mathml(paste0(mark, tex, mark)))
  gsub("(?s)<!-- mathjax -->.*?(?=<!--|</head>)", "", html, perl = TRUE)
}

# What is on the page: pkgdown leaves this list to a script from the network, too.
with_contents <- function(html) {
  heading <- r"-((?s)<h2 id="([^"]+)"[^>]*>(.*?)<a class="anchor".*?</h2>)-"
  found <- regmatches(html, gregexpr(heading, html, perl = TRUE))[[1]]
  link <- sub(heading, r"-(<li><a class="nav-link" href="#\1">\2</a></li>)-", found, perl = TRUE)
  contents <- paste0("<nav><h2>On this page</h2><ul class=\"nav flex-column\">",
                     paste(link, collapse = "\n"), "</ul></nav>")
  if (length(link) == 0) contents <- ""
  place <- regexpr(r"-((?s)<nav id="toc".*?</nav>)-", html, perl = TRUE)
  paste(regmatches(html, place, invert = TRUE)[[1]], collapse = contents)
}

# Commands of TeX outside of code and of what has become MathML.
has_tex <- function(html) {
  plain <- gsub("(?s)<(math|pre|code|script)\\b.*?</\\1>", "", html, perl = TRUE)
  grepl(r"-(\$\$|\\[a-z]+\{|\\[(\[])-", plain)
}

for (page in pages) {
  html <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  html <- with_contents(with_mathml(html))
  if (has_tex(html)) stop("a formula is left as TeX in ", page)
  writeLines(html, page, useBytes = TRUE)
}
cat(length(pages), "pages in", site, "\n")
