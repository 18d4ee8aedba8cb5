(clojure.set/union #{1 2} #{2 3})

(clojure.set/union)

(clojure.set/union #{1})

(clojure.set/union #{1} #{2} #{3})

(clojure.set/union nil #{1})

(clojure.set/union #{1} nil)

(sort (set/union #{1 2} #{3}))

(clojure.set/intersection #{1 2 3} #{2 3 4})

(clojure.set/intersection #{1 2})

(clojure.set/intersection #{1} #{2})

(clojure.set/intersection #{1 2 3} #{2 3} #{3})

(clojure.set/intersection #{1} nil)

(clojure.set/difference #{1 2 3} #{2})

(clojure.set/difference #{1 2})

(clojure.set/difference #{1 2 3} #{1} #{2})

(clojure.set/difference #{1} nil)

(clojure.set/difference nil #{1})

(sort (set/difference (set [1 2 3]) (set [2])))

(clojure.set/subset? #{1} #{1 2})

(clojure.set/subset? #{1 2} #{1})

(clojure.set/subset? #{} #{1})

(clojure.set/subset? #{1} #{1})

(clojure.set/superset? #{1 2} #{1})

(clojure.set/superset? #{1} #{1 2})

(clojure.set/superset? #{} #{})

(clojure.set/select even? #{1 2 3 4})

(clojure.set/select even? #{})

(clojure.set/map-invert {:a 1 :b 2})

(clojure.set/map-invert {})

(clojure.set/map-invert {:a 1 :b 1})

(clojure.set/rename-keys {:a 1 :b 2} {:a :x})

(clojure.set/rename-keys {:a 1} {:z :y})

(clojure.set/rename-keys {:a 1 :b 2} {:a :b :b :a})

(clojure.set/rename-keys {"a" 1} {"a" "b"})

(clojure.set/rename #{{:a 1 :b 2}} {:a :x})

(clojure.set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a])

(clojure.set/project [{:a 1 :b 2}] [:b])

(clojure.set/join #{{:id 1 :n "a"}} #{{:id 1 :m "b"}})

(clojure.set/join #{{:id 1 :n "a"} {:id 2 :n "c"}} #{{:id 1 :m "b"}})

(clojure.set/join #{{:id 1 :n "a"}} #{{:uid 1 :m "b"}} {:id :uid})

(clojure.set/join #{{:a 1}} #{{:b 2}})

(clojure.set/join #{{:a 1 :k 1}} #{{:b 2 :k 2}})

(clojure.set/index #{{:a 1 :b 2}} [:a])

(get (clojure.set/index #{{:a 1 :b 2} {:a 1 :b 3} {:a 2 :b 4}} [:a]) {:a 2})

(count (get (clojure.set/index [{:a 1 :b 2} {:a 1 :b 3}] [:a]) {:a 1}))

(set/union (set [1]) (set [2]))

(set/intersection (set ["a" "b"]) (set ["b" "c"]))

(apply set/union [#{1} #{2}])

(reduce set/union #{} [#{1} #{1}])

(apply set/intersection [#{1 2} #{2 3} #{2}])

(empty? (set/intersection #{1} #{2}))

(count (set/union #{1 2} #{2 3}))

(sort (set/difference (set (map :id [{:id 1} {:id 2}])) (set [1])))

(sort (map :n (set/join [{:id 1 :n "a"} {:id 2 :n "b"}] [{:id 1} {:id 2}])))

(set/superset? (set [1 2 3]) (set [1]))

(set/subset? (set ["read"]) (set ["read" "write"]))

(set/map-invert {"a" "x"})

(set/union (sorted-set 3 1) #{2})

(set/difference (sorted-set 1 2 3) #{2})

(set/select #(> % 1) (sorted-set 1 2 3))

(set/rename-keys {:first_name "A" :last_name "B"} {:first_name :first :last_name :last})

(update-vals (set/index #{{:t "x" :v 1}} [:t]) count)

