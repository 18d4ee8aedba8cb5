(defn random-sample [prob coll]
  (filter (fn [_] (< (rand) prob)) coll))
