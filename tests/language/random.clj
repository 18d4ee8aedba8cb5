;; The tests' seed is 0, so what is drawn is always the same. Records of runs depend on every value here.
[(rand) (rand-int 100) (rand-nth [:a :b :c]) (shuffle (range 6)) (random-uuid)]
;=> [0.427790831000732 48 :c [1 2 4 5 3 0] #uuid "ae820f35-6326-4c9d-b810-f8acd8f3f06e"]
(repeatedly 5 #(rand-int 6))
;=> (0 0 1 0 0)
(pmap (fn [_] [(rand-int 1000) (rand-int 1000)]) (range 3))
;=> ([781 259] [676 467] [954 625])
[(rand-int 1000) (with-out-str (print (rand-int 1000))) (rand-int 1000)]
;=> [438 "648" 678]
(random-sample 0.5 (range 10))
;=> (0 1 2 3 5 7 8 9)
(take 3 (random-sample 0.5 (range)))
;=> (0 1 2)
[(rand 10) (Math/random) (clojure.math/random) (clojure.core/rand-int 1000)]
;=> [2.4842227842264277 0.25458307792573587 0.6879953995757804 981]
(let [xs (repeatedly rand)] (= (take 3 xs) (take 3 xs)))
;=> true
(def drawn (rand-int 1000000)) (= drawn drawn)
;=> true

;; What holds of every seed.
(every? #(<= 0 % 5) (repeatedly 200 #(rand-int 6)))
;=> true
(sort (distinct (repeatedly 200 #(rand-int 4))))
;=> (0 1 2 3)
[(rand-int 0) (rand-int 1) (rand-int 0.5) (rand 0)]
;=> [0 0 0 0.0]
(every? #(<= -3 % 0) (repeatedly 100 #(rand-int -4)))
;=> true
(= (sort (shuffle (range 100))) (range 100))
;=> true
[(vector? (shuffle '(1 2))) (shuffle []) (shuffle #{1}) (count (shuffle (take 3 (iterate inc 1))))]
;=> [true [] [1] 3]
[(rand-nth nil) (rand-nth [7]) (rand-nth "a") (rand-nth '(3)) (rand-nth (range 1))]
;=> [nil 7 "a" 3 0]
[(random-sample 0 [1 2]) (random-sample 1 [1 2]) (random-sample 0.5 nil)]
;=> [() (1 2) ()]
[(uuid? (random-uuid)) (nth (str (random-uuid)) 14) (count (distinct (repeatedly 50 random-uuid)))]
;=> [true "4" 50]
(contains? #{"8" "9" "a" "b"} (nth (str (UUID/randomUUID)) 19))
;=> true
(count (str (java.util.UUID/randomUUID)))
;=> 36

;; What is wrong.
(rand-int "6")
;! wrong-type `rand-int` expects numbers, its first argument is a string "6"
(rand-int nil)
;! wrong-type `rand-int` expects numbers, its first argument is nil
(rand :x)
;! wrong-type `rand` expects numbers, its first argument is a keyword :x
(rand-nth [])
;! out-of-bounds there is no item at position 0; the collection has 0 items
(rand-nth {:a 1})
;! wrong-type `rand-nth` expects a vector, a list or a text, found a map {:a 1}
(shuffle {:a 1})
;! wrong-type `shuffle` expects a vector, a list or a set, found a map {:a 1}
(shuffle nil)
;! wrong-type `shuffle` expects a vector, a list or a set, found nil
(shuffle "abc")
;! wrong-type `shuffle` expects a vector, a list or a set, found a string "abc"
(rand-nth (range))
;! endless-sequence the program needs all items of a sequence that never ends
(shuffle (range 100000000))
;! fuel-limit the program used up its fuel of 30000000 units of work
(.nextInt (java.util.Random. 42) 6)
;! not-available `.nextInt` is not part of the language
(randint 6)
;! unknown-name `randint` is not defined
