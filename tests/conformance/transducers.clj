;; Transducers: the functions that give one, what sends items through them, ends and state.

;; id: into-map
(into [] (map inc) [1 2 3])

;; id: into-filter
(into [] (filter odd?) (range 10))

;; id: into-remove
(into [] (remove odd?) (range 10))

;; id: into-keep
(into [] (keep :a) [{:a 1} {} {:a nil} {:a false}])

;; id: into-map-indexed
(into [] (map-indexed vector) [:a :b :c])

;; id: into-keep-indexed
(into [] (keep-indexed (fn [i x] (when (odd? i) x))) [:a :b :c :d])

;; id: into-take
(into [] (take 3) (range 10))

;; id: into-take-none
(into [] (take 0) [1 2])

;; id: into-take-negative
(into [] (take -1) [1 2])

;; id: into-take-more
(into [] (take 10) [1 2])

;; id: into-take-fraction
(into [] (take 1.5) [1 2 3])

;; id: into-drop
(into [] (drop 3) (range 6))

;; id: into-drop-none
(into [] (drop 0) [1 2])

;; id: into-drop-negative
(into [] (drop -1) [1 2])

;; id: into-drop-fraction
(into [] (drop 1.5) [1 2 3])

;; id: into-drop-all
(into [] (drop 5) [1 2])

;; id: into-take-while
(into [] (take-while odd?) [1 3 4 5])

;; id: into-drop-while
(into [] (drop-while odd?) [1 3 4 5])

;; id: into-drop-while-all
(into [] (drop-while odd?) [1 3])

;; id: into-take-nth
(into [] (take-nth 3) (range 10))

;; id: into-take-nth-one
(into [] (take-nth 1) [1 2 3])

;; id: into-take-nth-negative
(into [] (take-nth -2) (range 5))

;; id: into-mapcat
(into [] (mapcat range) [1 2 3])

;; id: into-mapcat-nil
(into [] (mapcat identity) [[1] nil [2 3] []])

;; id: into-mapcat-map
(into [] (mapcat identity) [{:a 1} {:b 2}])

;; id: into-distinct
(into [] (distinct) [1 2 1 3 2 nil nil])

;; id: into-dedupe
(into [] (dedupe) [1 1 2 2 1 nil nil 3])

;; id: into-dedupe-first-nil
(into [] (dedupe) [nil nil 1])

;; id: into-interpose
(into [] (interpose :x) [1 2 3])

;; id: into-interpose-one
(into [] (interpose :x) [1])

;; id: into-interpose-none
(into [] (interpose :x) [])

;; id: into-replace
(into [] (replace {1 :one 2 nil}) [1 2 3])

;; id: into-replace-vector
(into [] (replace [:a :b]) [0 1 2])

;; id: into-replace-nil
(into [] (replace nil) [0 1])

;; id: into-partition-all
(into [] (partition-all 2) [1 2 3])

;; id: into-partition-all-kind
(map vector? (into [] (partition-all 2) [1 2 3]))

;; id: into-partition-all-empty
(into [] (partition-all 2) [])

;; id: into-partition-all-zero
(into [] (partition-all 0) [1 2])

;; id: into-partition-by
(into [] (partition-by odd?) [1 3 2 4 5])

;; id: into-partition-by-kind
(map vector? (into [] (partition-by odd?) [1 3 2 4 5]))

;; id: into-partition-by-nil
(into [] (partition-by identity) [nil nil 1 nil])

;; id: into-partition-by-empty
(into [] (partition-by identity) [])

;; id: into-cat
(into [] cat [[1 2] nil [3] '(4 5) #{6}])

;; id: into-cat-strings
(into [] cat ["ab" "" "c"])

;; id: into-cat-cat
(into [] (comp cat cat) [[[1] [2 3]] [[4]]])

;; id: into-cat-maps
(into {} cat [{:a 1} {:b 2} {:a 3}])

;; id: into-halt-when
(into [] (halt-when neg?) [1 2 -3 4])

;; id: into-halt-when-never
(into [] (halt-when neg?) [1 2])

;; id: into-halt-when-f
(into [] (halt-when neg? (fn [result x] {:so-far result :x x})) [1 2 -3 4])

;; id: into-halt-when-f-conj
(into [] (halt-when neg? conj) [1 2 -3 4])

;; id: halt-when-before-map
(into [] (comp (map inc) (halt-when #{3}) (map str)) [1 2 3])

;; id: halt-when-after-partition
(into [] (comp (partition-all 2) (halt-when #(= 2 (count %)))) [1 2 3])

;; id: halt-when-flushes-behind
(transduce (comp (halt-when neg? (fn [r x] [:halted r x])) (partition-all 2)) conj [] [1 2 3 -1 5])

;; id: halt-when-in-cat
(into [] (comp cat (halt-when even?)) [[1 3] [5 6 7] [8]])

;; id: halt-when-transduce
(transduce (halt-when #(> % 2)) + [1 2 3 4])

;; id: halt-when-nil-item
(into [] (halt-when nil?) [1 nil 2])

;; id: comp-order
(into [] (comp (map inc) (filter even?)) (range 6))

;; id: comp-order-turned
(into [] (comp (filter even?) (map inc)) (range 6))

;; id: comp-three
(into [] (comp (filter odd?) (map #(* % %)) (take 3)) (range 100))

;; id: comp-take-take
(into [] (comp (take 5) (take 2)) (range 10))

;; id: comp-take-take-turned
(into [] (comp (take 2) (take 5)) (range 10))

;; id: comp-take-drop
(into [] (comp (take 5) (drop 2)) (range 10))

;; id: comp-drop-take
(into [] (comp (drop 2) (take 5)) (range 10))

;; id: comp-take-cat-take
(into [] (comp (take 3) cat (take 4)) [[1 2] [3] [4 5 6] [7]])

;; id: comp-take-cat
(into [] (comp (take 2) cat) [[1 2] [3] [4 5 6]])

;; id: comp-cat-take
(into [] (comp cat (take 3)) [[1 2] [3 4] [5]])

;; id: comp-mapcat-take
(into [] (comp (mapcat #(repeat 3 %)) (take 4)) [1 2 3])

;; id: comp-partition-take
(into [] (comp (partition-all 2) (take 2)) (range 10))

;; id: comp-take-partition
(into [] (comp (take 5) (partition-all 2)) (range 10))

;; id: comp-partition-by-take
(into [] (comp (partition-by #(quot % 3)) (take 2)) (range 10))

;; id: comp-partition-by-take-one
(into [] (comp (partition-by odd?) (take 1)) [1 1 2 2])

;; id: comp-partition-partition
(into [] (comp (partition-all 2) (partition-all 2)) (range 7))

;; id: comp-interpose-take
(into [] (comp (interpose :x) (take 4)) (range 10))

;; id: comp-interpose-take-odd
(into [] (comp (interpose :x) (take 3)) (range 10))

;; id: comp-take-interpose
(into [] (comp (take 3) (interpose :x)) (range 10))

;; id: comp-interpose-partition
(into [] (comp (interpose :x) (partition-all 2)) (range 4))

;; id: comp-take-while-partition
(into [] (comp (take-while #(< % 5)) (partition-all 2)) (range 10))

;; id: comp-map-cat-distinct
(into [] (comp (map range) cat (distinct)) [1 3 2 5])

;; id: comp-flush-into-take
(into [] (comp (partition-all 3) cat (take 4)) (range 10))

;; id: comp-flush-into-map
(into [] (comp (partition-all 3) (map #(reduce + %))) (range 7))

;; id: comp-one
(into [] (comp (map inc)) [1])

;; id: comp-none
(into [] (comp) [1 2])

;; id: comp-identity
(into [] identity [1 2])

;; id: thread-first
(-> [] (into (map inc) [1 2]))

;; id: thread-last
(->> [3 1 2] (into [] (comp (map inc) (remove #{2}))))

;; id: into-set
(into #{} (map #(mod % 3)) (range 10))

;; id: into-map-of-pairs
(into {} (map (fn [[k v]] [k (inc v)])) {:a 1 :b 2})

;; id: into-map-juxt
(into {} (map (juxt :id :name)) [{:id 1 :name "a"} {:id 2 :name "b"}])

;; id: into-sorted-map
(into (sorted-map) (map (fn [x] [x (* x x)])) [3 1 2])

;; id: into-sorted-set-by
(into (sorted-set-by >) (map inc) [3 1 2])

;; id: into-list
(into '(0) (map inc) [1 2])

;; id: into-nil
(into nil (map inc) [1 2])

;; id: into-nil-nothing
(into nil (map inc) [])

;; id: into-from-nil
(into [1] (map inc) nil)

;; id: into-from-map
(into [] (map key) {:a 1 :b 2})

;; id: into-from-string
(into [] (map str) "abc")

;; id: into-from-set
(into [] (map inc) #{1})

;; id: into-from-lazy
(into [] (map inc) (take 3 (iterate inc 1)))

;; id: into-from-endless
(into [] (comp (filter odd?) (take 3)) (range))

;; id: into-from-endless-take-while
(into [] (take-while #(< % 4)) (iterate inc 1))

;; id: into-from-cycle
(into [] (comp (map inc) (take 5)) (cycle [1 2]))

;; id: into-cat-of-endless
(into [] (comp cat (take 3)) [[1] (range)])

;; id: into-mapcat-of-endless
(into [] (comp (mapcat (fn [x] (iterate inc x))) (take 3)) [10 20])

;; id: into-one-argument
(into [1])

;; id: into-no-argument
(into)

;; id: into-keyword-as-function
(into [] (map :a) [{:a 1} {:a 2}])

;; id: into-map-as-function
(into [] (map {1 :one}) [1 2])

;; id: into-set-as-predicate
(into [] (filter #{1 3}) [1 2 3])

;; id: into-vector-as-function
(into [] (map [:a :b]) [1 0])

;; id: transduce-plus
(transduce (map inc) + [1 2 3])

;; id: transduce-plus-init
(transduce (map inc) + 10 [1 2 3])

;; id: transduce-conj
(transduce (map inc) conj [1 2 3])

;; id: transduce-conj-init
(transduce (map inc) conj #{} [1 2 2])

;; id: transduce-empty
(transduce (map inc) + [])

;; id: transduce-nil
(transduce (map inc) conj nil)

;; id: transduce-init-nothing
(transduce (filter neg?) + 5 [1 2])

;; id: transduce-str
(transduce (interpose ", ") str ["a" "b" "c"])

;; id: transduce-max
(transduce (map count) max 0 ["a" "bbb" "cc"])

;; id: transduce-string
(transduce (filter #{\a}) conj "banana")

;; id: transduce-map
(transduce (map val) + {:a 1 :b 2})

;; id: transduce-identity
(transduce identity + [1 2 3])

;; id: transduce-completes-once
(let [calls (atom 0)]
  [(transduce (map inc)
     (fn ([] []) ([acc] (swap! calls inc) (conj acc :done)) ([acc x] (conj acc x)))
     [1 2])
   @calls])

;; id: transduce-completes-once-after-reduced
(let [calls (atom 0)]
  [(transduce (comp (map inc) (take 1))
     (fn ([] []) ([acc] (swap! calls inc) (conj acc :done)) ([acc x] (conj acc x)))
     [1 2 3])
   @calls])

;; id: transduce-completes-with-init
(transduce (map inc) (fn ([acc] (str acc "!")) ([acc x] (+ acc x))) 0 [1 2])

;; id: transduce-completes-empty
(transduce (map inc) (fn ([acc] [:done acc]) ([acc x] (+ acc x))) 0 [])

;; id: transduce-reduced-by-function
(transduce (map inc) (fn ([acc] acc) ([acc x] (if (> x 3) (reduced [:over acc]) (+ acc x)))) 0 (range 10))

;; id: transduce-reduced-flushes
(transduce (partition-all 2)
  (fn ([acc] (conj acc :done)) ([acc x] (if (= (count acc) 1) (reduced (conj acc x)) (conj acc x))))
  [] (range 10))

;; id: transduce-reduced-in-flush
(transduce (partition-all 2)
  (fn ([acc] (conj acc :done)) ([acc x] (if (= [4] x) (reduced (conj acc :last)) (conj acc x))))
  [] (range 5))

;; id: transduce-reduced-in-cat
(transduce cat (fn ([acc] acc) ([acc x] (if (= x 3) (reduced acc) (conj acc x)))) [] [[1 2] [3 4] [5]])

;; id: transduce-reduced-in-mapcat-mapcat
(transduce (comp (mapcat range) (mapcat range)) (fn ([acc] acc) ([acc x] (if (> (count acc) 4) (reduced acc) (conj acc x)))) [] (range))

;; id: completing
(transduce (map inc) (completing +) 0 [1 2])

;; id: completing-f
(transduce (map inc) (completing + str) 0 [1 2])

;; id: completing-init
(transduce (map inc) (completing conj count) [1 2 3])

;; id: completing-of-lambda
(transduce (map inc) (completing (fn [acc x] (assoc acc x (* x x)))) {} [1 2])

;; id: completing-arities
(let [f (completing + -)] [(f) (f 1) (f 1 2)])

;; id: completing-frequencies
(transduce (map #(mod % 3)) (completing (fn [m x] (update m x (fnil inc 0)))) {} (range 10))

;; id: sequence-one
(sequence [1 2])

;; id: sequence-nil
(sequence nil)

;; id: sequence-map
(sequence (map inc) [1 2 3])

;; id: sequence-empty
(sequence (filter neg?) [1 2])

;; id: sequence-from-nil
(sequence (map inc) nil)

;; id: sequence-kind
(let [s (sequence (map inc) [1])] [(seq? s) (vector? s) (sequential? s)])

;; id: sequence-comp
(sequence (comp (filter odd?) (map str)) (range 5))

;; id: sequence-two
(sequence (map +) [1 2 3] [10 20])

;; id: sequence-three
(sequence (map vector) [1 2] [:a :b] "xy")

;; id: sequence-two-comp
(sequence (comp (map *) (filter even?)) [1 2 3] [1 2 3])

;; id: sequence-partition-flush
(sequence (partition-all 2) (range 5))

;; id: sequence-two-endless
(take 3 (sequence (map +) (range) (iterate inc 10)))

;; id: sequence-two-one-endless
(sequence (map vector) (range) [:a :b])

;; id: sequence-endless
(take 3 (sequence (map inc) (range)))

;; id: sequence-endless-comp
(take 3 (sequence (comp (filter odd?) (map #(* % %))) (range)))

;; id: sequence-endless-take
(sequence (take 3) (range))

;; id: sequence-endless-partition
(take 2 (sequence (partition-all 3) (range)))

;; id: sequence-endless-partition-end
(sequence (comp (take 5) (partition-all 2)) (range))

;; id: sequence-endless-first
(first (sequence (filter #(> % 100)) (range)))

;; id: sequence-halt-when
(sequence (halt-when even?) [1 3 4 5])

;; id: sequence-string
(sequence (map str) "abc")

;; id: sequence-map-source
(sequence (map key) {:a 1})

;; id: sequence-cat
(sequence cat [[1 2] [3]])

;; id: sequence-nested
(sequence (map inc) (sequence (filter odd?) (range 6)))

;; id: eduction-map
(into [] (eduction (map inc) [1 2]))

;; id: eduction-prints
(pr-str (eduction (map inc) [1 2]))

;; id: eduction-empty-prints
(pr-str (eduction (map inc) []))

;; id: eduction-several
(into [] (eduction (filter odd?) (map inc) (range 6)))

;; id: eduction-no-transducer
(into [] (eduction [1 2]))

;; id: eduction-reduce
(reduce + (eduction (map inc) (filter odd?) (range 10)))

;; id: eduction-reduce-init
(reduce conj [] (eduction (take 2) (range)))

;; id: eduction-reduced
(reduce (fn [acc x] (if (> x 3) (reduced acc) (conj acc x))) [] (eduction (map inc) (range)))

;; id: eduction-seq
(seq (eduction (map inc) [1 2]))

;; id: eduction-seq-empty
(seq (eduction (filter neg?) [1 2]))

;; id: eduction-first
(first (eduction (map inc) [1 2]))

;; id: eduction-map-over
(map inc (eduction (map inc) [1 2]))

;; id: eduction-of-eduction
(into [] (eduction (map inc) (eduction (filter odd?) (range 6))))

;; id: eduction-transduce
(transduce (map inc) + (eduction (filter odd?) (range 6)))

;; id: eduction-run
(let [seen (atom [])] (run! #(swap! seen conj %) (eduction (map inc) [1 2])) @seen)

;; id: eduction-doseq
(let [seen (atom [])] (doseq [x (eduction (map inc) [1 2])] (swap! seen conj x)) @seen)

;; id: eduction-apply
(apply + (eduction (map inc) [1 2 3]))

;; id: eduction-vec
(vec (eduction (map inc) [1 2]))

;; id: eduction-partition
(into [] (eduction (partition-all 2) (range 5)))

;; id: eduction-equal
(= [2 3] (eduction (map inc) [1 2]))

;; id: eduction-one-at-a-time
(let [seen (atom [])]
  (reduce (fn [_ x] (swap! seen conj [:out x])) nil
    (eduction (map (fn [x] (swap! seen conj [:in x]) x)) [1 2]))
  @seen)

;; id: own-transducer
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(into [] twice [1 2])

;; id: own-before-built-in
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(into [] (comp twice (map inc)) [1 2])

;; id: own-after-built-in
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(into [] (comp (filter odd?) twice) [1 2 3])

;; id: own-between
(defn only [pred] (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (pred x) (rf acc x) acc)))))
(into [] (comp (map inc) (only even?) (map str)) (range 6))

;; id: own-with-state
(defn sums [rf] (let [sum (volatile! 0)] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf acc (vswap! sum + x))))))
(into [] (comp sums (take 3)) [1 2 3 4])

;; id: own-with-state-twice
(defn sums [rf] (let [sum (volatile! 0)] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf acc (vswap! sum + x))))))
[(into [] sums [1 2]) (into [] sums [1 2])]

;; id: own-that-flushes
(defn last-two [rf]
  (let [held (volatile! [])]
    (fn ([] (rf))
        ([acc] (rf (reduce rf acc @held)))
        ([acc x] (vswap! held (fn [h] (vec (take-last 2 (conj h x))))) acc))))
(into [] (comp last-two (map inc)) (range 5))

;; id: own-that-ends
(defn up-to [n] (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (= x n) (reduced (rf acc x)) (rf acc x))))))
(into [] (comp (up-to 3) (map inc)) (range 10))

;; id: own-that-ends-after
(defn up-to [n] (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (= x n) (ensure-reduced (rf acc x)) (rf acc x))))))
(into [] (comp (map inc) (up-to 3) (partition-all 2)) (range 10))

;; id: own-sees-reduced
(defn sees [log] (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (let [r (rf acc x)] (swap! log conj (reduced? r)) r)))))
(let [log (atom [])] [(into [] (comp (sees log) (take 2)) (range 10)) @log])

;; id: own-reducing-function
(transduce (map inc) (fn ([] {:sum 0}) ([acc] (:sum acc)) ([acc x] (update acc :sum + x))) [1 2])

;; id: own-in-sequence
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(sequence (comp twice (take 3)) [1 2 3])

;; id: own-in-endless-sequence
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(take 5 (sequence twice (range)))

;; id: own-in-eduction
(defn twice [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf (rf acc x) x))))
(into [] (eduction twice (map inc) [1 2]))

;; id: own-of-several-inputs
(defn pairs [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x y] (rf acc [x y]))))
(sequence (comp pairs (map first)) [1 2] [3 4])

;; id: state-is-fresh
(def xf (take 2))
[(into [] xf (range 5)) (into [] xf (range 5))]

;; id: state-is-fresh-partition
(def xf (partition-all 2))
[(into [] xf (range 3)) (into [] xf (range 3))]

;; id: state-of-one-function-is-kept
(let [rf ((take 2) conj)] [(rf [] 1) (reduced? (rf [] 2)) (reduced? (rf [] 3))])

;; id: direct-map
(((map inc) conj) [] 1)

;; id: direct-map-arities
(let [rf ((map inc) conj)] [(rf) (rf [1]) (rf [1] 2)])

;; id: direct-map-inputs
(((map +) conj) [] 1 2 3)

;; id: direct-filter
(let [rf ((filter odd?) conj)] [(rf [] 1) (rf [] 2)])

;; id: direct-take-last-is-reduced
(let [r (((take 1) conj) [] :x)] [(reduced? r) @r])

;; id: direct-take-none
(let [r (((take 0) conj) [:a] :x)] [(reduced? r) @r])

;; id: direct-take-while
(let [r (((take-while odd?) conj) [:a] 2)] [(reduced? r) @r])

;; id: direct-cat
((cat conj) [] [1 2])

;; id: direct-cat-reduced
(let [r (((comp cat (take 1)) conj) [] [1 2])] [(reduced? r) @r])

;; id: direct-take-cat
(let [r (((comp (take 1) cat) conj) [] [1 2])] [(reduced? r) @r])

;; id: direct-take-cat-goes-on
(let [r (((comp (take 2) cat) conj) [] [1 2])] [(reduced? r) r])

;; id: direct-partition-all
(let [rf ((partition-all 2) conj)] [(rf [] 1) (rf [] 2) (rf [] 3) (rf [])])

;; id: direct-partition-by
(let [rf ((partition-by odd?) conj)] [(rf [] 1) (rf [] 3) (rf [] 2) (rf [])])

;; id: direct-completing
(let [rf ((map inc) (completing conj count))] [(rf [] 1) (rf [1 2])])

;; id: direct-halt-when
(let [r (((halt-when neg?) conj) [] -1)] (reduced? r))

;; id: reduce-with-reducing-function
(reduce ((map inc) +) 0 [1 2 3])

;; id: reduce-with-take
(reduce ((take 2) conj) [] (range 10))

;; id: reduce-with-comp
(reduce ((comp (filter odd?) (map str)) conj) [] (range 6))

;; id: is-function
[(fn? (map inc)) (ifn? (map inc)) (fn? ((map inc) conj)) (fn? cat) (fn? (distinct))]

;; id: is-no-collection
[(coll? (map inc)) (seq? (filter odd?)) (sequential? (take 2)) (nil? (map inc))]

;; id: of-a-number-is-function
(fn? ((map inc) 1))

;; id: is-not-equal
(= (map inc) (map inc))

;; id: is-itself
(let [xf (map inc)] (= xf xf))

;; id: as-key
(let [xf (map inc)] (get {xf :found} xf))

;; id: in-a-map
(let [steps {:inc (map inc) :odd (filter odd?)}]
  (into [] (comp (:odd steps) (:inc steps)) (range 6)))

;; id: made-by-function
(defn over [n] (comp (filter #(> % n)) (map (fn [x] (- x n)))))
(into [] (over 2) [1 2 3 4])

;; id: chosen
(into [] (if true (map inc) (map dec)) [1])

;; id: reduced-comp
(into [] (reduce comp [(map inc) (filter odd?) (take 2)]) (range 10))

;; id: apply-comp
(into [] (apply comp [(map inc) (filter odd?)]) (range 5))

;; id: partial-into
((partial into [] (map inc)) [1 2])

;; id: apply-into
(apply into [[] (map inc) [1 2]])

;; id: apply-transduce
(apply transduce [(map inc) + [1 2]])

;; id: map-as-value
(into [] ((fn [f] (f inc)) map) [1 2])

;; id: many-steps
(into [] (apply comp (repeat 50 (map inc))) [0 1])

;; id: closure-per-item
(let [n 10] (into [] (comp (map #(+ % n)) (filter #(> % 11))) [1 2 3]))

;; id: nested-transduce
(into [] (map (fn [x] (transduce (map inc) + (range x)))) (range 4))

;; id: transducer-in-map
(map #(into [] (take %) (range 5)) [1 2])

;; id: group-in-transduce
(transduce (map (juxt odd? identity)) (completing (fn [m [k v]] (update m k (fnil conj []) v))) {} (range 5))

;; id: exception-in-function
(try (into [] (map #(/ 1 %)) [1 0]) (catch ArithmeticException e :caught))

;; id: exception-in-user-step
(try (into [] (map (fn [x] (if (= x 2) (throw (ex-info "no" {:x x})) x))) [1 2]) (catch Exception e (ex-data e)))

;; id: unreduced
[(unreduced (reduced 1)) (unreduced 1)]

;; id: ensure-reduced
[(reduced? (ensure-reduced 1)) @(ensure-reduced (reduced 1))]

;; id: error-map-nothing
(map)

;; id: error-filter-nothing
(filter)

;; id: error-take-nothing
(take)

;; id: error-transduce-two
(transduce (map inc) conj)

;; id: error-transduce-one
(transduce (map inc))

;; id: error-into-four
(into [] (map inc) [1] [2])

;; id: error-transducer-without-arguments
((map inc))

;; id: error-transducer-two-arguments
((map inc) conj [])

;; id: error-reducing-three-arguments
(((filter odd?) conj) [] 1 2)

;; id: error-calls-a-number
(((map inc) 1) [] 2)

;; id: error-of-collection
(into [] (map inc) 5)

;; id: error-of-transducer
(into [] 5 [1])

;; id: error-in-function
(into [] (map inc) ["a"])

;; id: error-cat-of-number
(into [] cat [1])

;; id: error-take-nil
(into [] (take nil) [1])

;; id: error-take-string
(into [] (take "a") [1])

;; id: error-take-nth-zero
(into [] (take-nth 0) [1])

;; id: error-partition-all-negative
(into [] (partition-all -1) [1])

;; id: error-replace-set
(into [] (replace #{1}) [1])

;; id: error-filter-of-number
(into [] (filter 1) [1])

;; id: error-map-of-nil
(into [] (map nil) [1])

;; id: error-count-of-transducer
(count (map inc))

;; id: error-first-of-transducer
(first (map inc))

;; id: error-seq-of-transducer
(seq (filter odd?))

;; id: error-sequence-two-of-filter
(sequence (filter odd?) [1 2] [3 4])

;; id: error-transduce-number
(transduce (map inc) + 5)

;; id: error-completing-nothing
(completing)

;; id: error-halt-when-nothing
(halt-when)

;; id: error-cat-nothing
(cat)

;; id: error-eduction-nothing
(eduction)

;; id: five-steps
(into [] (comp (filter even?) (map #(* 10 %)) (take-while #(< % 60)) (partition-all 2)) (range 20))

;; id: a-pipeline
(def xf
  (comp
    (filter :paid)
    (map :amount)
    (partition-all 2)
    (map #(reduce + %))
    (take 2)))
(transduce xf (completing conj) [] [{:paid true :amount 1} {:amount 9} {:paid true :amount 2} {:paid true :amount 4}
                        {:paid true :amount 8} {:paid true :amount 16}])

;; id: words
(->> ["the quick" "brown the" "fox"]
     (transduce (comp (mapcat #(clojure.string/split % #" ")) (remove #{"the"}) (map count)) conj))
