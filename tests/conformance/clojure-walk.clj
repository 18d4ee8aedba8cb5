(clojure.walk/postwalk identity {:a [1 2]})

(clojure.walk/postwalk #(if (number? %) (inc %) %) {:a [1 {:b 2}]})

(clojure.walk/prewalk #(if (number? %) (inc %) %) {:a [1 {:b 2}]})

(clojure.walk/postwalk #(if (string? %) (keyword %) %) ["a" ["b"]])

(clojure.walk/prewalk #(if (vector? %) (vec (reverse %)) %) [1 [2 3]])

(clojure.walk/postwalk #(if (vector? %) (reduce + %) %) [1 [2 3] [4 [5]]])

(clojure.walk/keywordize-keys {"a" 1 "b" {"c" 2}})

(clojure.walk/keywordize-keys [{"a" 1} {"b" [{"c" 2}]}])

(clojure.walk/keywordize-keys {"a" 1 :b 2 3 4})

(clojure.walk/stringify-keys {:a 1 :b {:c :d}})

(clojure.walk/stringify-keys [{:a/b 1}])

(clojure.walk/postwalk-replace {:a :b} [:a {:a :a}])

(clojure.walk/prewalk-replace {1 2} [1 [1 3]])

(clojure.walk/postwalk-replace {1 2 2 3} [1 2])

(clojure.walk/prewalk-replace {[1] [2] 2 3} [[1] 2])

(clojure.walk/walk inc identity [1 2 3])

(clojure.walk/walk inc #(apply + %) [1 2 3])

(clojure.walk/walk inc identity '(1 2))

(clojure.walk/walk first reverse [[1 2] [3 4]])

(clojure.walk/walk (fn [[k v]] [k (inc v)]) identity {:a 1})

(clojure.walk/postwalk #(if (map? %) (dissoc % :secret) %) {:a 1 :secret 2 :b {:secret 3 :c 4}})

(clojure.walk/postwalk #(if (nil? %) 0 %) {:a nil :b [nil 1]})

(clojure.walk/postwalk #(if (and (map? %) (:v %)) (update % :v * 10) %) [{:v 1} {:x {:v 2}}])

(clojure.walk/prewalk #(if (and (map? %) (:skip %)) nil %) [{:skip true} {:k 1}])

(clojure.walk/postwalk #(if (keyword? %) (name %) %) {:a :b :c [:d]})

(let [n (atom 0)] (clojure.walk/postwalk #(do (swap! n inc) %) [1 [2 3]]) @n)

(let [n (atom [])] (clojure.walk/postwalk #(do (swap! n conj %) %) [1 [2]]) @n)

(let [n (atom [])] (clojure.walk/prewalk #(do (swap! n conj %) %) [1 [2]]) @n)

(let [n (atom [])] (clojure.walk/postwalk #(do (swap! n conj %) %) {:a 1}) @n)

(let [n (atom 0)] (clojure.walk/postwalk #(do (when (number? %) (swap! n + %)) %) {:a 1 :b [2 {:c 3}]}) @n)

(clojure.walk/postwalk #(if (number? %) (str %) %) '(1 (2 3)))

(seq? (clojure.walk/postwalk identity '(1 2)))

(vector? (clojure.walk/postwalk identity [1 2]))

(clojure.walk/postwalk #(if (number? %) (* 2 %) %) #{1})

(clojure.walk/postwalk inc 5)

(clojure.walk/postwalk identity nil)

(clojure.walk/postwalk #(if (string? %) (clojure.string/trim %) %) {:a " x " :b [" y"]})

(walk/postwalk (fn [x] (if (map? x) (into (sorted-map) x) x)) {:b 1 :a {:d 1 :c 2}})

(clojure.walk/postwalk #(if (map? %) (into {} (remove (comp nil? val) %)) %) {:a nil :b {:c nil :d 1}})

(clojure.walk/postwalk #(if (map-entry? %) [(key %) (inc (val %))] %) {:a 1 :b 2})

(clojure.walk/postwalk #(if (and (vector? %) (= 2 (count %)) (keyword? (first %))) [(first %) :v] %) {:a 1})

(clojure.walk/keywordize-keys {"user name" 1})

(clojure.walk/keywordize-keys nil)

(clojure.walk/stringify-keys {})

(clojure.walk/postwalk-replace {"N/A" nil} [{:x "N/A"} {:x 1}])

(get-in (clojure.walk/keywordize-keys {"a" {"b" [{"c" 9}]}}) [:a :b 0 :c])

(clojure.walk/prewalk (fn [x] (if (int? x) (if (< x 3) [(inc x)] x) x)) 0)

