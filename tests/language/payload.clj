;; A program sees its own operations at once, and later programs see them too.
payload
;=> {}
(payload/put [:order :total] 40)
;=> 40
payload/order
;=> {"total" 40}
(payload/get [:order "total"])
;=> 40
(payload/get [:order :absent])
;=> nil
(payload/get [:order :absent] 0)
;=> 0
(payload/get ["order" :lines 3 :id] :none)
;=> :none
(do (payload/push [:order :lines] {:id 1}) (payload/push [:order :lines] {:id 2}) (payload/get [:order :lines 1 :id]))
;=> 2
(payload/merge [:order] {:paid true, :total 41})
;=> {:paid true, :total 41}
payload/order
;=> {"total" 41, "lines" [{"id" 1} {"id" 2}], "paid" true}
(payload/delete [:order :lines 0])
;=> nil
(payload/get [:order :lines])
;=> [{"id" 2}]
(payload/put [:order :lines 1] {:id 3})
;=> {:id 3}
(map :id (payload/get [:order :lines]))
;=> (2 3)
(payload/delete [:absent])
;=> nil
(let [path [:order :total]] (payload/put path (inc (payload/get path))))
;=> 42
(map payload/get [[:order :total] [:order :paid]])
;=> (42 true)
(payload/put [] {"fresh" 1})
;=> {"fresh" 1}
payload
;=> {"fresh" 1}
(keys payload)
;=> ("fresh")
(:fresh payload)
;=> 1

;; Values become JSON when they are put.
(payload/put [:kind] :paid)
;=> :paid
payload
;=> {"kind" "paid"}
(payload/put [:set] #{1 2})
;=> #{1 2}
payload/set
;=> [1 2]
(payload/put [:rows] (map inc [1 2]))
;=> (2 3)
(vector? payload/rows)
;=> true
(payload/put [:f] inc)
;! not-json `payload/put` cannot keep the value: a function has no JSON form
(payload/put [:m] {:a {:b ##NaN}})
;! not-json `payload/put` cannot keep the value: a.b: a not-a-number or infinite float has no JSON form
(payload/push [:rows] {:f inc})
;! not-json `payload/push` cannot keep the value: f: a function has no JSON form
(payload/merge [:m] {:f inc})
;! not-json `payload/merge` cannot keep the value: f: a function has no JSON form
(try (payload/put [:f] inc) (catch IllegalArgumentException e "caught"))
;=> "caught"
(keys payload)
;=> ("kind" "set" "rows")

;; Operations that do not fit.
(payload/put [:n] 1)
;=> 1
(payload/put [:n :x] 1)
;! payload-misfit payload/put n.x: expected a map at n, found int
(payload/push [:n] 1)
;! payload-misfit payload/push n: expected a list, found int
(payload/merge [:n] {:a 1})
;! payload-misfit payload/merge n: expected a map, found int
(payload/merge [:m] 5)
;! payload-misfit payload/merge m: expected a map to merge, found int
(payload/put [:rows 3] 1)
;! payload-misfit payload/put rows[3]: expected an index from 0 to 0 at rows, found 3
(payload/delete [])
;! payload-misfit payload/delete: expected a path of a part, found the root
(payload/get :n)
;! wrong-type `payload/get` expects a path: a vector of keys and of indexes from 0, found a keyword :n
(payload/get [1.5])
;! wrong-type `payload/get` expects a path: a vector of keys and of indexes from 0, found a float 1.5
(payload/put [nil] 1)
;! wrong-type `payload/put` expects a path: a vector of keys and of indexes from 0, found nil
(payload/put "n" 1)
;! wrong-type `payload/put` expects a path: a vector of keys and of indexes from 0, found a string "n"
(try (payload/push [:n] 1) (catch Exception e (ex-message e)))
;=> "payload/push n: expected a list, found int"

;; A program that ends in an error changes nothing.
(payload/put [:n] 1)
;=> 1
(do (payload/put [:n] 2) (payload/push [:rows] 1) (/ 1 0))
;! divide-by-zero `/` divides by zero
payload
;=> {"n" 1}
(do (payload/put [:n] 3) (fail {:reason :no, :message "no"}))
;fail {:reason :no, :message "no"}
payload
;=> {"n" 1}
(do (payload/put [:n] 4) (return payload/n))
;return 4
payload
;=> {"n" 4}

;; Branches see the payload at the fork and their own operations.
(payload/put [:n] 1)
;=> 1
(pmap (fn [i] (payload/push [:seen] [i payload/n (count (payload/get [:seen] []))])) [1 2 3])
;=> ([1 1 0] [2 1 0] [3 1 0])
payload/seen
;=> [[1 1 0] [2 1 0] [3 1 0]]
(pmap (fn [i] (payload/put [:by (str "k" i)] (* i i))) [1 2 3])
;=> (1 4 9)
payload/by
;=> {"k1" 1, "k2" 4, "k3" 9}
(pmap (fn [i] (payload/put [:same] 7)) [1 2])
;=> (7 7)
payload/same
;=> 7
(pmap (fn [i] (payload/put [:same] i)) [1 2])
;! payload-conflict branches 0 and 1 set same differently
(pcalls #(payload/put [:a] 1) #(payload/put [:a :b] 1))
;! payload-conflict branch 0 changes a, branch 1 changes a.b
(pcalls #(payload/push [:list] 1) #(payload/put [:list] [2]))
;! payload-conflict branches 0 and 1 set list differently
payload
;=> {"n" 1, "seen" [[1 1 0] [2 1 0] [3 1 0]], "by" {"k1" 1, "k2" 4, "k3" 9}, "same" 7}
(pcalls #(do (payload/put [:x] 1) (pmap (fn [i] (payload/push [:in] i)) [1 2]) payload/in) #(payload/push [:in] 3))
;=> ([1 2] 3)
payload/in
;=> [1 2 3]
(try (pcalls #(payload/put [:kept] 1) #(/ 1 0)) (catch ArithmeticException e payload/kept))
;=> 1
(try (pmap (fn [i] (payload/put [:same] i)) [1 2]) (catch IllegalStateException e payload/same))
;=> 7
(pmap (fn [i] (call "add" {:a (payload/put [:at i] i) :b 1})) [0])
;call add {:a 0, :b 1}
;=> (1)
(pcalls #(do (call "echo" {:v 1}) (payload/push [:late] "first")) #(payload/push [:late] "second"))
;call echo {:v 1}
;=> ("first" "second")
payload/late
;=> ["first" "second"]
(payload/delete [:late 0])
;=> nil
payload/late
;=> ["second"]

;; Names and forms.
(def payload/x 1)
;! bad-form `payload/x` cannot be defined
(payload/put)
;! wrong-arity `payload/put` takes 2 arguments, not 0
(payload/gte [:n])
;! not-callable `payload/gte` is not a function of the payload
(let [payload {:n 5}] (:n payload))
;=> 5
(def shown payload)
;=> #'shown
