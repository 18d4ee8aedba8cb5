[1 2 3]

[]

[1 "a" :b nil true 2.5]

[[1 2] [3 4]]

(vector 1 2 3)

(vector)

(vec '(1 2))

(vec nil)

(vec #{1})

(vec {:a 1})

(vec (range 3))

(vector? [1])

(vector? '(1))

(vector? (vec (map inc [1])))

(vector? (map inc [1]))

(vector? (mapv inc [1]))

(vector? (first {:a 1}))

(count [1 2 3])

(count [])

(nth [1 2 3] 0)

(nth [1 2 3] 2)

(nth [1 2 3] 3)

(nth [1 2 3] -1)

(nth [1 2 3] 3 :none)

(nth nil 0)

(nth [1 2] nil)

(get [1 2 3] 0)

(get [1 2 3] 5)

(get [1 2 3] 5 :none)

(get [1 2 3] -1)

(get [1 2 3] "0")

([1 2 3] 1)

([1 2 3] 5)

((vec (range 5)) 3)

(map [10 20 30] [0 2])

(first [1 2])

(first [])

(second [1 2])

(second [1])

(last [1 2 3])

(last [])

(rest [1 2])

(rest [])

(next [1])

(next [1 2])

(butlast [1 2 3])

(butlast [1])

(peek [1 2 3])

(peek [])

(pop [1 2 3])

(pop [])

(conj [1] 2)

(conj [1] 2 3)

(conj [] [1])

(conj [1] nil)

(conj nil 1)

(conj)

(conj [1])

(into [1] [2 3])

(into [] '(1 2))

(into [] {:a 1})

(into [] #{1})

(into [] nil)

(into nil [1 2])

(into [] (map inc) [1 2])

(assoc [1 2 3] 0 :a)

(assoc [1 2 3] 3 4)

(assoc [1 2 3] 4 5)

(assoc [1 2 3] -1 5)

(assoc [1 2] 0 :x 1 :y)

(assoc [] 0 :a)

(update [1 2 3] 1 inc)

(update [1 2 3] 0 + 10)

(assoc-in [[1 2] [3 4]] [1 0] :x)

(update-in [[1 2] [3 4]] [0 1] inc)

(assoc-in [{:a 1}] [0 :a] 2)

(get-in [[1 2] [3 4]] [1 1])

(get-in [{:a [10 20]}] [0 :a 1])

(get-in [1] [5 :a])

(get-in [1] [5] :none)

(get-in [1 2] [])

(subvec [1 2 3 4] 1)

(subvec [1 2 3 4] 1 3)

(subvec [1 2 3] 0 0)

(subvec [1 2 3] 2 5)

(subvec [1 2 3] -1)

(contains? [10 20] 0)

(contains? [10 20] 2)

(contains? [10 20] 10)

(contains? [1 2] -1)

(some #{2} [1 2 3])

(.indexOf [1 2 3] 2)

(.indexOf [1 2 3] 9)

(.contains [1 2 3] 2)

(.lastIndexOf [1 2 1] 1)

(reverse [1 2 3])

(rseq [1 2 3])

(rseq [])

(rseq (list 1))

(mapv inc [1 2])

(mapv + [1 2] [10 20])

(mapv + [1 2] [10 20] [100 200])

(mapv vector [1 2] [:a :b :c])

(mapv identity nil)

(filterv even? [1 2 3 4])

(filterv some? [1 nil 2])

(empty [1 2])

(empty? [])

(empty? [nil])

(not-empty [])

(not-empty [1])

(seq [])

(seq [1])

(list? [1])

(coll? [1])

(sequential? [1])

(seqable? [1])

(associative? [1])

(indexed? [1])

(counted? [1])

(reversible? [1])

(seq? [1])

(ifn? [1])

(fn? [1])

(= [1 2 3] (list 1 2 3))

(= [1] [1 nil])

(apply + [1 2 3])

(apply max [3 9 2])

(apply vector 1 2 [3 4])

(reduce conj [] (range 3))

(reduce-kv (fn [acc i v] (conj acc [i v])) [] [:a :b])

(replace {1 :one 2 :two} [1 2 3])

(vec (repeat 3 0))

(vec (take 2 [1 2 3]))

(concat [1] [2])

(vec (concat [1] [2 3]))

(flatten [1 [2 [3 [4]]]])

(flatten [])

(flatten nil)

(flatten 5)

(flatten [1 {:a [2]} #{3}])

(flatten {:a 1})

(vec (flatten [[1 2] '(3)]))

(interleave [1 2] [:a :b])

(interpose 0 [1 2 3])

(distinct [1 2 1 3])

(dedupe [1 1 2 2 1])

(zipmap [:a :b] [1 2])

(map-indexed vector [:a :b])

(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b :c :d])

(first (keep-indexed #(when (= %2 :b) %1) [:a :b]))

(take-nth 2 [1 2 3 4 5])

(partition 2 [1 2 3 4 5])

(let [v [1 2 3]] [(first v) (peek v) (count v)])

(let [v [3 1 2]] [(sort v) v])

(mapv (fn [[a b]] (+ a b)) [[1 2] [3 4]])

(apply mapv vector [[1 2 3] [4 5 6]])

(apply map vector [[1 2] [3 4]])

(apply map list [[1 2] [3 4]])

(vec (sort [3 1 2]))

(vec (sort-by - [3 1 2]))

(vec (reverse [1 2]))

(sort [[2 "b"] [1 "z"] [2 "a"]])

(split-at 2 [1 2 3 4])

(split-with #(< % 3) [1 2 3 1])

(nth [[1 2] [3 4]] 1)

(ffirst [[1 2] [3]])

(nfirst [[1 2] [3]])

(fnext [1 2 3])

(nnext [1 2 3])

(every? pos? [])

(some pos? [])

(vec "abc")

(conj [1 2] [3 4])

(into [1 2] [[3 4]])

(cons 0 [1 2])

(vector? (cons 0 [1 2]))

(vector? (conj [1] 2))

(vector? (rest [1 2]))

(vector? (subvec [1 2] 0 1))

(vector? (into [] '(1)))

(nthrest [1 2 3 4] 2)

(nthnext [1 2 3] 3)

(drop-last [1 2 3])

(drop-last 2 [1 2 3])

(take-last 2 [1 2 3])

(vec (drop 1 [1 2 3]))

(compare [1] [2])

(hash-set [1 2] [1 2])

(disj [1] 1)

(dissoc [1 2] 0)

(keys [1 2])

(key [1 2])

([1 2] :a)

([1 2] 0 1)

(get-in {:items [{:id 1} {:id 2}]} [:items 1 :id])

(mapv #(assoc % :z 0) [{:a 1} {:a 2}])

(map second [[1 2] [3 4]])

(mapv last [[1 2] [3 4] []])

(nth [1 2 3] 1.5)

(nth [1 2 3] 1.5 :d)

(nth [1 2 3] -0.5)

(nth [1 2 3] -1 :d)

(nth [1 2] nil 1)

(nth [1 2] :a :d)

(nth [1 2] ##NaN)

(nth [1 2] ##Inf)

(nth [1 2] 1N)

(subvec [1 2 3 4] 1.5)

(subvec [1 2 3 4] 1.5 2.9)

(subvec [1 2 3] -0.5)

(subvec [1 2 3] nil)

(subvec [1 2 3] 1 nil)

(nth [1 2 3] "1")

(nth [1 2 3] 5)

(subvec [1 2 3] 2 1)

(subvec [1 2 3] 0 4)
