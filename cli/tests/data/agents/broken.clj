; Divides.
(def rest (- ctx/n 1))
(return (/ 5 rest))
