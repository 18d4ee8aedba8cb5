;; Transients, which are plain functions here.

;; id: vector
(persistent! (conj! (transient []) 1))

;; id: vector-several
(persistent! (reduce conj! (transient []) (range 5)))

;; id: vector-assoc
(persistent! (assoc! (transient [1 2]) 0 :a))

;; id: vector-assoc-end
(persistent! (assoc! (transient [1 2]) 2 :a))

;; id: vector-pop
(persistent! (pop! (transient [1 2])))

;; id: map-assoc
(persistent! (assoc! (transient {}) :a 1))

;; id: map-assoc-several
(persistent! (assoc! (transient {}) :a 1 :b 2))

;; id: map-dissoc
(persistent! (dissoc! (transient {:a 1 :b 2}) :a))

;; id: map-dissoc-several
(persistent! (dissoc! (transient {:a 1 :b 2}) :a :b))

;; id: map-conj
(persistent! (conj! (transient {}) [:a 1]))

;; id: map-conj-map
(persistent! (conj! (transient {:a 1}) {:b 2}))

;; id: set-conj
(persistent! (conj! (transient #{}) 1))

;; id: set-disj
(persistent! (disj! (transient #{1 2}) 1))

;; id: conj-nothing
(persistent! (conj!))

;; id: conj-one
(persistent! (conj! (transient [1])))

;; id: look-up
(let [t (transient {:a 1})] [(get t :a) (:a t) (t :a) (count t)])

;; id: look-up-vector
(let [t (transient [1 2])] [(nth t 0) (get t 1) (t 1) (count t)])

;; id: contains
(let [t (transient {:a 1})] [(contains? t :a) (contains? t :b)])

;; id: loop-frequencies
(loop [m (transient {}) xs [:a :b :a]]
  (if (seq xs)
    (recur (assoc! m (first xs) (inc (get m (first xs) 0))) (rest xs))
    (persistent! m)))

;; id: reduce-groups
(persistent! (reduce (fn [m x] (assoc! m (odd? x) (conj (get m (odd? x) []) x))) (transient {}) (range 5)))

;; id: into-transient-of-transducer
(persistent! (transduce (map inc) conj! (transient []) [1 2]))

;; id: transduce-conj
(transduce (map inc) (completing conj! persistent!) (transient []) [1 2])

;; id: original-stays
(let [v [1] t (conj! (transient v) 2)] [v (persistent! t)])

;; id: thread
(-> (transient []) (conj! 1) (conj! 2) (pop!) persistent!)

;; id: sieve
(loop [i 2 sieve (transient (vec (repeat 20 true)))]
  (if (< (* i i) 20)
    (recur (inc i) (reduce (fn [s j] (assoc! s j false)) sieve (range (* i i) 20 i)))
    (let [v (persistent! sieve)] (filter v (range 2 20)))))

;; id: as-value
(persistent! (apply conj! (transient []) [1]))

;; id: error-persistent-nothing
(persistent!)

;; id: error-transient-nothing
(transient)

;; id: error-assoc-one
(assoc! (transient {}) :a)

;; id: error-conj-number
(conj! 1 2)

;; id: error-pop-empty
(pop! (transient []))

;; id: used-after-persistent
;; divergence: D7
;; ours: [1 2]
(let [t (transient [1])] (persistent! t) (persistent! (conj! t 2)))

;; id: conj-of-plain
;; divergence: D7
;; ours: [1 2]
(conj! [1] 2)

;; id: changed-in-place
;; divergence: D7
;; ours: []
(let [t (transient [])] (conj! t 1) (conj! t 2) (persistent! t))
