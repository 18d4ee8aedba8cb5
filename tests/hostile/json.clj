;; Texts of JSON.
(json/parse-string (str/join (repeat 1000000 "[")))
;! fuel-limit
(json/parse-string (str "[" (str/join (repeat 1000000 "[],")) "1]"))
;! fuel-limit
(json/parse-string (str "{" (str/join "," (repeat 50000 "\"a\":1")) "}"))
;=> {"a" 1}
(json/parse-string (str "\"" (str/join (repeat 100000 "\\u0041")) "x\""))
;! fuel-limit
(json/parse-string (str "\"" (str/join (repeat 1000000 "a"))))
;! fuel-limit
(json/parse-string (str (str/join (repeat 1000000 " ")) "1"))
;! fuel-limit
(json/parse-string (str "1e" (str/join (repeat 1000 "9"))))
;! bad-json
(json/parse-string "{\"a\": 1, \"a\": 2, \"a\": {\"a\": 3}}")
;=> {"a" {"a" 3}}
(json/parse-string "\"\\ud800\"")
;! bad-json
(json/parse-string "[1,]")
;! bad-json
(json/parse-string "nul")
;! bad-json
(json/parse-string "{\"\": {\"\": {}}}")
;=> {"" {"" {}}}
(count (json/parse-lines (str/join (repeat 100000 "1\n"))))
;=> 100000
(json/parse-lines (str/join (repeat 1000 "[[[[")))
;! value-depth-limit
(json/generate-string (reduce (fn [v _] [v v]) [] (range 100)))
;! fuel-limit
(json/generate-string (reduce (fn [v _] {:a v :b v}) {} (range 100)) {:pretty true})
;! fuel-limit
(json/generate-string (reduce (fn [v _] [v]) [] (range 400)) {:pretty true})
;=> "[\n  [\n    [\n      [\n        [\n          [\n            [\n              [\n                … 322407 characters
(json/generate-string {(reduce (fn [v _] [v v]) [] (range 10)) 1})
;=> "{\"[[[[[[[[[[[] []] [[] []]] [[[] []] [[] []]]] [[[[] []] [[] []]] [[[] []] [[] []]]]] [[[[[] []… 5130 characters
(json/generate-string (let [a (atom 1)] {:a [{:b a}]}))
;! not-json
(json/generate-string ##NaN)
;! not-json
(loop [v [1]] (recur [(json/generate-string v)]))
;! fuel-limit
(loop [s "[]"] (recur (str "[" s "," s "]")))
;! fuel-limit
