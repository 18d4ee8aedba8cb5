;; id: cart-total
;; ctx: @products
(let [by-sku (into {} (map (juxt :sku identity) ctx/products))
      lines (for [{:keys [sku qty]} ctx/cart
                  :let [p (by-sku sku)]]
              (if p
                {:sku sku :amount (* qty (:price p))}
                {:sku sku :error :unknown-sku}))
      subtotal (reduce + (keep :amount lines))
      tax (* subtotal ctx/tax_rate)]
  {:lines (count lines)
   :subtotal (format "%.2f" subtotal)
   :tax (format "%.2f" tax)
   :errors (mapv :sku (filter :error lines))})

;; id: category-stats
;; ctx: @products
(->> ctx/products
     (group-by :category)
     (map (fn [[c ps]]
            (let [prices (map :price ps)]
              {:category c
               :n (count ps)
               :min (apply min prices)
               :max (apply max prices)})))
     (sort-by :category))

;; id: inventory-value
;; ctx: @products
(->> ctx/products
     (map (fn [{:keys [price stock]}] (* price stock)))
     (reduce +)
     (format "%,.2f"))

;; id: out-of-stock
;; ctx: @products
(let [out (filter (comp zero? :stock) ctx/products)]
  (if (empty? out)
    "all in stock"
    (str "Out: " (clojure.string/join ", " (map :name out)))))

;; id: best-rated
;; ctx: @products
(->> ctx/products
     (filter :rating)
     (sort-by (juxt (comp - :rating) :name))
     (take 3)
     (mapv (juxt :name :rating)))

;; id: average-rating-by-category
;; ctx: @products
(into (sorted-map)
      (for [[c ps] (group-by :category ctx/products)
            :let [rs (keep :rating ps)]]
        [c (when (seq rs)
             (format "%.2f" (/ (reduce + rs) (count rs))))]))

;; id: price-bands
;; ctx: @products
(let [band (fn [p]
             (condp > (:price p)
               10 :cheap
               100 :fair
               500 :pricey
               :luxury))]
  (->> ctx/products
       (map (juxt band :sku))
       (reduce (fn [m [b s]] (update m b (fnil conj []) s)) {})))

;; id: apply-sale
;; ctx: @products
(mapv (fn [{:keys [sku price category discontinued]}]
        (let [pct (cond
                    discontinued 0.5
                    (= category "furniture") 0.2
                    :else 0)]
          [sku (/ (Math/round (* price (- 1 pct) 100.0)) 100.0)]))
      ctx/products)

;; id: tags-inverted
;; ctx: @products
(reduce (fn [m {:keys [sku tags]}]
          (reduce (fn [m t] (update m t (fnil conj []) sku)) m tags))
        (sorted-map)
        ctx/products)

;; id: search-products
;; ctx: @products
(defn search [term]
  (let [re (re-pattern (str "(?i)" term))]
    (->> ctx/products
         (filter (fn [{:keys [name category]}]
                   (or (re-find re name) (re-find re category))))
         (mapv :name))))
(map search ["book" "ELEC" "zzz"])

;; id: price-table
;; ctx: @products
(let [width (apply max (map (comp count :name) ctx/products))
      row (fn [{:keys [name price]}]
            (format (str "%-" width "s | %8.2f") name price))]
  (clojure.string/join "\n" (map row (take 4 ctx/products))))

;; id: restock-plan
;; ctx: @products
(let [target 20]
  (->> ctx/products
       (remove :discontinued)
       (keep (fn [{:keys [sku stock price]}]
               (when (< stock target)
                 (let [n (- target stock)]
                   {:sku sku :order n :cost (* n price)}))))
       (sort-by :cost)
       (mapv (juxt :sku :order))))

;; id: cheapest-per-category
;; ctx: @products
(reduce (fn [best {:keys [category price] :as p}]
          (let [current (get best category)]
            (if (or (nil? current) (< price (:price current)))
              (assoc best category (select-keys p [:sku :price]))
              best)))
        {}
        ctx/products)

;; id: missing-fields
;; ctx: @products
(let [required [:sku :name :price :rating :tags]]
  (->> ctx/products
       (map (fn [p] [(:sku p) (filterv #(nil? (get p %)) required)]))
       (remove (comp empty? second))
       (into {})))

;; id: paginate
;; ctx: @products
(let [page-size 3
      pages (partition-all page-size (map :sku ctx/products))]
  (map-indexed (fn [i page] {:page (inc i) :skus (vec page)}) pages))

;; id: similar-products
;; ctx: @products
(let [tags (fn [p] (set (:tags p)))]
  (for [[a & more] (take-while seq (iterate rest ctx/products))
        b more
        :let [shared (clojure.set/intersection (tags a) (tags b))]
        :when (seq shared)]
    [(:sku a) (:sku b) (vec (sort shared))]))

;; id: knapsack-greedy
;; ctx: @products
(loop [budget 300
       [p & more] (sort-by :price > (filter (comp pos? :stock) ctx/products))
       chosen []]
  (cond
    (nil? p) {:chosen chosen :left (format "%.2f" (double budget))}
    (<= (:price p) budget) (recur (- budget (:price p)) more (conj chosen (:sku p)))
    :else (recur budget more chosen)))

;; id: category-share
;; ctx: @products
(let [total (count ctx/products)
      share (fn [[c ps]] [c (/ (count ps) total)])]
  (->> ctx/products
       (group-by :category)
       (map share)
       (sort-by first)
       vec))

;; id: csv-export
;; ctx: @products
(let [columns [:sku :name :price]
      header (clojure.string/join "," (map name columns))
      row (fn [p] (clojure.string/join "," (map #(get p %) columns)))]
  (->> (take 3 ctx/products)
       (map row)
       (cons header)
       (clojure.string/join "\n")))

;; id: dedupe-tags
;; ctx: @products
(let [all (mapcat :tags ctx/products)]
  {:all (count all)
   :unique (count (distinct all))
   :dups (->> all frequencies (filter #(> (val %) 1)) (map key) sort)})

;; id: weighted-average
;; ctx: @products
(let [rated (filter (every-pred :rating (comp pos? :stock)) ctx/products)
      weight (reduce + (map :stock rated))
      sum (reduce + (map #(* (:rating %) (:stock %)) rated))]
  (format "%.3f" (/ sum weight)))
