; Normalises phone numbers to digits with a country code, and finds those of several customers.
(defn normalise [number]
  (let [digits (str/replace number #"[^\d+]" "")]
    (cond
      (str/starts-with? digits "+") (subs digits 1)
      (str/starts-with? digits "00") (subs digits 2)
      :else (str "49" digits))))

(let [phones (for [customer ctx/customers
                   {:keys [kind number]} (:phones customer)]
               {:customer (:id customer) :kind kind :number (normalise number)})
      by-number (group-by :number phones)]
  (return
    {:phones (count phones)
     :kinds (frequencies (map :kind phones))
     :by-prefix (frequencies (map #(subs (:number %) 0 3) phones))
     :shared (->> by-number
                  (filter (fn [[_ phones]] (< 1 (count (distinct (map :customer phones))))))
                  (map (fn [[number phones]] {:number number :customers (sort (map :customer phones))}))
                  (sort-by :number))}))
