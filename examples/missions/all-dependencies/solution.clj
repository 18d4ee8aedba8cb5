(loop [open (call "dependencies" {:package ctx/package}), seen #{}]
  (if-let [package (first open)]
    (if (seen package)
      (recur (rest open) seen)
      (recur (concat (rest open) (call "dependencies" {:package package})) (conj seen package)))
    (return (sort (disj seen ctx/package)))))
