# The rules behind `psd_tune(rule =)`.

# One line a rule.
rule_table <- function() {
  list(stack = rule_stack(), average = rule_average(), mean = rule_mean(), min = rule_min(),
       "1se" = rule_1se())
}

find_rule <- function(name, problem, axes) {
  rules <- rule_table()
  rules <- rules[seq(match(name, names(rules)), length(rules))]
  Find(function(rule) rule$applies(problem, axes), rules)
}
