;; Sets.
#{1 2 3}
;=> #{1 2 3}
#{3 1 2}
;=> #{3 1 2}
(conj #{1} 2)
;=> #{1 2}
(conj #{1} 1)
;=> #{1}
(disj #{1 2} 1)
;=> #{2}
(disj #{1 2} 5)
;=> #{1 2}
(disj #{1 2 3} 1 3)
;=> #{2}
(disj nil 1)
;=> nil
(disj [1] 1)
;! wrong-type `disj` expects a set, found a vector [1]
(contains? #{1} 1)
;=> true
(contains? #{nil} nil)
;=> true
(get #{nil} nil :no)
;=> nil
(#{:a :b} :a)
;=> :a
(set/union #{1} #{2})
;=> #{1 2}
(set/union)
;=> #{}
(set/union #{1} nil)
;=> #{1}
(set/union nil #{1})
;=> #{1}
(set/union #{1} [2])
;=> #{1 2}
(set/intersection #{1 2} #{2 3})
;=> #{2}
(set/intersection #{1 2} #{2 3} #{2})
;=> #{2}
(let [a #{5 3 1 4} b (set/intersection a #{1 3 4 6 7})] [b (set/difference a b) (count a)])
;=> [#{3 1 4} #{5} 4]
(set/intersection #{1} nil)
;=> nil
(set/difference #{1 2} #{2})
;=> #{1}
(set/difference #{1 2 3} #{1} #{2})
;=> #{3}
(set/difference #{1} nil)
;=> #{1}
(set/difference nil #{1})
;=> nil
(set/subset? #{1} #{1 2})
;=> true
(set/subset? #{} #{})
;=> true
(set/subset? #{3} #{1 2})
;=> false
(set/superset? #{1 2} #{1})
;=> true
(clojure.set/union #{1} #{2})
;=> #{1 2}
(set [[1 2] '(1 2)])
;=> #{[1 2]}
(set [1 1.0])
;=> #{1}
;clj D4 #{1 1.0}
(set [{:a 1} {:a 1}])
;=> #{{:a 1}}
(count (set (range 100)))
;=> 100
(filter #{1 3} (range 5))
;=> (1 3)
(remove #{1 3} (range 5))
;=> (0 2 4)
(some #{:a} [:b :a])
;=> :a
(some #{nil} [nil])
;=> nil
(every? #{1 2} [1 2])
;=> true
(map #{1} [1 2])
;=> (1 nil)
(sort #{3 1 2})
;=> (1 2 3)
(into #{} (map inc [1 2]))
;=> #{2 3}
(= #{1 2} (set [2 1]))
;=> true
(= #{1} [1])
;=> false
(empty? #{})
;=> true
(first #{})
;=> nil
(seq #{})
;=> nil
(apply set/union [#{1} #{2}])
;=> #{1 2}
(reduce set/union [#{1} #{2} #{3}])
;=> #{1 2 3}
(set/intersection [1 2] #{1})
;=> #{1}
(set/select odd? #{1 2 3})
;=> #{1 3}
(union #{1} #{2})
;! unknown-name `union` is not defined
(vec #{1 2})
;=> [1 2]
(str #{1})
;=> "#{1}"
(disj #{1 2} 1.0)
;=> #{2}
;clj D4 #{1 2}
#{[1] (quote (1))}
;=> #{[1]}
;clj N3 #{(1)}
#{1 (+ 0 1) 2}
;! bad-form this member occurs twice: an integer 1
(hash-set :a :a)
;=> #{:a}

(set/rename-keys nil {:a :z})
;=> nil
