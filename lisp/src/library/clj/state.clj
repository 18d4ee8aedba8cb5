; A call with one short scalar makes no list. It pays what a list would.
(defn memoize [f]
  (let [seen (atom {})]
    (fn
      ([x]
       (if (ptc/is-own-key x)
         (let [found (find @seen x)]
           (ptc/pay 2)
           (if found
             (val found)
             (let [value (f x)]
               (ptc/pay 5)
               (swap! seen assoc x value)
               value)))
         (ptc/remembered seen f [x])))
      ([] (ptc/remembered seen f nil))
      ([x y & more] (ptc/remembered seen f (conj more y x))))))

(defn ptc/remembered [seen f args]
  (let [key (ptc/memo-key args)
        found (find @seen key)]
    (if found
      (val found)
      (let [value (apply f args)]
        (swap! seen assoc key value)
        value))))
