(defn walk/walk [inner outer form]
  (cond
    (map-entry? form) (outer (MapEntry/create (inner (key form)) (inner (val form))))
    (list? form) (outer (apply list (map inner form)))
    (seq? form) (outer (map inner form))
    (coll? form) (outer (into (empty form) (map inner form)))
    :else (outer form)))

(defn walk/postwalk [f form]
  (walk/walk (fn [part] (postwalk f part)) f form))

(defn walk/prewalk [f form]
  (walk/walk (fn [part] (prewalk f part)) identity (f form)))

(defn walk/keywordize-keys [form]
  (let [turn (fn [[k v]] (if (string? k) [(keyword k) v] [k v]))]
    (walk/postwalk (fn [x] (if (map? x) (into {} (map turn x)) x)) form)))

(defn walk/stringify-keys [form]
  (let [turn (fn [[k v]] (if (keyword? k) [(name k) v] [k v]))]
    (walk/postwalk (fn [x] (if (map? x) (into {} (map turn x)) x)) form)))

(defn walk/postwalk-replace [smap form]
  (walk/postwalk (fn [x] (if (contains? smap x) (smap x) x)) form))

(defn walk/prewalk-replace [smap form]
  (walk/prewalk (fn [x] (if (contains? smap x) (smap x) x)) form))
