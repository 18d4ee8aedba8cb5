(defn walk/walk [inner outer form]
  (cond
    (map-entry? form) (outer (MapEntry/create (inner (key form)) (inner (val form))))
    (list? form) (outer (apply list (map inner form)))
    (seq? form) (outer (map inner form))
    (coll? form) (outer (into (empty form) (map inner form)))
    :else (outer form)))

; Each part of a walk pays for its visit. Shared parts are visited at each of their places, so few of them can make any
; number of visits.
(defn walk/postwalk [f form]
  ((fn visit [part]
     (f
       (cond
         (not (ptc/visited-coll? part)) part
         (map-entry? part) (MapEntry/create (visit (key part)) (visit (val part)))
         (vector? part) (mapv visit part)
         (list? part) (apply list (map visit part))
         (seq? part) (map visit part)
         :else (into (empty part) (map visit part)))))
   form))

(defn walk/prewalk [f form]
  ((fn visit [form]
     (let [part (f form)]
       (cond
         (not (ptc/visited-coll? part)) part
         (map-entry? part) (MapEntry/create (visit (key part)) (visit (val part)))
         (vector? part) (mapv visit part)
         (list? part) (apply list (map visit part))
         (seq? part) (map visit part)
         :else (into (empty part) (map visit part)))))
   form))

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
