# Dates and times: numbers to the fit, days or seconds since 1970, and dates again on the axes of
# pictures.

is_date <- function(values) inherits(values, c("Date", "POSIXct"))

# The class of each column that has dates, by name; NULL if none has.
date_classes <- function(columns) {
  dates <- Filter(is_date, as.list(columns))
  if (length(dates) > 0) vapply(dates, function(v) class(v)[1], "")
}

# Numbers of a column as what they are.
as_shown <- function(values, recipe, column) {
  class <- if (column %in% names(recipe$dates)) recipe$dates[[column]] else "number"
  switch(class, Date = .Date(values), POSIXct = .POSIXct(values), values)
}

# For a ggplot with numbers along `scale`, which makes an axis: a scale if they are dates.
date_scale <- function(recipe, column, scale) {
  if (!column %in% names(recipe$dates)) return(NULL)
  scale(breaks = function(limits) as.numeric(pretty(as_shown(limits, recipe, column))),
        labels = function(at) format(as_shown(at, recipe, column)))
}
