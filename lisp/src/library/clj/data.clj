;; Rows of data.

(defn aggregate-by [key value summary coll]
  (let [rows (ptc/with-field value (ptc/with-field key coll))]
    (update-vals (group-by key rows) (fn [items] (summary (map value items))))))

(defn filter-vals [pred m]
  (into (empty m) (filter (fn [entry] (pred (val entry))) m)))

(defn deep-merge [& maps]
  (apply merge-with
         (fn merged [a b]
           (if (and (map? a) (map? b)) (merge-with merged a b) b))
         maps))
