# Rscript demo.R [folder]: a tour of the package; the figures go to the folder.
library(psdmodels)

folder <- c(commandArgs(TRUE), "demo-figures")[1]
dir.create(folder, showWarnings = FALSE)

png(file.path(folder, "placeholder.png"))
plot(1:10, main = paste("psdmodels", packageVersion("psdmodels")))
invisible(dev.off())
