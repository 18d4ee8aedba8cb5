(atom 1 :validater pos?)

(atom 1 :validator pos? :meta {})

(json/generate-string {:a 1} {:prety true})

(json/generate-string {:a 1} {:pretty true})

(json/generate-string {:a 1} {:indent 2})

(json/read-str "{}" :key-fun keyword)

(json/read-str "{}" :key-fn keyword)

(json/read-str "{}" :eof-error? false)

(json/read-str "{}" :extra-data-fn inc)

(json/read-str "{}" {:value-fun inc})

(json/write-str {:a 1} :pretty true)

(json/write-str {:a 1} :escape-slash false :indent true)

(try (json/read-str "{}" :key-fun keyword) (catch Exception e nil))

(fail {:reasn :late :message "too late"})

(fail {:reason :late :mesage "too late"})

(fail {:reason :late :message "too late" :when 5})

(fail "too late")

(for [x [1 2] :wen (odd? x)] x)

(for [x [1 2] :until (odd? x)] x)

(doseq [x [1 2] :lett [y x]] y)

(let [{:keyz [a]} {:a 1}] a)

(let [{:keys [a] :ro {a 1}} {}] a)

(let [{:a a} {:a 1}] a)

(let [[a :ass all] [1]] a)

(ctx/customers)

(count (ctx/customers))

(ctx)

(ctx/customers 0)

(-> 0 (ctx/customers))

(ctx/nothing)

(call "free" 5)

(let [x 5] (call "free" x))

(let [x [{:a 1}]] (call "free" x))

(let [x (count ctx/customers)] (call "rate" x))

(call "free" (first ctx/customers))

(try (call "free" (inc 1)) (catch Exception e nil))
