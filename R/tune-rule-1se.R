# The rule "1se": the largest penalty within one standard error of the lowest score.

rule_1se <- function() {
  new_rule(choose = function(scorer, n) {
    table <- scorer$table()
    best <- which.min(table$score)
    near <- which(table$score <= table$score[best] + table$se[best])
    penalty <- rowSums(log(table[near, grep("^lambda", names(table)), drop = FALSE]))
    near[order(-penalty, table$score[near])[1]]
  })
}
