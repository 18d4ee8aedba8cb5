; Replacements of builtins that receive a lazy sequence. `clojure.core/name` is the builtin itself.

(defn ptc/sequence [xf & colls] (apply ptc/stream xf colls))

(defn disj [s & ks]
  (apply clojure.core/disj (if (ptc/lazy? s) () s) (map ptc/realized ks)))

(defn seq [xs] (if (ptc/step xs) xs nil))

(defn first [xs] (clojure.core/first (ptc/take 1 xs)))

(defn second [xs] (first (ptc/drop 1 (ptc/take 2 xs))))

(defn ffirst [xs] (first (first xs)))

(defn rest [xs] (ptc/drop 1 xs))

(defn next [xs] (seq (ptc/drop 1 xs)))

(defn nth
  ([xs n]
   (let [n (long n), x (if (neg? n) nil (ptc/step (ptc/drop n xs)))]
     (if x (x 0) (ptc/no-item n))))
  ([xs n default]
   (let [n (long n), x (if (neg? n) nil (ptc/step (ptc/drop n xs)))]
     (if x (x 0) default))))

(defn take [n xs]
  (if (ptc/has-room? n) (ptc/take n xs) (ptc/take-far n xs)))

(defn drop [n xs] (ptc/drop n xs))

(defn nthrest [xs n] (ptc/drop n xs))

(defn concat [& colls] (ptc/chain colls))

(defn flatten [xs]
  (if (ptc/holds-lazy? xs)
    ((fn each [work endless]
       (ptc/lazy endless
         (fn []
           (loop [work work endless endless]
             (if (seq work)
               (let [x (ptc/step (first work))]
                 (cond
                   (nil? x) (recur (rest work) endless)
                   (sequential? (x 0))
                   (recur (cons (x 0) (cons (x 1) (rest work)))
                          (or endless (ptc/endless? (x 0))))
                   :else
                   (cons (x 0) (each (cons (x 1) (rest work)) endless)))))))))
     (if (sequential? xs) (list xs) ()) (ptc/endless? xs))
    (ptc/flatten xs)))

(defn interleave [& colls]
  (let [rows (apply map list colls)] (ptc/flat rows (ptc/endless? rows))))

(defn partition
  ([n xs] (partition n n xs))
  ([n step xs]
   (ptc/lazy (and (int? n) (ptc/endless? xs))
     (fn []
       (let [group (ptc/take n xs)]
         (if (and (= n (count group)) (or (seq group) (ptc/step xs)))
           (cons group (partition n step (ptc/drop step xs))))))))
  ([n step pad xs]
   (ptc/lazy (and (int? n) (ptc/endless? xs))
     (fn []
       (let [group (ptc/take n xs)]
         (cond
           (not (or (seq group) (ptc/step xs))) nil
           (= n (count group)) (cons group (partition n step pad (ptc/drop step xs)))
           :else (list (ptc/take n (concat group pad)))))))))

(defn partition-all
  ([n xs] (partition-all n n xs))
  ([n step xs]
   (ptc/lazy (ptc/endless? xs)
     (fn []
       (let [group (ptc/take n xs)]
         (if (or (seq group) (ptc/step xs))
           (cons group (partition-all n step (ptc/drop step xs)))))))))

(defn split-at [n xs]
  [(take n xs)
   (if (ptc/has-room? n)
     (ptc/drop n xs)
     (ptc/lazy (ptc/endless? xs) (fn [] (ptc/drop n xs))))])

(defn empty? [xs] (nil? (ptc/step xs)))

(defn ptc/item [xs n]
  (let [x (ptc/step (ptc/drop n xs))] (if x (x 0) nil)))

(defn ptc/seq-item [xs n]
  (let [x (ptc/step (ptc/drop n xs))] (if x (x 0) nil)))

(defn ptc/rest-from [xs n] (seq (ptc/drop n xs)))

(defn ptc/as-map [x] (ptc/as-map (ptc/all x)))

(defn reductions
  ([f xs] (let [x (ptc/step xs)] (if x (reductions f (x 0) (x 1)) (list (f)))))
  ([f init xs]
   (if (reduced? init)
     (list @init)
     (cons init
           (ptc/lazy false
             (fn []
               (let [x (ptc/step xs)]
                 (if x (reductions f (f init (x 0)) (x 1))))))))))

(defn apply [f & args] (ptc/apply f (clojure.core/apply list* args)))

(defn =
  ([x] true)
  ([x y]
   (if (or (ptc/holds-lazy? x) (ptc/holds-lazy? y)) (ptc/same x y) (ptc/equal x y)))
  ([x y & more] (if (clojure.core/= x y) (apply clojure.core/= y more) false)))

(defn not= [& xs] (not (apply = xs)))

(defn zipmap [ks vs]
  (let [[ks vs] (ptc/level [ks vs])] (clojure.core/zipmap (ptc/all ks) (ptc/all vs))))

(defn find [m k]
  (clojure.core/find (if (ptc/lazy? m) () m) (ptc/realized k)))

(defn dissoc [m & ks]
  (apply clojure.core/dissoc (if (ptc/lazy? m) () m) (map ptc/realized ks)))

(defn map [f & colls]
  (let [colls (ptc/level colls)]
    (if (every? ptc/lazy? colls)
      ((fn each [colls]
         (ptc/lazy (every? ptc/endless? colls)
           (fn []
             (let [steps (clojure.core/map ptc/step colls)]
               (if (every? some? steps)
                 (cons (apply f (clojure.core/map first steps))
                       (each (clojure.core/map second steps))))))))
       colls)
      (apply clojure.core/map f colls))))

(defn mapv [f & colls]
  (apply clojure.core/mapv f (map ptc/all (ptc/level colls))))

(defn mapcat [f & colls]
  (let [parts (apply map f colls)]
    (if (or (ptc/lazy? parts) (some ptc/lazy? parts))
      (ptc/chain parts)
      (apply concat parts))))

(defn split-with [p xs]
  (let [front (take-while p xs)]
    [front (if (ptc/lazy? front)
             (ptc/lazy (ptc/endless? xs) (fn [] (drop-while p xs)))
             (drop-while p xs))]))

(defn list* [& args]
  (let [[last & others] (reverse args)]
    (if others (reduce (fn [tail x] (cons x tail)) last others) (seq last))))

(defn nthnext [xs n] (seq (ptc/drop n xs)))

(defn nfirst [xs] (next (first xs)))

(defn nnext [xs] (next (next xs)))

(defn fnext [xs] (first (next xs)))

(defn take-nth [n xs]
  ((fn each [xs skip]
     (ptc/lazy (ptc/endless? xs)
       (fn []
         (let [xs (ptc/drop skip xs), x (ptc/step xs)]
           (if x (cons (x 0) (each xs n)))))))
   xs 0))

(defn sequence [xs] (or (seq xs) ()))

(defn get
  ([coll k] (if (ptc/lazy? coll) nil (clojure.core/get coll (ptc/realized k))))
  ([coll k default]
   (if (ptc/lazy? coll) default (clojure.core/get coll (ptc/realized k) default))))

(defn contains? [coll k]
  (clojure.core/contains? (if (ptc/lazy? coll) () coll) (ptc/realized k)))

(defn empty [xs] ())

(defn not-empty [xs] (if (ptc/step xs) xs nil))

(defn pmap [f & colls]
  (apply clojure.core/pmap f (map ptc/all (ptc/level colls))))
