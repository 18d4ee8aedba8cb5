(loop [good ctx/first, bad ctx/last]
  (if (= (inc good) bad)
    (return bad)
    (let [middle (quot (+ good bad) 2)]
      (if (call "passes" {:branch ctx/branch :build middle})
        (recur middle bad)
        (recur good middle)))))
