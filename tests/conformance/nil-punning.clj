(first nil)

(rest nil)

(next nil)

(seq nil)

(count nil)

(empty? nil)

(map inc nil)

(filter even? nil)

(remove even? nil)

(reduce + nil)

(reduce + 5 nil)

(into [] nil)

(into {} nil)

(into #{} nil)

(concat nil nil)

(concat [1] nil [2])

(conj nil 1)

(conj nil [1 2])

(conj [] nil)

(cons 1 nil)

(assoc nil :a 1)

(assoc-in nil [:a :b] 1)

(update nil :a (fnil inc 0))

(update-in nil [:a :b] (fnil conj []) 1)

(dissoc nil :a)

(get nil :a)

(get nil :a :d)

(get-in nil [:a :b])

(get-in nil [:a :b] :d)

(:a nil)

(nil? (:a {}))

(contains? nil :a)

(find nil :a)

(keys nil)

(vals nil)

(merge nil {:a 1})

(merge {:a 1} nil)

(merge nil nil)

(merge-with + nil {:a 1})

(select-keys nil [:a])

(zipmap nil nil)

(zipmap [:a] nil)

(vec nil)

(set nil)

(sort nil)

(sort-by :a nil)

(reverse nil)

(distinct nil)

(flatten nil)

(group-by :a nil)

(frequencies nil)

(partition 2 nil)

(partition-by odd? nil)

(interpose 1 nil)

(interleave nil [1])

(take 2 nil)

(drop 2 nil)

(take-while odd? nil)

(drop-while odd? nil)

(last nil)

(butlast nil)

(second nil)

(ffirst nil)

(nth nil 0)

(nth nil 0 :d)

(nthrest nil 2)

(nthnext nil 2)

(every? odd? nil)

(some odd? nil)

(not-any? odd? nil)

(not-every? odd? nil)

(apply + nil)

(apply str nil)

(apply max nil)

(mapv inc nil)

(filterv odd? nil)

(mapcat identity nil)

(keep identity nil)

(map-indexed vector nil)

(keep-indexed vector nil)

(reductions + nil)

(doseq [x nil] x)

(for [x nil] x)

(str nil)

(str nil "a" nil)

(str [nil])

(pr-str nil)

(name nil)

(keyword nil)

(symbol nil)

(subs nil 0)

(peek nil)

(pop nil)

(disj nil 1)

(list* nil)

(list nil)

(vector nil)

(hash-map nil nil)

(= nil nil)

(= nil false)

(nil? nil)

(some? nil)

(not nil)

(if nil 1 2)

(when nil 1)

(or nil :d)

(and nil :d)

(boolean nil)

(identity nil)

(not-empty nil)

(seq [])

(seq "")

(seq {})

(some-> nil :a)

(some->> nil (map inc))

(-> nil :a :b)

(let [{:keys [a]} nil] a)

(let [[a b] nil] [a b])

(if-let [x nil] x :none)

(when-let [x nil] x)

(if-some [x nil] x :none)

((fnil inc 0) nil)

(nil? (get {:a nil} :a))

(get {:a nil} :a :d)

(map :a [nil {:a 1}])

(keep :a [nil {:a 1}])

(filter :a [nil {:a 1}])

(remove nil? [1 nil 2])

(count [nil nil])

(first [nil])

(some nil? [1 nil])

(compare nil 1)

(compare nil nil)

(sort [nil 1 nil])

(str/blank? nil)

(str/join "," nil)

(str/join "," [nil 1])

(+ 1 nil)

(inc nil)

(< nil 1)

(nil)

(max nil)

(update {} :a conj 1)

(update {} :a (fnil conj #{}) 1)

(update {} :a str "x")

(update-vals nil inc)

(reduce-kv assoc {} nil)

(tree-seq map? :kids nil)

(nil 5)

(empty nil)

(rseq nil)

(subvec nil 0)

(take nil [1])

(run! identity nil)

(sorted-map nil 1)

(into nil nil)

(into nil [1])

(conj)

(assoc {} nil 1)

(get {nil :x} nil)

(contains? {nil 1} nil)

(contains? #{nil} nil)

(#{nil} nil)

(set [nil])

(zero? nil)

(even? nil)

(parse-boolean "")

(re-find #"a" nil)

(map nil [1])

(filter nil [1])

(cycle nil)
