# The everyday commands; each installs first what it needs (.ci/setup).
#   make demo            a tour with figures
#   make test            all tests; make test F=loss for those of test-loss.R

CPP = $(filter-out src/RcppExports.cpp,$(wildcard src/*.cpp src/*.h))
RELEASE_LIB = R_LIBS="$(CURDIR)/.build/release/library:$$R_LIBS"
STRICT_LIB = R_LIBS="$(CURDIR)/.build/strict/library:$$R_LIBS"

.PHONY: all setup demo test check bench accuracy paper document lint format vignettes site clean

all: document lint test

setup:
	@.ci/setup check

demo:
	@.ci/setup run
	@.ci/install release
	@mkdir -p demo-figures
	@$(RELEASE_LIB) Rscript inst/demo/demo.R demo-figures
	@echo "The figures are in $(CURDIR)/demo-figures"

test:
	@.ci/setup test
	@.ci/install strict
	@$(STRICT_LIB) Rscript .ci/test.R $(F)

check:
	@.ci/setup check
	@.ci/check

bench:
	@.ci/setup bench
	@.ci/install release
	@set -e; for script in inst/bench/*.R; do \
	  echo "== $$script"; $(RELEASE_LIB) Rscript $$script; \
	done

# The committed table of scores against rivals: hours; make accuracy SECTION=bounds SAMPLES=2 for less.
SECTION = all
SAMPLES = 10
accuracy:
	@.ci/setup bench
	@.ci/install release
	@$(RELEASE_LIB) Rscript inst/bench/accuracy.R section=$(SECTION) samples=$(SAMPLES) \
	  table=inst/bench/accuracy/results.csv

# What the vignette `paper` reads; half an hour.
paper:
	@.ci/setup run
	@.ci/install release
	@set -e; for script in figure1 ncm density10d; do \
	  $(RELEASE_LIB) Rscript inst/paper/$$script.R; \
	done

# From the sources, not the compiled package: quick, and a stale NAMESPACE cannot stand in the way.
document:
	@.ci/setup check
	@Rscript -e 'Rcpp::compileAttributes()' -e \
	  'suppressPackageStartupMessages(roxygen2::roxygenise(load_code = "source"))'

lint:
	@.ci/setup check
	@.ci/lint

format:
	clang-format -i $(CPP)

vignettes:
	@.ci/setup check
	@.ci/install release
	@$(RELEASE_LIB) Rscript -e \
	  'for (f in Sys.glob("vignettes/*.Rmd")) rmarkdown::render(f, output_dir = ".build/vignettes")'

# The site, into .build/site; its articles are the vignettes.
site:
	@.ci/setup site
	@.ci/install release
	@$(RELEASE_LIB) Rscript .ci/site.R

clean:
	rm -rf .build demo-figures src/*.o src/*.so src/*.d
