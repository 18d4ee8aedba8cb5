(defn comp
  ([] identity)
  ([f] f)
  ([f g] (fn [& args] (f (apply g args))))
  ([f g & more] (comp f (apply comp g more))))

(defn partial
  ([f] f)
  ([f & args] (fn [& more] (apply f (concat args more)))))

(defn complement [f] (fn [& args] (not (apply f args))))

(defn constantly [x] (fn [& _] x))

(defn juxt [& fs]
  (fn [& args] (mapv (fn [f] (apply f args)) fs)))

(defn fnil
  ([f x] (fn [a & more] (apply f (if (nil? a) x a) more)))
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
