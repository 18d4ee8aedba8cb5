; Maps, sets and rows. `bench/README.md` tells how to read this file.

;;; counts by a field: 5000
;; data
{:rows (mapv (fn [i] {:g (str "g" (rem (* 7 i) 13)) :n i}) (range COUNT))}
;; frequencies
(frequencies (map :g ctx/rows))
;; update and fnil
(reduce (fn [m r] (update m (:g r) (fnil inc 0))) {} ctx/rows)
;; fnil made before
(let [more (fnil inc 0)] (reduce (fn [m r] (update m (:g r) more)) {} ctx/rows))
;; assoc and or
(reduce (fn [m r] (assoc m (:g r) (inc (or (m (:g r)) 0)))) {} ctx/rows)
;; assoc and get
(reduce (fn [m r] (assoc m (:g r) (inc (get m (:g r) 0)))) {} ctx/rows)
;; update with a function
(reduce (fn [m {:keys [g]}] (update m g (fn [n] (if n (inc n) 1)))) {} ctx/rows)
;; update with +
(reduce (fn [m r] (update m (:g r) (fnil + 0) 1)) {} ctx/rows)
;;~ group-by and count
(update-vals (group-by :g ctx/rows) count)
;;~ merge-with
(apply merge-with + (map (fn [r] {(:g r) 1}) ctx/rows))
;; an atom
(let [all (atom {})] (doseq [r ctx/rows] (swap! all update (:g r) (fnil inc 0))) @all)

;;; rows by a field: 5000
;; data
{:rows (mapv (fn [i] {:g (str "g" (rem (* 7 i) 13)) :n i}) (range COUNT))}
;; group-by
(group-by :g ctx/rows)
;; group-by a function
(group-by (fn [r] (:g r)) ctx/rows)
;; update and fnil
(reduce (fn [m r] (update m (:g r) (fnil conj []) r)) {} ctx/rows)
;; assoc and get
(reduce (fn [m r] (assoc m (:g r) (conj (get m (:g r) []) r))) {} ctx/rows)
;; update with or
(reduce (fn [m r] (update m (:g r) (fn [v] (conj (or v []) r)))) {} ctx/rows)
;; update-in
(reduce (fn [m r] (update-in m [(:g r)] (fnil conj []) r)) {} ctx/rows)
;;~ merge-with
(apply merge-with into (map (fn [r] {(:g r) [r]}) ctx/rows))
;; an atom
(let [all (atom {})] (doseq [r ctx/rows] (swap! all update (:g r) (fnil conj []) r)) @all)

;;; sums by a field: 5000
;; data
{:rows (mapv (fn [i] {:g (str "g" (rem (* 7 i) 13)) :n i}) (range COUNT))}
;; group-by and update-vals
(update-vals (group-by :g ctx/rows) (fn [rows] (reduce + (map :n rows))))
;; group-by and map
(into {} (map (fn [[g rows]] [g (reduce + (map :n rows))]) (group-by :g ctx/rows)))
;; group-by and for
(into {} (for [[g rows] (group-by :g ctx/rows)] [g (apply + (map :n rows))]))
;; group-by and reduce-kv
(reduce-kv (fn [m g rows] (assoc m g (reduce + (map :n rows)))) {} (group-by :g ctx/rows))
;; update and fnil
(reduce (fn [m r] (update m (:g r) (fnil + 0) (:n r))) {} ctx/rows)
;; update with {:keys}
(reduce (fn [m {:keys [g n]}] (update m g (fnil + 0) n)) {} ctx/rows)
;; assoc and get
(reduce (fn [m {:keys [g n]}] (assoc m g (+ (get m g 0) n))) {} ctx/rows)
;;~ merge-with in reduce
(reduce (fn [m r] (merge-with + m {(:g r) (:n r)})) {} ctx/rows)
;;~ merge-with
(apply merge-with + (map (fn [r] {(:g r) (:n r)}) ctx/rows))
;; an atom
(let [all (atom {})] (doseq [{:keys [g n]} ctx/rows] (swap! all update g (fnil + 0) n)) @all)
;; loop
(loop [[r & more] ctx/rows m {}] (if r (recur more (assoc m (:g r) (+ (:n r) (or (m (:g r)) 0)))) m))

;;; the greatest by a field: 5000
;; data
{:rows (mapv (fn [i] {:g (str "g" (rem (* 7 i) 13)) :n (rem (* i 7919) 10007)}) (range COUNT))}
;; group-by and max
(update-vals (group-by :g ctx/rows) #(apply max (map :n %)))
;; update and fnil
(reduce (fn [m {:keys [g n]}] (update m g (fnil max 0) n)) {} ctx/rows)
;; if
(reduce (fn [m {:keys [g n]}] (if (> n (get m g 0)) (assoc m g n) m)) {} ctx/rows)
;;~ merge-with
(apply merge-with max (map (fn [{:keys [g n]}] {g n}) ctx/rows))
;;~ sort-by
(reduce (fn [m {:keys [g n]}] (assoc m g n)) {} (sort-by :n ctx/rows))
;;~ into
(into {} (map (juxt :g :n)) (sort-by :n ctx/rows))

;;; counts by two fields: 5000
;; data
{:rows (mapv (fn [i] {:a (str "a" (rem i 7)) :b (str "b" (rem (* 3 i) 5)) :n i}) (range COUNT))}
;; update-in
(reduce (fn [m r] (update-in m [(:a r) (:b r)] (fnil inc 0))) {} ctx/rows)
;; update-in with {:keys}
(reduce (fn [m {:keys [a b]}] (update-in m [a b] (fnil + 0) 1)) {} ctx/rows)
;; assoc-in and get-in
(reduce (fn [m {:keys [a b]}] (assoc-in m [a b] (inc (get-in m [a b] 0)))) {} ctx/rows)
;; update in update
(reduce (fn [m {:keys [a b]}] (update m a (fn [in] (update in b (fnil inc 0))))) {} ctx/rows)
;; update with update
(reduce (fn [m {:keys [a b]}] (update m a update b (fnil inc 0))) {} ctx/rows)
;; group-by twice
(update-vals (group-by :a ctx/rows) (fn [rows] (frequencies (map :b rows))))
;; pairs
(reduce (fn [m [[a b] n]] (assoc-in m [a b] n)) {} (frequencies (map (juxt :a :b) ctx/rows)))

;;; every value of a map changed: 5000
;; data
{:m (zipmap (map #(str "k" %) (range COUNT)) (range))}
;; update-vals
(update-vals ctx/m inc)
;; reduce-kv
(reduce-kv (fn [m k v] (assoc m k (inc v))) {} ctx/m)
;; into and map
(into {} (map (fn [[k v]] [k (inc v)]) ctx/m))
;; into and for
(into {} (for [[k v] ctx/m] [k (inc v)]))
;; into with a transducer
(into {} (map (fn [[k v]] [k (inc v)])) ctx/m)
;; zipmap
(zipmap (keys ctx/m) (map inc (vals ctx/m)))
;; reduce over entries
(reduce (fn [m [k v]] (assoc m k (inc v))) {} ctx/m)
;; key and val
(into {} (map (fn [e] [(key e) (inc (val e))]) ctx/m))
;; update of each key
(reduce (fn [m k] (update m k inc)) ctx/m (keys ctx/m))
;; juxt
(into {} (map (juxt key (comp inc val)) ctx/m))

;;; entries of a map that pass: 5000
;; data
{:m (zipmap (map #(str "k" %) (range COUNT)) (range))}
;; filter and into
(into {} (filter (fn [[_ v]] (even? v)) ctx/m))
;; val
(into {} (filter #(even? (val %)) ctx/m))
;; comp val
(into {} (filter (comp even? val) ctx/m))
;; second
(into {} (filter #(even? (second %)) ctx/m))
;; reduce-kv
(reduce-kv (fn [m k v] (if (even? v) (assoc m k v) m)) {} ctx/m)
;; dissoc
(reduce-kv (fn [m k v] (if (even? v) m (dissoc m k))) ctx/m ctx/m)
;; for
(into {} (for [[k v] ctx/m :when (even? v)] [k v]))
;; select-keys
(select-keys ctx/m (for [[k v] ctx/m :when (even? v)] k))
;; keep
(into {} (keep (fn [[k v]] (when (even? v) [k v])) ctx/m))
;; a transducer
(into {} (remove (fn [[_ v]] (odd? v))) ctx/m)

;;; keys and values swapped: 3000
;; data
{:m (zipmap (map #(str "k" %) (range COUNT)) (range))}
;; map-invert
(set/map-invert ctx/m)
;; reduce-kv
(reduce-kv (fn [m k v] (assoc m v k)) {} ctx/m)
;; for
(into {} (for [[k v] ctx/m] [v k]))
;; map
(into {} (map (fn [[k v]] [v k]) ctx/m))
;; zipmap
(zipmap (vals ctx/m) (keys ctx/m))
;;~ comp vec reverse
(into {} (map (comp vec reverse) ctx/m))

;;; a map of two lists: 5000
;; data
{:ks (mapv #(str "k" %) (range COUNT)) :vs (vec (range COUNT))}
;; zipmap
(zipmap ctx/ks ctx/vs)
;; map vector
(into {} (map vector ctx/ks ctx/vs))
;; map of a function
(into {} (map (fn [k v] [k v]) ctx/ks ctx/vs))
;; interleave
(apply hash-map (interleave ctx/ks ctx/vs))
;; reduce
(reduce (fn [m [k v]] (assoc m k v)) {} (map vector ctx/ks ctx/vs))
;; loop
(loop [ks ctx/ks vs ctx/vs m {}] (if (seq ks) (recur (rest ks) (rest vs) (assoc m (first ks) (first vs))) m))
;; indexes
(into {} (for [i (range (count ctx/ks))] [(nth ctx/ks i) (nth ctx/vs i)]))

;;; rows by their id: 5000
;; data
{:rows (mapv (fn [i] {:id (str "r" i) :n i}) (range COUNT))}
;; juxt
(into {} (map (juxt :id identity) ctx/rows))
;; a function
(into {} (map (fn [r] [(:id r) r]) ctx/rows))
;; reduce
(reduce (fn [m r] (assoc m (:id r) r)) {} ctx/rows)
;; a short function
(reduce #(assoc %1 (:id %2) %2) {} ctx/rows)
;; zipmap
(zipmap (map :id ctx/rows) ctx/rows)
;; for
(into {} (for [{:keys [id] :as r} ctx/rows] [id r]))
;; group-by and first
(update-vals (group-by :id ctx/rows) first)
;; a transducer
(into {} (map (juxt :id identity)) ctx/rows)

;;; two tables joined: 3000
;; data
{:orders (mapv (fn [i] {:id i :user (str "u" (rem (* 31 i) 200)) :total (rem i 97)}) (range COUNT))
 :users (mapv (fn [i] {:id (str "u" i) :city (str "c" (rem i 11))}) (range 200))}
;; an index of rows
(let [users (into {} (map (juxt :id identity) ctx/users))]
  (map (fn [o] {:id (:id o) :city (:city (users (:user o)))}) ctx/orders))
;; an index of cities
(let [city (into {} (map (juxt :id :city) ctx/users))] (map (fn [{:keys [id user]}] {:id id :city (city user)}) ctx/orders))
;; get-in
(let [users (reduce #(assoc %1 (:id %2) %2) {} ctx/users)]
  (map (fn [o] {:id (:id o) :city (get-in users [(:user o) :city])}) ctx/orders))
;; group-by
(let [users (group-by :id ctx/users)]
  (for [o ctx/orders u (users (:user o))] {:id (:id o) :city (:city u)}))
;;~ select-keys and merge
(let [users (into {} (map (juxt :id identity) ctx/users))]
  (map (fn [o] (merge (select-keys o [:id]) (select-keys (get users (:user o)) [:city]))) ctx/orders))
;; for and :let
(let [users (zipmap (map :id ctx/users) ctx/users)]
  (for [o ctx/orders :let [u (get users (:user o))] :when u] {:id (:id o) :city (:city u)}))
;;~ set/join
(map #(select-keys % [:id :city])
     (sort-by :id (set/join ctx/orders (map #(set/rename-keys % {:id :user}) ctx/users))))

;;; some fields of each row: 3000
;; data
{:rows (mapv (fn [i] {:id i :n (rem i 7) :name (str "n" i) :on true}) (range COUNT))}
;; select-keys
(map #(select-keys % [:id :n]) ctx/rows)
;; {:keys}
(map (fn [{:keys [id n]}] {:id id :n n}) ctx/rows)
;; keywords
(map (fn [r] {:id (:id r) :n (:n r)}) ctx/rows)
;; for
(for [{:keys [id n]} ctx/rows] {:id id :n n})
;; dissoc
(map #(dissoc % :name :on) ctx/rows)
;;~ zipmap and juxt
(map (fn [r] (zipmap [:id :n] ((juxt :id :n) r))) ctx/rows)
;;~ filter of entries
(map (fn [r] (into {} (filter (fn [[k _]] (#{"id" "n"} k)) r))) ctx/rows)
;; a loop of keys
(map (fn [r] (reduce (fn [m k] (assoc m k (get r k))) {} [:id :n])) ctx/rows)

;;; a computed field for each row: 3000
;; data
{:rows (mapv (fn [i] {:id i :price (rem i 7) :count (rem i 5)}) (range COUNT))}
;; assoc
(map (fn [r] (assoc r :total (* (:price r) (:count r)))) ctx/rows)
;; a short function
(map #(assoc % :total (* (:price %) (:count %))) ctx/rows)
;; {:keys} and :as
(map (fn [{:keys [price count] :as r}] (assoc r :total (* price count))) ctx/rows)
;; merge
(map (fn [r] (merge r {:total (* (:price r) (:count r))})) ctx/rows)
;; conj
(map (fn [r] (conj r [:total (* (:price r) (:count r))])) ctx/rows)
;; into
(map (fn [r] (into r {:total (* (:price r) (:count r))})) ctx/rows)
;; a whole row
(map (fn [{:keys [id price count]}] {:id id :price price :count count :total (* price count)}) ctx/rows)
;; for
(for [r ctx/rows :let [total (* (:price r) (:count r))]] (assoc r :total total))

;;; one field of each row changed: 3000
;; data
{:rows (mapv (fn [i] {:id i :price (rem i 7) :name "x"}) (range COUNT))}
;; update
(map #(update % :price inc) ctx/rows)
;; update with arguments
(map #(update % :price + 1) ctx/rows)
;; update with a function
(map (fn [r] (update r :price (fn [p] (+ p 1)))) ctx/rows)
;; assoc
(map (fn [r] (assoc r :price (inc (:price r)))) ctx/rows)
;; {:keys} and :as
(map (fn [{:keys [price] :as r}] (assoc r :price (inc price))) ctx/rows)
;; update-in
(map #(update-in % [:price] inc) ctx/rows)
;; merge
(map (fn [r] (merge r {:price (inc (:price r))})) ctx/rows)

;;; a field of a field: 5000
;; data
{:rows (mapv (fn [i] {:id i :user {:address {:zip (rem i 97)}}}) (range COUNT))}
;; ->
(map (fn [r] (-> r :user :address :zip)) ctx/rows)
;; nested keywords
(map (fn [r] (:zip (:address (:user r)))) ctx/rows)
;; get-in
(map #(get-in % [:user :address :zip]) ctx/rows)
;; comp
(map (comp :zip :address :user) ctx/rows)
;; nested {:keys}
(map (fn [{{{:keys [zip]} :address} :user}] zip) ctx/rows)
;; some->
(map (fn [r] (some-> r :user :address :zip)) ctx/rows)
;; get
(map (fn [r] (get (get (get r :user) :address) :zip)) ctx/rows)
;; let
(map (fn [{:keys [user]}] (let [{:keys [address]} user {:keys [zip]} address] zip)) ctx/rows)
;; reduce
(map (fn [r] (reduce get r [:user :address :zip])) ctx/rows)

;;; a nested field changed: 3000
;; data
{:rows (mapv (fn [i] {:id i :user {:name "x" :visits (rem i 97)}}) (range COUNT))}
;; update-in
(map #(update-in % [:user :visits] inc) ctx/rows)
;; update in update
(map (fn [r] (update r :user (fn [u] (update u :visits inc)))) ctx/rows)
;; update with update
(map #(update % :user update :visits inc) ctx/rows)
;; assoc-in and get-in
(map (fn [r] (assoc-in r [:user :visits] (inc (get-in r [:user :visits])))) ctx/rows)
;; assoc in assoc
(map (fn [{:keys [user] :as r}] (assoc r :user (assoc user :visits (inc (:visits user))))) ctx/rows)

;;; fields with a default: 5000
;; data
{:rows (mapv (fn [i] (if (even? i) {:id i :n i} {:id i})) (range COUNT))}
;; a default of the keyword
(reduce + (map #(:n % 0) ctx/rows))
;; get
(reduce + (map (fn [r] (get r :n 0)) ctx/rows))
;; or
(reduce + (map (fn [r] (or (:n r) 0)) ctx/rows))
;; :or
(reduce + (map (fn [{:keys [n] :or {n 0}}] n) ctx/rows))
;; if contains?
(reduce + (map (fn [r] (if (contains? r :n) (:n r) 0)) ctx/rows))
;; if-let
(reduce + (map (fn [r] (if-let [n (:n r)] n 0)) ctx/rows))
;; keep
(reduce + (keep :n ctx/rows))
;; fnil
(reduce (fnil + 0 0) 0 (map :n ctx/rows))
;; if nil?
(reduce + (map (fn [{:keys [n]}] (if (nil? n) 0 n)) ctx/rows))

;;; members of a set: 5000
;; data
{:xs (mapv #(str "u" (rem (* % 31) 400)) (range COUNT)) :good (mapv #(str "u" %) (range 0 400 3))}
;; the set
(let [good (set ctx/good)] (count (filter good ctx/xs)))
;; a call of the set
(let [good (set ctx/good)] (count (filter #(good %) ctx/xs)))
;; contains?
(let [good (set ctx/good)] (count (filter #(contains? good %) ctx/xs)))
;; get
(let [good (into #{} ctx/good)] (count (filter (fn [x] (get good x)) ctx/xs)))
;; partial
(let [good (set ctx/good)] (count (filter (partial contains? good) ctx/xs)))
;; a map
(let [good (zipmap ctx/good (repeat true))] (count (filter good ctx/xs)))
;; remove
(let [good (set ctx/good)] (- (count ctx/xs) (count (remove good ctx/xs))))
;; reduce
(let [good (set ctx/good)] (reduce (fn [n x] (if (good x) (inc n) n)) 0 ctx/xs))

;;; items of two lists: 5000
;; data
{:xs (vec (range 0 COUNT 2)) :ys (vec (range 0 COUNT 3))}
;; set/intersection
(count (set/intersection (set ctx/xs) (set ctx/ys)))
;; filter a set
(let [ys (set ctx/ys)] (count (filter ys ctx/xs)))
;; reduce
(let [ys (set ctx/ys)] (count (reduce (fn [all x] (if (contains? ys x) (conj all x) all)) #{} ctx/xs)))
;; for
(let [ys (into #{} ctx/ys)] (count (set (for [x ctx/xs :when (ys x)] x))))
;;~ frequencies
(count (filter (fn [[_ n]] (= n 2)) (frequencies (concat ctx/xs ctx/ys))))

;;; the first row of each key: 3000
;; data
{:rows (mapv (fn [i] {:id i :k (str "k" (rem (* i 7) 101))}) (range COUNT))}
;; group-by
(map first (vals (group-by :k ctx/rows)))
;; a seen set
(second
  (reduce (fn [[seen all] r] (if (seen (:k r)) [seen all] [(conj seen (:k r)) (conj all r)])) [#{} []] ctx/rows))
;;~ a map of state
(:all
  (reduce (fn [{:keys [seen all] :as state} {:keys [k] :as r}]
            (if (contains? seen k) state {:seen (conj seen k) :all (conj all r)}))
          {:seen #{} :all []} ctx/rows))
;; a map
(vals (reduce (fn [m r] (if (contains? m (:k r)) m (assoc m (:k r) r))) {} ctx/rows))
;; loop
(loop [rows ctx/rows seen #{} all []]
  (if-let [{:keys [k] :as r} (first rows)]
    (if (seen k) (recur (rest rows) seen all) (recur (rest rows) (conj seen k) (conj all r)))
    all))
;; an atom
(let [seen (atom #{})] (filterv (fn [{:keys [k]}] (when-not (@seen k) (swap! seen conj k) true)) ctx/rows))

;;; rows in order: 2000
;; data
{:rows (mapv (fn [i] {:id i :n (rem (* i 7919) 2003)}) (range COUNT))}
;; sort-by
(map :id (sort-by :n ctx/rows))
;; sort-by a function
(map :id (sort-by (fn [r] (:n r)) ctx/rows))
;; compare
(map :id (sort (fn [a b] (compare (:n a) (:n b))) ctx/rows))
;; a short comparator
(map :id (sort #(compare (:n %1) (:n %2)) ctx/rows))
;; <
(map :id (sort (fn [a b] (< (:n a) (:n b))) ctx/rows))
;; {:keys}
(map :id (sort-by (fn [{:keys [n]}] n) ctx/rows))
;; a reversed order
(map :id (reverse (sort-by :n > ctx/rows)))
;; pairs
(map second (sort (map (juxt :n :id) ctx/rows)))

;;; rows in order of two fields: 2000
;; data
{:rows (mapv (fn [i] {:id i :g (str "g" (rem i 7)) :n (rem (* i 7919) 2003)}) (range COUNT))}
;; juxt
(map :id (sort-by (juxt :g :n) ctx/rows))
;; a vector
(map :id (sort-by (fn [r] [(:g r) (:n r)]) ctx/rows))
;; {:keys}
(map :id (sort-by (fn [{:keys [g n]}] [g n]) ctx/rows))
;; two sorts
(map :id (sort-by :g (sort-by :n ctx/rows)))
;;~ compare of vectors
(map :id (sort (fn [a b] (compare [(:g a) (:n a)] [(:g b) (:n b)])) ctx/rows))
;; compare twice
(map :id (sort (fn [a b] (let [c (compare (:g a) (:g b))] (if (zero? c) (compare (:n a) (:n b)) c))) ctx/rows))

;;; entries in order of their values: 2000
;; data
{:m (zipmap (map #(str "k" %) (range COUNT)) (map #(rem (* % 7919) 2003) (range COUNT)))}
;; sort-by val >
(map key (sort-by val > ctx/m))
;; sort-by second >
(map first (sort-by second > ctx/m))
;; a negated value
(map first (sort-by (fn [[_ v]] (- v)) ctx/m))
;; comp -
(map first (sort-by (comp - val) ctx/m))
;; reverse
(map first (reverse (sort-by val ctx/m)))
;; compare
(map first (sort (fn [[_ a] [_ b]] (compare b a)) ctx/m))
;; compare of val
(map key (sort #(compare (val %2) (val %1)) ctx/m))
