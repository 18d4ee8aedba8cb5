(defn merge-deep [a b]
  (reduce (fn [result [key value]]
            (let [before (get result key)]
              (cond
                (nil? value) (dissoc result key)
                (and (map? value) (map? before)) (assoc result key (merge-deep before value))
                :else (assoc result key value))))
          a
          b))
(defn flatten-keys [prefix m]
  (mapcat (fn [[key value]]
            (let [path (str prefix key)]
              (if (map? value) (flatten-keys (str path ".") value) [[path value]])))
          m))
(return (into {} (flatten-keys "" (reduce merge-deep ctx/defaults ctx/layers))))
