# The everyday commands; each installs first what it needs (.ci/setup).
#   make demo            a tour with figures
#   make test            all tests; make test F=loss for those of test-loss.R
#   make fuzz N=1000     random calls, each of which must give a sound fit or a classed condition

CPP = $(filter-out src/RcppExports.cpp,$(wildcard src/*.cpp src/*.h))
RELEASE_LIB = R_LIBS="$(CURDIR)/.build/release/library:$$R_LIBS"
STRICT_LIB = R_LIBS="$(CURDIR)/.build/strict/library:$$R_LIBS"

.PHONY: all setup demo test check fuzz asan valgrind mutate coverage bench accuracy paper document lint \
  format vignettes figures site clean

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

# Random calls; make fuzz SEED=5 CASE=17 for one that was found.
N = 10000
SEED = 1
BUILD = release
fuzz:
	@.ci/setup test
	@.ci/install $(BUILD)
	@R_LIBS="$(CURDIR)/.build/$(BUILD)/library:$$R_LIBS" Rscript .ci/fuzz.R $(N) $(SEED) $(CASE)

# The tests on a build with sanitizers, or under valgrind; make asan F="cone block" for some.
asan:
	@.ci/setup test
	@.ci/asan $(F)

valgrind:
	@.ci/setup test
	@.ci/valgrind $(F)

# How many small changes of R/ the tests find; make mutate N=60 SEED=1. The first run looks which
# lines each test runs: as long as all tests.
mutate: N = 60
mutate:
	@.ci/setup test
	@.ci/install strict
	@$(STRICT_LIB) Rscript .ci/mutate.R $(N) $(SEED)

coverage:
	@.ci/setup check
	@Rscript .ci/coverage.R

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

# The figures of README.md, into man/figures.
figures:
	@.ci/setup run
	@.ci/install release
	@$(RELEASE_LIB) Rscript inst/demo/readme.R

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
