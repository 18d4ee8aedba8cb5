;; ctx: {"payload": {"userId": 7, "firstName": "Ann", "homeAddress": {"streetName": "Main", "zipCode": null, "geoPoints": [{"latValue": "59.91", "lonValue": "10.75"}]}, "createdAt": "2024-01-02T03:04:05Z", "passwordHash": "abc", "orderHistory": [{"orderId": 1, "totalCents": 1999, "passwordHash": "x"}, {"orderId": 2, "totalCents": 500}]}}
(require '[clojure.walk :as walk]
         '[clojure.string :as str])

(defn kebab [k]
  (-> (name k)
      (str/replace #"([a-z])([A-Z])" "$1-$2")
      str/lower-case
      keyword))

(defn map-keys [f m]
  (into {} (map (fn [[k v]] [(f k) v]) m)))

(defn drop-keys [m pred]
  (into {} (remove (fn [[k _]] (pred k)) m)))

(defn secret? [k]
  (str/includes? (str/lower-case (name k)) "password"))

(defn drop-nils [m]
  (into {} (filter (comp some? val) m)))

(defn numeric-strings [x]
  (if (and (string? x) (re-matches #"-?\d+\.\d+" x))
    (Double/parseDouble x)
    x))

(defn clean [data]
  (walk/postwalk
    (fn [x]
      (if (map? x)
        (->> (drop-keys x secret?)
             drop-nils
             (map-keys kebab))
        (numeric-strings x)))
    data))

(let [{:keys [order-history home-address] :as cleaned} (clean ctx/payload)
      dollars (fn [cents] (/ cents 100.0))]
  (-> cleaned
      (dissoc :order-history)
      (assoc :orders (mapv #(update % :total-cents dollars) order-history))
      (assoc :point (get-in home-address [:geo-points 0]))
      (update :home-address select-keys [:street-name])
      (update :created-at #(subs % 0 10))))
