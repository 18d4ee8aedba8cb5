;; divergence: D5
;; ours: 1
(get {"id" 1} :id)

;; divergence: D5
;; ours: 1
(:id {"id" 1})

;; divergence: D5
;; ours: 1
({"id" 1} :id)

;; divergence: D5
;; ours: 1
(get {:id 1} "id")

;; divergence: D5
;; ours: 1
(:id {"id" 1} :none)

;; divergence: D5
;; ours: 2
(get-in {"a" {"b" 2}} [:a :b])

;; divergence: D5
;; ours: {"id" 2}
(assoc {"id" 1} :id 2)

;; divergence: D5
;; ours: {:id 2}
(assoc {:id 1} "id" 2)

;; divergence: D5
;; ours: {"n" 2}
(update {"n" 1} :n inc)

;; divergence: D5
;; ours: {}
(dissoc {"a" 1} :a)

;; divergence: D5
;; ours: {"a" 2, :b 3}
(merge {"a" 1} {:a 2 :b 3})

;; divergence: D5
;; ours: true
(contains? {"a" 1} :a)

;; divergence: D5
;; ours: ["a" 1]
(find {"a" 1} :a)

;; divergence: D5
;; ours: 1
(let [{:keys [a]} {"a" 1}] a)

;; divergence: D5
;; ours: 1
(let [{:strs [a]} {:a 1}] a)

;; divergence: D5
;; ours: 1
(let [{x :a} {"a" 1}] x)

;; divergence: D5
;; ours: 5
(let [{:keys [a] :or {a 9}} {"a" 5}] a)

;; divergence: D5
;; ours: (1 2)
(map :n [{"n" 1} {:n 2}])

;; divergence: D5
;; ours: {1 [{"t" 1}]}
(group-by :t [{"t" 1}])

;; divergence: D5
;; ours: ({"n" 1} {"n" 2})
(sort-by :n [{"n" 2} {"n" 1}])

;; divergence: D5
;; ours: {"a" {"b" 2}}
(assoc-in {"a" {"b" 1}} [:a :b] 2)

;; divergence: D5
;; ours: {"a" {"b" 2}}
(update-in {"a" {"b" 1}} [:a :b] inc)

;; divergence: D5
;; ours: 1
(count (into {"a" 1} [[:a 2]]))

;; divergence: D5
;; ours: {"a" 3}
(merge-with + {"a" 1} {:a 2})

;; divergence: D5
;; ours: (1)
(keep :a [{"a" 1} {:b 2}])

;; divergence: D5
;; ours: true
(every? :ok [{"ok" true}])

;; divergence: D5
;; ours: 3
(reduce + (map :n [{"n" 1} {"n" 2}]))

;; divergence: D5
;; ours: "x"
(-> {"user" {"name" "x"}} :user :name)

;; divergence: D5
;; ours: "x"
(some-> {"user" {"name" "x"}} :user :name)

;; divergence: D5
;; ours: [1 2]
((juxt :a :b) {"a" 1 "b" 2})

;; divergence: D5
;; ours: true
(= :a "a")

;; divergence: D5
;; ours: true
(= [:a] ["a"])

;; divergence: D5
;; ours: true
(contains? #{:a} "a")

;; divergence: D5
;; ours: "a"
(get #{"a"} :a)

;; divergence: D5
;; ours-error: any
(count #{:a "a"})

;; divergence: D5
;; ours: (:a)
(distinct [:a "a"])

;; divergence: D5
;; ours: :a
(some #{:a} ["a"])

;; divergence: D5
;; ours: 1
(case "a" :a 1 2)

;; divergence: D5
;; ours: 2
(compare :a/b :a)

;; divergence: D5
;; ours: 0
(compare :a "a")

;; divergence: D5
;; ours: ("a" :b)
(sort [:b "a"])

;; divergence: D5
;; ours: -2
(compare :a/b :c)

;; divergence: D5
;; ours: 2
(compare :c :a/b)

;; divergence: D5
;; ours: (:a/b :a/z :b :c)
(sort [:b :a/z :c :a/b])

;; divergence: D5
;; ours: true
(= :open (:status {:status "open"}))

;; divergence: D5
;; ours: true
(contains? #{"a"} :a)

;; divergence: D5
;; ours: #{1 "1"}
(set [1 "1" :1])

;; divergence: D5
;; ours: ({:status "paid", :n 1})
(filter #(= (:status %) :paid) [{:status "paid" :n 1} {:status "open" :n 2}])

;; divergence: D5
;; ours: :yes
(case (:status {:status "paid"}) (:paid :sent) :yes :no)

;; divergence: D5
;; ours: :first
(case :a "a" :first :other)

;; divergence: D5
;; ours: false
(not= :a "a")

;; divergence: D5
;; ours: true
(= {:k :a} {:k "a"})

;; divergence: D5
;; ours: true
(= #{:a} #{"a"})

;; divergence: D5
;; ours: true
(= {[:a] 1} {["a"] 1})

;; divergence: D5
;; ours: 1
(get {[:a] 1} ["a"])

;; divergence: D5
;; ours: true
(= :a/b "a/b")

;; divergence: D5
;; ours: true
(contains? #{"a/b"} :a/b)

;; divergence: D5
;; ours-error: any
{:a 1 "a" 2}

;; divergence: D5
;; ours-error: any
(let [x 1] {:a x "a" 2})

;; divergence: D5
;; ours-error: any
(let [x 1] #{:a "a" x})

;; divergence: D5
;; ours-error: any
(case 1 :a 1 "a" 2 3)

;; divergence: D5
;; ours: {"a" 2}
(frequencies ["a" :a])

;; divergence: D5
;; ours: {"x" [{:t "x"} {:t :x}]}
(group-by :t [{:t "x"} {:t :x}])

;; divergence: D5
;; ours: false
(distinct? :a "a")

;; divergence: D5
;; ours: (:a)
(dedupe [:a "a" :a])

;; divergence: D5
;; ours: #{:a}
(conj #{:a} "a")

;; divergence: D5
;; ours: #{}
(disj #{:a} "a")

;; divergence: D5
;; ours: #{:a :b}
(set/union #{:a} #{"a" :b})

;; divergence: D5
;; ours: #{:a}
(set/intersection #{:a :b} #{"a"})

;; divergence: D5
;; ours: #{:b}
(set/difference #{:a :b} #{"a"})

;; divergence: D5
;; ours: true
(set/subset? #{:a} #{"a" "b"})

;; divergence: D5
;; ours: {:a 2}
(zipmap [:a "a"] [1 2])

;; divergence: D5
;; ours: {:a 2}
(merge {:a 1} {"a" 2})

;; divergence: D5
;; ours: 1
(.indexOf [:x "a"] :a)

;; divergence: D5
;; ours: [:y 2]
(replace {"x" :y} [:x 2])

;; divergence: D5
;; ours: 2
(count (sorted-set :a "a" "b"))

;; divergence: D5
;; ours: {"a" 1, :b 2}
(into (sorted-map) {:b 2 "a" 1})

;; divergence: D5
;; ours: 1
(get (sorted-map "a" 1) :a)

;; divergence: D5
;; ours: (["a" 1] [:b 2])
(sort-by first {:b 2 "a" 1})

;; divergence: D5
;; ours: true
(every? #{:a :b} ["a" "b"])

;; divergence: D5
;; ours: [(:a "a") (:b)]
(vec (partition-by identity [:a "a" :b]))

;; divergence: D5
;; ours: true
(= (hash :a) (hash "a"))

;; divergence: D5
;; ours: true
(.equals "a" :a)

;; divergence: D5
;; ours: 1
(:a {"a" 1} 2)

;; divergence: D5
;; ours: true
(= (sort ["b" :a]) [:a :b])

(frequencies [:b :b])

(keys {"a" 1})

(keys (assoc {"a" 1} :b 2))

(str (keys {"id" 1}))

(keyword? (first (keys {"a" 1})))

(name (first (keys {:a 1})))

(get {1 :x} "1")

;; divergence: D7
;; ours-error: any
(defmacro m [x] x)

;; divergence: D7
;; ours-error: any
(eval '(+ 1 2))

;; divergence: D7
;; ours-error: any
(do (defprotocol P (f [x])) 1)

;; divergence: D7
;; ours-error: any
(do (defrecord R [a]) (:a (->R 1)))

;; divergence: D7
;; ours-error: any
(do (defmulti area :shape) (defmethod area :sq [{:keys [s]}] (* s s)) (area {:shape :sq :s 3}))

;; divergence: D7
;; ours-error: any
@(ref 1)

;; divergence: D7
;; ours-error: any
@(future 1)

;; divergence: D7
;; ours-error: any
@(agent 1)

;; divergence: D7
;; ours-error: any
(let [p (promise)] (deliver p 1) @p)

;; divergence: D7
;; ours-error: any
(map? (slurp "/dev/null"))

(into [] (filter odd?) [1 2 3])

(into [] (comp (map inc) (take 2)) [1 2 3])

(transduce (filter odd?) + 0 [1 2 3])

(fn? (map inc))

;; divergence: D7
;; ours-error: any
(str (ns-name *ns*))

;; divergence: D7
;; ours-error: any
(let [t (Thread. (fn []))] (nil? (.start t)))

(number? (rand))

(rand-int 1)

(rand-nth [7])

(shuffle [1])

(uuid? (random-uuid))

;; divergence: D10
;; ours-error: any
(string? (str (java.time.LocalDate/now)))

;; divergence: D10
;; ours-error: any
(pos? (.toEpochMilli (java.time.Instant/now)))

;; divergence: D10
;; ours-error: any
(pos? (System/currentTimeMillis))

;; divergence: D10
;; ours-error: any
(pos? (System/nanoTime))

;; divergence: D10
;; ours-error: any
(inst? (java.util.Date.))

(random-sample 1.0 [1 2])

(< 0 (Math/random) 1)

1 2 3

(def a 1) (def b 2) (+ a b)

(defn f [x] (* x x)) (f 3) (f 4)

(do (def x 1)) (def x (inc x)) x

"first" :last

(let [x 1] x) (let [y 2] y)
