(defn memoize [f]
  (let [seen (atom {})]
    (fn [& args]
      (let [key (ptc/memo-key args)
            found (find @seen key)]
        (if found
          (val found)
          (let [value (apply f args)]
            (swap! seen assoc key value)
            value))))))
