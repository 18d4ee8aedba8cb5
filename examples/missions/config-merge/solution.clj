(defn merge-deep [a b]
  (if (and (map? a) (map? b))
    (filter-vals some? (merge-with merge-deep a b))
    b))
(defn flatten-keys [m]
  (into {} (for [[key value] m
                 [path leaf] (if (map? value) (flatten-keys value) {nil value})]
             [(str/join "." (remove nil? [key path])) leaf])))
(return (flatten-keys (reduce merge-deep ctx/defaults ctx/layers)))
