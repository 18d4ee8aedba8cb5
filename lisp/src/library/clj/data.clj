;; Rows of data.

(defn aggregate-by [key value summary coll]
  (update-vals (group-by key coll) (fn [items] (summary (map value items)))))

(defn filter-vals [pred m]
  (into (empty m) (filter (fn [entry] (pred (val entry))) m)))
