(map :n ctx/rows)
