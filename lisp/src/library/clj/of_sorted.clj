; Replacements of builtins that receive a collection which a function of the program sorts.

(defn set/union [s & sets]
  (reduce (fn [s more] (reduce ptc/add s more)) s sets))

(defn merge [m & maps] (reduce ptc/add m maps))

(defn merge-with [f m & maps]
  (reduce (fn [m more]
            (reduce-kv (fn [m k x]
                         (ptc/put m k (if (contains? m k) (f (get m k) x) x)))
                       m more))
          m maps))

(defn update [m k f & args]
  (ptc/put m k (apply f (get m k) args)))

(defn update-in [m [k & ks] f & args]
  (ptc/put m k (if ks
                 (apply clojure.core/update-in (get m k) ks f args)
                 (apply f (get m k) args))))

(defn conj [coll & xs] (reduce ptc/add coll xs))

(defn assoc [m & keyvals]
  (reduce ptc/add m (apply ptc/entries keyvals)))

(defn assoc-in [m [k & ks] x]
  (ptc/put m k (if ks (clojure.core/assoc-in (get m k) ks x) x)))

(defn into [coll xs] (reduce ptc/add coll xs))
