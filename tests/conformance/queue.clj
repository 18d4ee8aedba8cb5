;; Persistent queues.

;; id: peek
(peek (conj clojure.lang.PersistentQueue/EMPTY 1 2 3))

;; id: pop
(seq (pop (conj clojure.lang.PersistentQueue/EMPTY 1 2 3)))

;; id: seq
(seq (conj clojure.lang.PersistentQueue/EMPTY 1 2 3))

;; id: seq-empty
(seq clojure.lang.PersistentQueue/EMPTY)

;; id: peek-empty
(peek clojure.lang.PersistentQueue/EMPTY)

;; id: pop-empty
(seq (pop clojure.lang.PersistentQueue/EMPTY))

;; id: count
[(count clojure.lang.PersistentQueue/EMPTY) (count (conj clojure.lang.PersistentQueue/EMPTY 1 2))]

;; id: empty
[(empty? clojure.lang.PersistentQueue/EMPTY) (empty? (conj clojure.lang.PersistentQueue/EMPTY 1))]

;; id: into
(vec (into clojure.lang.PersistentQueue/EMPTY [1 2 3]))

;; id: into-transducer
(vec (into clojure.lang.PersistentQueue/EMPTY (map inc) [1 2 3]))

;; id: into-vector
(into [0] (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: conj-at-back
(vec (conj (pop (conj clojure.lang.PersistentQueue/EMPTY 1 2)) 3))

;; id: conj-nothing
(vec (conj (conj clojure.lang.PersistentQueue/EMPTY 1)))

;; id: conj-nil
(vec (conj clojure.lang.PersistentQueue/EMPTY nil))

;; id: first-rest
(let [q (conj clojure.lang.PersistentQueue/EMPTY 1 2 3)] [(first q) (rest q) (next q) (second q) (last q)])

;; id: rest-conj
(conj (rest (conj clojure.lang.PersistentQueue/EMPTY 1 2)) :front)

;; id: seq-conj
(conj (seq (conj clojure.lang.PersistentQueue/EMPTY 1 2)) :front)

;; id: cons
(cons 0 (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: cons-rest
(rest (cons 0 (conj clojure.lang.PersistentQueue/EMPTY 1 2)))

;; id: equal-list
(= (conj clojure.lang.PersistentQueue/EMPTY 1 2) '(1 2))

;; id: equal-vector
(= [1 2] (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: equal-queue
(= (conj clojure.lang.PersistentQueue/EMPTY 1 2) (pop (conj clojure.lang.PersistentQueue/EMPTY 0 1 2)))

;; id: not-equal
(= (conj clojure.lang.PersistentQueue/EMPTY 1 2) [2 1])

;; id: equal-empty
[(= clojure.lang.PersistentQueue/EMPTY []) (= clojure.lang.PersistentQueue/EMPTY nil)]

;; id: tests
(let [q (conj clojure.lang.PersistentQueue/EMPTY 1)]
  [(coll? q) (seq? q) (list? q) (vector? q) (sequential? q) (counted? q) (map? q) (set? q) (seqable? q)])

;; id: instance
(instance? clojure.lang.PersistentQueue (conj clojure.lang.PersistentQueue/EMPTY 1))

;; id: instance-not
(instance? clojure.lang.PersistentQueue '(1))

;; id: instance-of-seq
(instance? clojure.lang.PersistentQueue (seq (conj clojure.lang.PersistentQueue/EMPTY 1)))

;; id: class
(str (class clojure.lang.PersistentQueue/EMPTY))

;; id: empty-of
(= clojure.lang.PersistentQueue/EMPTY (empty (conj clojure.lang.PersistentQueue/EMPTY 1)))

;; id: empty-is-queue
(vec (conj (empty (conj clojure.lang.PersistentQueue/EMPTY 1)) 2 3))

;; id: map-over
(map inc (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: reduce-over
(reduce + (conj clojure.lang.PersistentQueue/EMPTY 1 2 3))

;; id: filter-sort
(sort > (filter odd? (conj clojure.lang.PersistentQueue/EMPTY 1 2 3)))

;; id: nth
(nth (conj clojure.lang.PersistentQueue/EMPTY :a :b) 1)

;; id: reverse
(reverse (conj clojure.lang.PersistentQueue/EMPTY 1 2 3))

;; id: destructuring
(let [[a b & more] (conj clojure.lang.PersistentQueue/EMPTY 1 2 3)] [a b more])

;; id: concat
(concat (conj clojure.lang.PersistentQueue/EMPTY 1) [2])

;; id: apply
(apply + (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: imported
(import 'clojure.lang.PersistentQueue)
(vec (conj PersistentQueue/EMPTY 1 2))

;; id: breadth-first
(let [graph {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [] :f []}]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY :a) seen #{:a} order []]
    (if-let [node (peek queue)]
      (let [new (remove seen (graph node))]
        (recur (into (pop queue) new) (into seen new) (conj order node)))
      order)))

;; id: in-turn
(loop [q (into clojure.lang.PersistentQueue/EMPTY (range 1 8))]
  (if (= 1 (count q)) (peek q) (recur (pop (conj (pop q) (peek q))))))

;; id: elves
(loop [q (into clojure.lang.PersistentQueue/EMPTY (range 1 200))]
  (if (= 1 (count q)) (peek q) (recur (let [x (peek q)] (conj (pop (pop q)) x)))))

;; id: long
(let [q (reduce (fn [q i] (conj (if (odd? i) (pop q) q) i)) clojure.lang.PersistentQueue/EMPTY (range 2000))]
  [(count q) (peek q) (last q)])

;; id: two-from-one
(let [q (conj clojure.lang.PersistentQueue/EMPTY 1 2) a (conj q 3) b (conj q 4)] [(vec q) (vec a) (vec b) (vec (pop q))])

;; id: two-from-one-long
(let [q (into clojure.lang.PersistentQueue/EMPTY (range 300)) p (nth (iterate pop q) 200) a (conj p :a) b (conj p :b)]
  [(count p) (last a) (last b) (count q) (first a) (last q)])

;; id: nested
(vec (first (conj clojure.lang.PersistentQueue/EMPTY (conj clojure.lang.PersistentQueue/EMPTY 1))))

;; id: as-key
(get {[1 2] :found} (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: in-set
(contains? #{'(1 2)} (conj clojure.lang.PersistentQueue/EMPTY 1 2))

;; id: error-call
((conj clojure.lang.PersistentQueue/EMPTY 1) 0)

;; id: error-assoc
(assoc (conj clojure.lang.PersistentQueue/EMPTY 1) 0 2)
