(defn vswap! [volatile f & args]
  (vreset! volatile (apply f @volatile args)))
