(defn vswap!
  ([volatile f] (vreset! volatile (f @volatile)))
  ([volatile f x] (ptc/pay 1) (vreset! volatile (f @volatile x)))
  ([volatile f x y & args] (ptc/pay 2) (vreset! volatile (apply f @volatile x y args))))
