(flow/sequence [:pruner :filler :enricher :evaluator])
