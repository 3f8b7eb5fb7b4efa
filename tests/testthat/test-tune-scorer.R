# A scorer of cells with known mean losses, on 48 rows in four splits.
known_scorer <- function(means, race, first = 1:4, most = Inf) {
  counts <- new.env()
  counts$scored <- integer(length(means))
  score <- function(held, cells) {
    counts$scored[cells[, 1]] <- counts$scored[cells[, 1]] + 1L
    outer(sin(held), means[cells[, 1]], "+") + 0.1 * outer(sin(1e4 * held), cells[, 1])
  }
  axes <- list(lambda = list(kind = "auto", origin = 1, step = 2, shared = TRUE))
  splits <- unname(split(1:48, rep(1:4, each = 12)))
  list(scorer = cell_scorer(score, rep(1, 48), axes, splits, first, best_cells, race,
                            function() sum(counts$scored) > most),
       counts = counts)
}

cells_of <- function(k) matrix(k, dimnames = list(NULL, "lambda"))

test_that("in a race a cell that is clearly behind is scored no further", {
  known <- known_scorer(c(1, 1, 3), TRUE)
  known$scorer$evaluate(cells_of(1:3))
  expect_identical(known$counts$scored, c(4L, 4L, 1L))
  # It keeps its distance to the best.
  scores <- known$scorer$scores()
  expect_lt(abs(scores[3] - scores[1] - 2), 0.3)
  expect_false(known$scorer$evaluate(cells_of(2)))
  all <- known_scorer(c(1, 1, 3), FALSE)
  all$scorer$evaluate(cells_of(1:3))
  expect_identical(all$counts$scored, c(4L, 4L, 4L))
})

test_that("the search stands where it is unless another cell is better by more than noise", {
  known <- known_scorer(c(1, 0.999, 0.5), TRUE)
  known$scorer$evaluate(cells_of(1:2))
  expect_identical(known$scorer$best()[["lambda"]], 1)
  known$scorer$evaluate(cells_of(3))
  expect_identical(known$scorer$best()[["lambda"]], 3)
})

test_that("leaders are scored on all splits, the others on the first", {
  known <- known_scorer(c(9, 1:8), FALSE, first = 1:2)
  known$scorer$evaluate(cells_of(1:9))
  expect_identical(known$counts$scored, rep(2L, 9))
  known$scorer$settle()
  expect_identical(known$counts$scored, rep(c(2L, 4L, 2L), c(1, 6, 2)))
})

test_that("clearly_worse() asks for a difference beyond chance", {
  set.seed(1)
  noise <- rnorm(50)
  above <- function(errors) noise - mean(noise) + errors * sd(noise) / sqrt(50)
  expect_false(clearly_worse(above(3), rep(1, 50)))
  expect_true(clearly_worse(above(5), rep(1, 50)))
  expect_true(clearly_worse(above(3), rep(1, 50), errors = 2.5))
  expect_false(clearly_worse(-abs(noise) - 10, rep(1, 50)))
  expect_false(clearly_worse(rep(1, 5), rep(1, 5)))  # too few rows to tell
})

test_that("a search leaps in a direction that pays, and ends where nothing beside is better", {
  axes <- list(sigma = list(kind = "auto", origin = 1, step = 2, shared = TRUE),
               lambda = list(kind = "auto", origin = 1, step = 2, shared = TRUE))
  seen <- NULL
  score <- function(cells) (cells[, 1] - 1)^2 + abs(cells[, 2] + 30)
  scorer <- list(
    evaluate = function(cells) {
      seen <<- unique(rbind(seen, cells))
      TRUE
    },
    best = function() seen[which.min(score(seen)), ], settle = function() NULL
  )
  search_cells(scorer, axes)
  expect_identical(unname(scorer$best()), c(1, -30))
  expect_lt(nrow(seen), 80)
})

test_that("a path of penalties ends where its losses are clearly above the lowest", {
  set.seed(1)
  x <- matrix(runif(300))
  box <- list(lower = 0, upper = 1, mean = 0, sd = Inf)
  problem <- density_problem(x, rep(1, 300), box, model_psd(), "gaussian")
  path <- lapply(10^-(0:7), function(lambda) {
    list(sigma = c(psd = 0.01), lambda = c(psd = lambda), ridge = 0.01)
  })
  losses <- path_losses(problem, tuning_control(psd_control()), 1:150, path)$losses
  known <- which(!is.na(losses[1, ]))
  expect_identical(known, seq_len(max(known)))
  expect_lt(max(known), 6)
  # by more than four standard errors at the end, and not before
  for (i in known[-1]) {
    above <- losses[, i] - losses[, which.min(colMeans(losses[, seq_len(i), drop = FALSE]))]
    errors <- mean(above) / (sd(above) / sqrt(150))
    expect_identical(isTRUE(errors > 4), i == max(known))
  }
})

test_that("a search that has spent what it may stays with what is known", {
  known <- known_scorer(c(3, 1, 2), FALSE, first = 1:2, most = 5)
  known$scorer$evaluate(cells_of(1:3))
  expect_identical(known$counts$scored, rep(2L, 3))
  expect_false(known$scorer$evaluate(cells_of(4)))
  known$scorer$settle()
  expect_identical(known$counts$scored, rep(2L, 3))
  expect_identical(which.min(known$scorer$scores()), 2L)
  # A split that has begun is finished, and others are not begun.
  short <- known_scorer(c(3, 1, 2), FALSE, most = 1)
  short$scorer$evaluate(cells_of(1:3))
  expect_identical(short$counts$scored, rep(1L, 3))
  expect_identical(which.min(short$scorer$scores()), 2L)
})
