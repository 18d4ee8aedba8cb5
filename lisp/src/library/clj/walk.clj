; The parts of a form, each replaced by what `visit` makes of it. Each part pays for its visit: shared parts are visited at
; each of their places, so few of them can make any number of visits.
(defn ptc/with-parts [visit form]
  (cond
    (not (ptc/visited-coll? form)) form
    (map-entry? form) (MapEntry/create (visit (key form)) (visit (val form)))
    (vector? form) (mapv visit form)
    (list? form) (apply list (map visit form))
    (seq? form) (map visit form)
    :else (into (empty form) (map visit form))))

(defn walk/walk [inner outer form]
  (outer (ptc/with-parts inner form)))

(defn walk/postwalk [f form]
  ((fn visit [part] (f (ptc/with-parts visit part))) form))

(defn walk/prewalk [f form]
  ((fn visit [part] (ptc/with-parts visit (f part))) form))

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
