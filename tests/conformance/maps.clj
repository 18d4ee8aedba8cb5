{}

{:a 1}

{:a 1 :b {:c 2}}

{"a" 1, :b 2}

{:a 1, :b 2}

{[1 2] :v}

{nil 1}

{1 :one 2 :two}

(hash-map)

(hash-map :a 1)

(array-map :a 1 :b 2)

(hash-map :a)

(get {:a 1} :a)

(get {:a 1} :b)

(get {:a 1} :b 0)

(get {:a nil} :a 0)

(get nil :a)

(get nil :a 0)

(get {nil 1} nil)

(get 5 :a)

(get "abc" :a)

(:a {:a 1})

({:a 1} :a)

({:a 1} :b)

({:a 1} :b :none)

(get-in {:a {:b 1}} [:a :b])

(get-in {:a {:b 1}} [:a :x])

(get-in {:a {:b 1}} [:a :x] 0)

(get-in {:a nil} [:a :b])

(get-in {:a 1} [])

(get-in {:a 1} nil)

(get-in {:a 1} [:a :b])

(get-in nil [:a])

(get-in {:a [{:b 1}]} [:a 0 :b])

(assoc {} :a 1)

(assoc {:a 1} :a 2)

(assoc {:a 1} :b 2 :c 3)

(assoc nil :a 1)

(assoc {:a 1} :b)

(assoc {:a 1} :a nil)

(assoc 5 :a 1)

(assoc "s" :a 1)

(assoc-in {} [:a :b] 1)

(assoc-in nil [:a] 1)

(assoc-in {:a {:b 1}} [:a :c] 2)

(assoc-in {:a [{:b 1}]} [:a 0 :b] 9)

(assoc-in {:a 1} [:a :b] 2)

(update {:a 1} :a inc)

(update {:a 1} :a + 10 20)

(update {} :a (fnil inc 0))

(update {} :a inc)

(update {} :a identity)

(update {:xs [1]} :xs conj 2)

(update {} :xs conj 1)

(update nil :a (constantly 1))

(update {:a {:b 1}} :a assoc :c 2)

(update {:a "x"} :a clojure.string/upper-case)

(update-in {:a {:b 1}} [:a :b] inc)

(update-in {} [:a :b] (fnil + 0) 5)

(update-in {:a {:b [1]}} [:a :b] conj 2)

(update-in {:a 1} [:a] * 3)

(dissoc {:a 1 :b 2} :a)

(dissoc {:a 1} :z)

(dissoc {:a 1 :b 2 :c 3} :a :c)

(dissoc nil :a)

(dissoc {:a 1})

(merge {:a 1} {:b 2})

(merge {:a 1} {:a 2})

(merge {:a 1} nil)

(merge nil {:a 1})

(merge nil nil)

(merge)

(merge {})

(merge {:a 1} {:b 2} {:a 3})

(merge {:a {:b 1}} {:a {:c 2}})

(merge {:a 1} [:b 2])

(merge-with + {:a 1 :b 2} {:a 10})

(merge-with + {:a 1} {:a 2} {:a 3})

(merge-with into {:a [1]} {:a [2] :b [3]})

(merge-with merge {:a {:x 1}} {:a {:y 2}})

(merge-with concat {:a [1]} {:a [2]})

(merge-with + nil {:a 1})

(merge-with +)

(merge-with max {:a 1} {:a 5})

(select-keys {:a 1 :b 2 :c 3} [:a :c])

(select-keys {:a 1} [:a :z])

(select-keys {:a nil} [:a])

(select-keys nil [:a])

(select-keys {:a 1} nil)

(select-keys {:b 1 :a 2} [:a :b])

(keys {:a 1 :b 2})

(vals {:a 1 :b 2})

(keys {})

(keys nil)

(vals nil)

(vals {})

(keys 5)

(count {:a 1})

(count {})

(contains? {:a 1} :a)

(contains? {:a nil} :a)

(contains? {:a 1} :b)

(contains? nil :a)

(contains? {:a 1} nil)

(contains? 5 :a)

(find {:a 1} :a)

(find {:a nil} :a)

(find {:a 1} :b)

(find nil :a)

(key (find {:a 1} :a))

(key (first {:a 1}))

(val (first {:a 1}))

(map-entry? (first {:a 1}))

(map-entry? [1 2])

(first {:a 1 :b 2})

(last {:a 1 :b 2})

(rest {:a 1 :b 2})

(seq {})

(seq {:a 1})

(vec {:a 1})

(empty {:a 1})

(empty? {})

(not-empty {:a 1})

(conj {:a 1} [:b 2])

(conj {:a 1} {:b 2 :c 3})

(conj {:a 1} nil)

(conj {:a 1} [:b 2] [:c 3])

(conj {:a 1} [:b])

(conj {:a 1} 5)

(conj {} (first {:a 1}))

(into {} [[:a 1]])

(into {} {:a 1})

(into {:a 1} [[:b 2]])

(map? {})

(map? [])

(map? nil)

(map? (sorted-map))

(associative? {})

(coll? {})

(ifn? {})

(reduce-kv (fn [acc k v] (+ acc v)) 0 {:a 1 :b 2})

(reduce-kv (fn [m k v] (assoc m k (inc v))) {} {:a 1})

(reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1 :b 2})

(reduce-kv conj [] nil)

(reduce (fn [acc [k v]] (+ acc v)) 0 {:a 1 :b 2})

(reduce conj {} [[:a 1] [:b 2]])

(reduce (fn [m x] (update m (:t x) (fnil + 0) (:n x))) {} [{:t :a :n 1} {:t :b :n 2} {:t :a :n 3}])

(update-vals {:a 1 :b 2} inc)

(update-vals {} inc)

(update-vals nil inc)

(update-vals (group-by odd? [1 2 3]) count)

(update-keys {:a 1} name)

(update-keys {"a" 1} keyword)

(update-keys nil name)

(update-keys {:a 1 :b 2} (constantly :x))

(zipmap [:a :b] [1 2])

(map (fn [[k v]] (str (name k) v)) {:a 1 :b 2})

(map (fn [e] (val e)) {:a 1})

(mapv (fn [[k v]] {:k k :v v}) {:a 1})

(filter (fn [[_ v]] (odd? v)) {:a 1 :b 2})

(sort {:b 1 :a 2})

(sort-by val > {:a 1 :b 3 :c 2})

(first (sort-by val > {:a 1 :b 3}))

(apply max-key val {:a 1 :b 3})

(apply merge [{:a 1} {:b 2}])

(apply merge-with + [{:a 1} {:a 2 :b 1}])

(apply hash-map [:a 1])

(apply assoc {} [:a 1 :b 2])

(some (fn [[k v]] (when (= v 2) k)) {:a 1 :b 2})

(every? (fn [[k v]] (pos? v)) {:a 1})

(into {} (map (fn [[k v]] [v k]) {:a 1}))

(into {} (remove (comp nil? val) {:a 1 :b nil}))

(for [[k v] {:a 1 :b 2}] [v k])

(get {:a 1} [:a])

(= {:a 1 :b 2} (hash-map :b 2 :a 1))

(= {:a 1} [[:a 1]])

(:b {:a 1} {:default true})

((juxt :a :b) {:a 1})

(map {:a 1 :b 2} [:a :b :c])

(let [m {:a 1}] [(assoc m :b 2) m])

(-> {} (assoc :a 1) (update :a inc) (dissoc :b))

(-> {:user {:name "x"}} (get-in [:user :name]))

(str {:a 1, :b [1 2]})

(pr-str {:a "x"})

(count (assoc {} :a 1 :b 2))

(distinct [{:a 1} {:a 1}])

(set [{:a 1} {:a 1}])

(frequencies [{:a 1} {:a 1}])

(group-by :a [{:a {:b 1}} {:a {:b 1}}])

{:a 1 :a 2}

{:a}

(keyword? (key (first {:a 1})))

(nth (first {:a 1}) 1)

(let [[k v] (first {:a 1})] [v k])

(map-indexed (fn [i [k v]] [i k v]) {:a 1})

(mapcat (fn [[k vs]] (map #(vector k %) vs)) {:a [1 2]})

(reduce (fn [acc {:keys [id] :as x}] (assoc acc id x)) {} [{:id 1} {:id 2}])

(into {} (map (juxt :id :name)) [{:id 1 :name "a"}])

(into {} (map (juxt :id :name) [{:id 1 :name "a"}]))

(zipmap (map :id [{:id 1} {:id 2}]) [:x :y])

(dissoc (assoc {:a 1} :b 2) :a)

(get-in {"a" {"b" 1}} ["a" "b"])

(get {"a" 1} "a")

(assoc {"a" 1} "b" 2)

(hash-map "k" nil)

(merge {:a 1} {:b nil})

(sorted? {})

(counted? {:a 1})

(.get {:a 1} :a)

(.containsKey {:a 1} :a)

(merge nil [1 2])

(merge false nil)

(merge nil nil {:a 1} nil)
