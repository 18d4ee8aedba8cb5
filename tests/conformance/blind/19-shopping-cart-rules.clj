;; ctx: {"catalog": [{"sku": "mug", "cents": 800, "tags": ["kitchen"]}, {"sku": "pan", "cents": 4500, "tags": ["kitchen", "heavy"]}, {"sku": "book", "cents": 1500, "tags": ["media"]}], "carts": [{"user": "ann", "items": {"mug": 3, "book": 1}, "code": "BOOKS"}, {"user": "bob", "items": {"pan": 2}}, {"user": "cid", "items": {}, "code": "NOPE"}, {"user": "dee", "items": {"mug": 1, "ufo": 2}}]}
(require '[clojure.string :as str])

(def catalog (reduce (fn [m p] (assoc m (:sku p) p)) {} ctx/catalog))

(defn cart-lines [{:keys [items]}]
  (for [[sku n] items
        :let [product (catalog (name sku))]]
    {:sku (name sku) :n n :product product :cents (* n (:cents product 0))}))

(defn has-tag? [tag line]
  (boolean (some #{tag} (get-in line [:product :tags]))))

;; Each rule takes the cart and its lines and gives cents off, or nil.
(def rules
  [[:three-mugs (fn [_ lines]
                  (when-let [{:keys [n product]} (first (filter #(= "mug" (:sku %)) lines))]
                    (when (>= n 3) (:cents product))))]
   [:book-code (fn [{:keys [code]} lines]
                 (when (= "BOOKS" code)
                   (quot (reduce + (map :cents (filter (partial has-tag? "media") lines))) 10)))]
   [:big-spender (fn [_ lines]
                   (let [total (reduce + (map :cents lines))]
                     (when (> total 5000) 500)))]])

(defn discounts [cart lines]
  (for [[id rule] rules
        :let [off (rule cart lines)]
        :when (and off (pos? off))]
    [id off]))

(defn money [cents]
  (format "$%d.%02d" (quot cents 100) (rem cents 100)))

(defn checkout [cart]
  (let [lines (cart-lines cart)
        unknown (->> lines (remove :product) (map :sku))
        off (discounts cart lines)
        gross (reduce + 0 (map :cents lines))
        shipping (if (some (partial has-tag? "heavy") lines) 999 0)
        net (+ shipping (- gross (reduce + 0 (map second off))))]
    (cond-> {:user (:user cart) :total (money net)}
      (seq off) (assoc :applied (mapv first off))
      (pos? shipping) (assoc :shipping (money shipping))
      (seq unknown) (assoc :unknown (str/join "," unknown))
      (empty? lines) (assoc :empty? true))))

(mapv checkout ctx/carts)
