; Lazy sequences, and the functions that walk them.

; A cell holds f and x as arguments, so that all cells share one function.
(defn iterate [f x] (cons x (ptc/lazy true ptc/iterate-after f x)))

(defn ptc/iterate-after [f x] (iterate f (f x)))

(defn cycle [coll]
  (let [all (seq coll)]
    (if all
      ((fn around [items]
         (cons (first items)
               (ptc/lazy true (fn [] (around (or (next items) all))))))
       all)
      ())))

(defn ptc/realized [x]
  (if (ptc/holds-lazy? x)
    (walk/walk realized identity (ptc/all x))
    x))

(defn ptc/with-all [f & args] (apply f (map ptc/all args)))

(defn ptc/with-realized [f x] (f (ptc/realized x)))

(defn ptc/level [colls]
  (let [finite (remove ptc/lazy? colls)]
    (if (empty? finite)
      colls
      (let [n (apply min (map count finite))]
        (map (fn [c] (if (ptc/lazy? c) (ptc/take n c) c)) colls)))))

; A part that is used up is replaced by the rest behind it. So a sequence whose tail is another of
; its kind takes the same time for every item.
(defn ptc/append [xs ys]
  (ptc/lazy (or (ptc/endless? xs) (ptc/endless? ys))
    (fn []
      (let [x (ptc/step xs)]
        (cond
          (nil? x) ys
          (and (ptc/lazy? ys) (ptc/over? (x 1))) (cons (x 0) ys)
          :else (cons (x 0) (append (x 1) ys)))))))

(defn ptc/flat [colls endless]
  (ptc/lazy endless
    (fn []
      (loop [colls colls]
        (let [c (ptc/step colls)]
          (if c
            (if (ptc/over? (c 1))
              (c 0)
              (let [x (ptc/step (c 0))]
                (if x
                  (cons (x 0) (ptc/append (x 1) (flat (c 1) endless)))
                  (recur (c 1)))))))))))

(defn ptc/chain [colls]
  (if (ptc/lazy? colls)
    (ptc/flat colls (ptc/endless? colls))
    (let [[last & others] (reverse colls)]
      (reduce (fn [tail xs] (ptc/append xs tail)) last others))))

(defn ptc/take-far [n xs]
  (ptc/lazy false
    (fn []
      (let [x (and (pos? n) (ptc/step xs))]
        (if x (cons (x 0) (take-far (dec n) (x 1))))))))

; Two endless sequences that agree for long count as too long to compare: `ptc/all` says so.
(defn ptc/same [x y]
  (cond
    (identical? x y) true
    (and (sequential? x) (sequential? y))
    (loop [x x y y n 0]
      (let [a (ptc/step x) b (ptc/step y)]
        (cond
          (nil? a) (nil? b)
          (nil? b) false
          (not (same (a 0) (b 0))) false
          (and (= n 10000) (ptc/endless? x) (ptc/endless? y)) (ptc/all x)
          :else (recur (a 1) (b 1) (inc n)))))
    (or (ptc/lazy? x) (ptc/lazy? y)) false
    (and (map? x) (map? y))
    (and (= (count x) (count y))
         (every? (fn [[k v]] (and (contains? y k) (same v (get y k)))) x))
    :else (ptc/equal (ptc/realized x) (ptc/realized y))))

; A function with a rest parameter receives the sequence itself. A comparison ends at the first
; deciding pair.
(defn ptc/apply [f xs]
  (let [n (ptc/params f)]
    (cond
      n (let [others (ptc/drop n xs)]
          (if (ptc/step others)
            (ptc/call f (ptc/take n xs) others)
            (clojure.core/apply f (ptc/take n xs))))
      (= f concat) (ptc/chain xs)
      (= f not=) (not (clojure.core/apply = xs))
      (and (or (= f =) (= f ==) (= f <) (= f <=) (= f >) (= f >=)) (ptc/step xs))
      (loop [a (ptc/step xs)]
        (let [b (ptc/step (a 1))]
          (cond (nil? b) true (f (a 0) (b 0)) (recur b) :else false)))
      :else (clojure.core/apply f (ptc/all xs)))))

(defn ptc/for [ends f coll]
  (if (ptc/lazy? coll)
    (ptc/lazy (and (not ends) (ptc/endless? coll))
      (fn []
        (loop [coll coll]
          (let [x (ptc/step coll)]
            (if x
              (let [some (f (x 0))]
                (cond
                  (reduced? some) (seq @some)
                  (= 0 (count some)) (recur (x 1))
                  :else (ptc/append some (for ends f (x 1))))))))))
    (ptc/as-list
      (reduce (fn [all x]
                (let [some (f x)]
                  (if (reduced? some) (reduced (into all @some)) (into all some))))
              [] coll))))
