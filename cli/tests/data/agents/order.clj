(let [[item boxes] (str/split ctx/message #", ")
      before (artifact/get "order" {:lines [] :boxes 0})
      count (parse-long (first (str/split boxes #" ")))
      order {:lines (conj (vec (:lines before)) ctx/message)
             :boxes (+ (:boxes before) count)}]
  (artifact/put "order" order)
  (:boxes order))
