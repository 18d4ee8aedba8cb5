; The functions of few arguments pay what `apply` and `mapv` would, and make no lists.
(defn comp
  ([] identity)
  ([f] f)
  ([f g]
   (fn
     ([] (f (g)))
     ([x] (ptc/pay 1) (f (g x)))
     ([x y & more] (ptc/pay 2) (f (apply g x y more)))))
  ([f g & more] (comp f (apply comp g more))))

(defn partial
  ([f] f)
  ([f & args] (fn [& more] (apply f (concat args more)))))

(defn complement [f]
  (fn
    ([] (not (f)))
    ([x] (ptc/pay 1) (not (f x)))
    ([x y & more] (ptc/pay 2) (not (apply f x y more)))))

(defn constantly [x] (fn [& _] x))

(defn juxt [& fs]
  (let [n (count fs)
        f (nth fs 0)
        g (nth fs 1 nil)]
    (if (= n 2)
      (fn
        ([] (ptc/pay 1) (let [a (f)] (ptc/pay 1) (let [b (g)] (ptc/pay 1) [a b])))
        ([x] (ptc/pay 2) (let [a (f x)] (ptc/pay 2) (let [b (g x)] (ptc/pay 1) [a b])))
        ([x y & more] (mapv (fn [f] (ptc/pay 2) (apply f x y more)) fs)))
      (fn
        ([] (mapv (fn [f] (f)) fs))
        ([x] (mapv (fn [f] (ptc/pay 1) (f x)) fs))
        ([x y & more] (mapv (fn [f] (ptc/pay 2) (apply f x y more)) fs))))))

(defn fnil
  ([f x]
   (fn
     ([a] (f (if (nil? a) x a)))
     ([a b] (ptc/pay 1) (f (if (nil? a) x a) b))
     ([a b c & more] (apply f (if (nil? a) x a) b c more))))
  ([f x y] (fn [a b & more] (apply f (if (nil? a) x a) (if (nil? b) y b) more)))
  ([f x y z]
   (fn [a b c & more]
     (apply f (if (nil? a) x a) (if (nil? b) y b) (if (nil? c) z c) more))))

(defn every-pred [& ps]
  (fn [& xs] (every? (fn [p] (every? p xs)) ps)))

(defn some-fn [& fs]
  (fn [& xs]
    (reduce (fn [last f]
              (let [found (reduce (fn [last x] (let [r (f x)] (if r (reduced r) r))) last xs)]
                (if found (reduced found) found)))
            nil fs)))

(defn trampoline [f & args]
  (loop [value (apply f args)]
    (if (fn? value) (recur (value)) value)))

(defn repeatedly
  ([f] (ptc/lazy true (fn [] (cons (f) (repeatedly f)))))
  ([n f] (map (fn [_] (f)) (range n))))
