(defn sorted-map-by [f & keyvals]
  (reduce ptc/add (ptc/sorted-by f true) (apply ptc/entries keyvals)))

(defn sorted-set-by [f & members]
  (reduce ptc/add (ptc/sorted-by f false) members))

(defn subseq
  ([coll test key]
   (let [order (ptc/number-from (ptc/order-of coll))
         key-of (if (map? coll) first identity)]
     (seq (filter (fn [item] (test (order (key-of item) key) 0)) coll))))
  ([coll test1 key1 test2 key2]
   (let [order (ptc/number-from (ptc/order-of coll))
         key-of (if (map? coll) first identity)]
     (seq (filter (fn [item]
                    (and (test1 (order (key-of item) key1) 0)
                         (test2 (order (key-of item) key2) 0)))
                  coll)))))

(defn rsubseq [& args] (seq (reverse (apply subseq args))))

(defn ptc/add [coll x]
  (cond
    (set? coll) (ptc/put coll x nil)
    (nil? x) coll
    (map? x) (reduce-kv ptc/put coll x)
    :else (let [entry (conj {} x)] (ptc/put coll (first (keys entry)) (first (vals entry))))))

(defn ptc/number-from [f]
  (fn [a b]
    (let [answer (f a b)]
      (cond (number? answer) answer answer -1 (f b a) 1 :else 0))))
