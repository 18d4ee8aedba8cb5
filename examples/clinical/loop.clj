(flow/loop [:pruner :filler :enricher :evaluator] {:max 5})
