; Calls with one and two arguments make no lists. They pay what `apply`, `every?`, `reduce` and `mapv` over lists would.
; The arity of one argument is the first, which is found first.
(defn comp
  ([f g]
   (fn
     ([x] (ptc/pay 1) (f (g x)))
     ([x y] (ptc/pay 2) (f (g x y)))
     ([] (f (g)))
     ([x y & more] (ptc/pay 2) (f (apply g x y more)))))
  ([f g h]
   (ptc/pay 1)
   (fn
     ([x] (ptc/pay 2) (f (g (h x))))
     ([x y] (ptc/pay 4) (f (g (h x y))))
     ([] (f (g (h))))
     ([x y & more] (ptc/pay (+ 4 (count more))) (f (g (apply h x y more))))))
  ([f] f)
  ([] identity)
  ([f g h & more] (ptc/pay 1) (comp f (apply comp g h more))))

(defn partial
  ([f a]
   (fn
     ([x] (ptc/pay 4) (f a x))
     ([x y] (ptc/pay 6) (f a x y))
     ([] (ptc/pay 2) (f a))
     ([x y & more] (ptc/pay 6) (apply f a x y (concat more)))))
  ([f a b]
   (fn
     ([x] (ptc/pay 6) (f a b x))
     ([x y] (ptc/pay 8) (f a b x y))
     ([] (ptc/pay 4) (f a b))
     ([x y & more] (ptc/pay 8) (apply f a b x y (concat more)))))
  ([f] f)
  ([f a b & args] (fn [& more] (ptc/pay 4) (apply f a b (concat args more)))))

(defn complement [f]
  (fn
    ([x] (ptc/pay 1) (not (f x)))
    ([x y] (ptc/pay 2) (not (f x y)))
    ([] (not (f)))
    ([x y & more] (ptc/pay 2) (not (apply f x y more)))))

(defn constantly [x] (fn ([_] x) ([_ _] x) ([] x) ([_ _ & _] x)))

(defn juxt
  ([f g]
   (fn
     ([x] (ptc/pay 2) (let [a (f x)] (ptc/pay 2) (let [b (g x)] (ptc/pay 1) [a b])))
     ([x y] (ptc/pay 3) (let [a (f x y)] (ptc/pay 3) (let [b (g x y)] (ptc/pay 1) [a b])))
     ([] (ptc/pay 1) (let [a (f)] (ptc/pay 1) (let [b (g)] (ptc/pay 1) [a b])))
     ([x y & more] (mapv (fn [f] (ptc/pay 2) (apply f x y more)) [f g]))))
  ([f g h]
   (fn
     ([x]
      (ptc/pay 2)
      (let [a (f x)]
        (ptc/pay 2)
        (let [b (g x)] (ptc/pay 2) (let [c (h x)] (ptc/pay 1) [a b c]))))
     ([] (mapv (fn [f] (f)) [f g h]))
     ([x y & more] (mapv (fn [f] (ptc/pay 2) (apply f x y more)) [f g h]))))
  ([f] (fn [& xs] (ptc/pay 1) (let [a (apply f xs)] (ptc/pay 1) [a])))
  ([f g h & more]
   (let [fs (conj more h g f)]
     (fn
       ([x] (mapv (fn [f] (ptc/pay 1) (f x)) fs))
       ([] (mapv (fn [f] (f)) fs))
       ([x y & more] (mapv (fn [f] (ptc/pay 2) (apply f x y more)) fs))))))

(defn fnil
  ([f x]
   (fn
     ([a] (f (if (nil? a) x a)))
     ([a b] (ptc/pay 1) (f (if (nil? a) x a) b))
     ([a b c & more] (apply f (if (nil? a) x a) b c more))))
  ([f x y]
   (fn [a b & more]
     (if more
       (apply f (if (nil? a) x a) (if (nil? b) y b) more)
       (f (if (nil? a) x a) (if (nil? b) y b)))))
  ([f x y z]
   (fn [a b c & more]
     (if more
       (apply f (if (nil? a) x a) (if (nil? b) y b) (if (nil? c) z c) more)
       (f (if (nil? a) x a) (if (nil? b) y b) (if (nil? c) z c))))))

(defn ptc/every-of [ps x y more]
  (every? (fn [p]
            (ptc/pay 1)
            (if (p x) (do (ptc/pay 1) (if (p y) (every? p more) false)) false))
          ps))

(defn every-pred
  ([p q]
   (fn
     ([x] (ptc/pay 2) (if (p x) (do (ptc/pay 3) (if (q x) (do (ptc/pay 2) true) false)) false))
     ([] (ptc/pay 5) true)
     ([x y & more] (ptc/every-of [p q] x y more))))
  ([p]
   (fn
     ([x] (ptc/pay 2) (if (p x) (do (ptc/pay 2) true) false))
     ([] (ptc/pay 3) true)
     ([x y & more] (ptc/every-of [p] x y more))))
  ([p q & ps]
   (let [ps (conj ps q p)]
     (fn
       ([x] (every? (fn [p] (ptc/pay 1) (if (p x) (do (ptc/pay 1) true) false)) ps))
       ([] (every? (fn [_] (ptc/pay 1) true) ps))
       ([x y & more] (ptc/every-of ps x y more))))))

(defn ptc/some-of [fs x y more]
  (reduce (fn [_ f]
            (ptc/pay 1)
            (let [r (f x)]
              (if r
                (do (ptc/pay 1) (reduced r))
                (do
                  (ptc/pay 1)
                  (let [r (f y)]
                    (if r
                      (do (ptc/pay 1) (reduced r))
                      (let [r (reduce (fn [_ x] (let [r (f x)] (if r (reduced r) r))) r more)]
                        (if r (reduced r) r))))))))
          nil fs))

(defn some-fn
  ([f g]
   (fn
     ([x] (ptc/pay 4) (let [r (f x)] (if r r (do (ptc/pay 3) (g x)))))
     ([] (ptc/pay 5) nil)
     ([x y & more] (ptc/some-of [f g] x y more))))
  ([f]
   (fn
     ([x] (ptc/pay 4) (f x))
     ([] (ptc/pay 3) nil)
     ([x y & more] (ptc/some-of [f] x y more))))
  ([f g & fs]
   (let [fs (conj fs g f)]
     (fn
       ([x] (reduce (fn [_ f] (ptc/pay 2) (let [r (f x)] (if r (reduced r) r))) nil fs))
       ([] (reduce (fn [last _] (ptc/pay 1) last) nil fs))
       ([x y & more] (ptc/some-of fs x y more))))))

(defn trampoline [f & args]
  (loop [value (apply f args)]
    (if (fn? value) (recur (value)) value)))

(defn repeatedly
  ([f] (ptc/lazy true (fn [] (cons (f) (repeatedly f)))))
  ([n f] (map (fn [_] (f)) (range n))))
