# The rule "1se": the largest penalty within one standard error of the lowest score.

rule_1se <- function() {
  new_rule(choose = function(scorer, n) {
    table <- scorer$table()
    best <- which.min(table$score)
    error <- if (is.na(table$se[best])) 0 else table$se[best]  # of a single split
    near <- which(table$score <= table$score[best] + error)
    penalty <- rowSums(log(table[near, grep("^lambda", names(table)), drop = FALSE]))
    near[order(-penalty, table$score[near])[1]]
  })
}
