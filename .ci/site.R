# Rscript .ci/site.R: build the site of the installed package into .build/site.
options(warn = 1)
pkgdown::build_site(override = list(destination = ".build/site"), preview = FALSE, install = FALSE,
                    new_process = FALSE, devel = FALSE)
pages <- list.files(".build/site", "[.]html$", recursive = TRUE)
cat(length(pages), "pages in .build/site\n")
