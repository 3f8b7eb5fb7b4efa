# The rule "min": the lowest score.

rule_min <- function() new_rule(choose = function(scorer, n) which.min(scorer$scores()))
