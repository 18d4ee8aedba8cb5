(defn ptc/json-read [key-fn value-fn array-fn field x]
  (cond
    (map? x) (reduce-kv (fn [all k v]
                          (let [key (key-fn k)
                                v (json-read key-fn value-fn array-fn k v)
                                out (if value-fn (value-fn key v) v)]
                            (if (and value-fn (identical? out value-fn))
                              all
                              (assoc all key out))))
                        {} x)
    (vector? x) (into (if (and array-fn (not (true? field))) (array-fn field) [])
                      (map (fn [v] (json-read key-fn value-fn array-fn nil v)) x))
    :else x))

(defn ptc/json-write [key-fn value-fn keywords x]
  (cond
    (map? x) (reduce-kv (fn [all k v]
                          (let [out (if value-fn (value-fn k v) v)
                                key (if (and key-fn (or (not keywords) (keyword? k)))
                                      (key-fn k)
                                      k)]
                            (if (and value-fn (identical? out value-fn))
                              all
                              (assoc all key (json-write key-fn value-fn keywords out)))))
                        {} x)
    (coll? x) (mapv (fn [v] (json-write key-fn value-fn keywords v)) x)
    :else x))
