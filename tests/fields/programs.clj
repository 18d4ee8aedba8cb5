;; Programs over `world.json`. A field in angle brackets is misspelled, or another name is put there, in all
;; places of the program at once; as it stands, without the brackets, each program is right.

(return (reduce + (map :<km> ctx/trips)))

(return (mapv :<fare> ctx/trips))

(return (->> ctx/trips (filter #(= (:<kind> %) "taxi")) (map :<km>) (reduce +)))

(return (reduce (fn [sum t] (+ sum (:<km> t))) 0 ctx/trips))

(return (sum-by :<amount> ctx/orders))

(return (avg-by :<fare> ctx/trips))

(return (:<id> (apply max-key :<km> ctx/trips)))

(return (:<customer> (max-by :<amount> ctx/orders)))

(return (map :id (sort-by :<km> ctx/trips)))

(return (->> ctx/orders (sort-by :<amount> >) (take 1) (mapv :<id>)))

(return (sort-by (juxt :<kind> :<km>) ctx/trips))

(return (update-vals (group-by :<kind> ctx/trips) count))

(return (update-vals (group-by :kind ctx/trips) (fn [rows] (reduce + (map :<km> rows)))))

(return (into {} (for [[kind rows] (group-by :<kind> ctx/trips)] [kind (sum-by :<fare> rows)])))

(return (frequencies (map :<status> ctx/orders)))

(return (for [t ctx/trips] {:id (:<id> t) :ratio (/ (:<fare> t) (:<km> t))}))

(return (for [t ctx/trips s (:<stops> t)] (:<city> s)))

(return (for [{:keys [id <km>]} ctx/trips :when (> <km> 10)] id))

(return (for [t ctx/trips :let [d (:<driver> t)]] (:<name> d)))

(return (mapcat (fn [t] (map :<minutes> (:<stops> t))) ctx/trips))

(return (map (fn [{:keys [<km> <fare>]}] (/ <fare> <km>)) ctx/trips))

(return (map (fn [{k :<kind>}] k) ctx/trips))

(return (map (fn [{{n :<name>} :<driver>}] n) ctx/trips))

(return (map #(get % :<km>) ctx/trips))

(return (map #(get-in % [:<driver> :<name>]) ctx/trips))

(return (get-in ctx/company [:<address> :<zip>]))

(return (-> ctx/company :<address> :<street>))

(return (str (:<name> ctx/company) ", " (:<city> ctx/company)))

(return (- 2026 (:<founded> ctx/company)))

(let [{:keys [<name> <city>]} ctx/company] (return (str <name> " of " <city>)))

(let [c ctx/company a (:<address> c)] (return (:<zip> a)))

(return (* ctx/limit (:<USD> ctx/rates)))

(return (:<tank> (call "vehicle" {:trip 1})))

(let [v (call "vehicle" {:trip 1})] (return [(:<kind> v) (:<tank> v)]))

(return (-> (call "vehicle" {:trip 1}) :<owner> :<name>))

(return (mapv (fn [t] (:<tank> (call "vehicle" {:trip (:<id> t)}))) ctx/trips))

(return (reduce + (pmap (fn [t] (:<tank> (call "vehicle" {:trip (:id t)}))) ctx/trips)))

(return (map :<title> (call "search" {:query "x"})))

(return (->> (call "search" {:query "x"}) (sort-by :<score>) last :<title>))

(return (:<title> (first (call "search" {:query "x"}))))

(let [[best] (call "search" {:query "x"})] (return (:<score> best)))

(return (set (mapcat :<tags> (call "search" {:query "x" :limit 5}))))

(let [c (call "customer" {:name "Weiss"})] (return (:<email> c)))

(return (filter #(> (:<balance> %) 0) (map (fn [o] (call "customer" {:name (:<customer> o)})) ctx/orders)))

(return (get-in (call "weather" {:city "Graz"}) [:<wind> :<speed>]))

(let [{{:keys [<speed> <direction>]} :wind t :<temperature>} (call "weather" {:city "Graz"})] (return [<speed> <direction> t]))

(defn ratio [t] (/ (:<fare> t) (:<km> t)))
(return (map ratio ctx/trips))

(defn km-of [t] (:<km> t))
(defn total [ts] (reduce + (map km-of ts)))
(return (total ctx/trips))

(defn longest [ts] (first (sort-by :<km> > ts)))
(return (:<id> (longest ctx/trips)))

(let [by-id (into {} (map (fn [o] [(:<id> o) o]) ctx/orders))] (return (:<customer> (get by-id 10))))

(let [by-id (index-by :<id> ctx/orders)] (return (map :<amount> (vals by-id))))

(let [rows (map (fn [o] {:who (:<customer> o) :worth (:<amount> o)}) ctx/orders)] (return (sum-by :<worth> rows)))

(let [rows (map #(assoc % :worth (* 2 (:<amount> %))) ctx/orders)] (return (map (juxt :<id> :<worth>) rows)))

(let [rows (map #(select-keys % [:<id> :<amount>]) ctx/orders)] (return rows))

(let [rows (map #(merge % {:paid true}) ctx/orders)] (return (map :<status> rows)))

(let [rows (map #(dissoc % :lines) ctx/orders)] (return (map :<amount> rows)))

(let [groups (group-by :<status> ctx/orders) open (get groups "open")] (return (map :<customer> open)))

(loop [ts ctx/trips sum 0] (if (empty? ts) (return sum) (recur (rest ts) (+ sum (:<km> (first ts))))))

(loop [i 0 sum 0] (if (= i (count ctx/trips)) (return sum) (recur (inc i) (+ sum (:<fare> (nth ctx/trips i))))))

(return (reduce (fn [m t] (assoc m (:<id> t) (:<fare> t))) {} ctx/trips))

(return (reduce (fn [m t] (update m (:<kind> t) (fnil + 0) (:<km> t))) {} ctx/trips))

(return (some #(when (> (:<km> %) 50) (:<id> %)) ctx/trips))

(return (every? #(pos? (:<fare> %)) ctx/trips))

(return (remove #(= "paid" (:<status> %)) ctx/orders))

(return (filter (comp #{"open"} :<status>) ctx/orders))

(return (map (comp :<name> :<driver>) ctx/trips))

(return (partition-by :<kind> ctx/trips))

(return (map-indexed (fn [i t] [i (:<km> t)]) ctx/trips))

(doseq [o ctx/orders] (println (:<customer> o) (:<amount> o)))

(return (distinct (map :<customer> ctx/orders)))

(return (for [o ctx/orders l (:<lines> o)] (* (:<quantity> l) (:<price> l))))

(return (reduce + (for [o ctx/orders :when (= (:<status> o) "open") l (:lines o)] (* (:<quantity> l) (:<price> l)))))

(return (cond (> (:<amount> (first ctx/orders)) 100) "large" :else "small"))

(return (case (:<status> (second ctx/orders)) "paid" 1 "open" 2 0))

(if-let [t (first (filter #(> (:<km> %) 50) ctx/trips))] (return (:<fare> t)) (return nil))

(return (some-> (call "customer" {:name "Weiss"}) :<balance> (* 2)))

(let [taxis (filterv #(= "taxi" (:<kind> %)) ctx/trips) n (count taxis)] (return (/ (reduce + (map :<fare> taxis)) n)))

(letfn [(net [o] (* 0.8 (:<amount> o)))] (return (map net ctx/orders)))

(let [f (fn f [ts] (if (seq ts) (+ (:<km> (first ts)) (f (rest ts))) 0))] (return (f ctx/trips)))

(try (return (reduce + (map :<km> ctx/trips))) (catch Exception e (return 0)))

(let [field :<km>] (return (map field ctx/trips)))

(return (zipmap (map :<id> ctx/trips) (map :<km> ctx/trips)))

(return (as-> ctx/orders $ (filter #(= (:<status> %) "open") $) (map :<amount> $) (reduce + 0 $)))

(return (sort-by :total > (for [[who os] (group-by :<customer> ctx/orders)] {:who who :total (sum-by :<amount> os)})))

(return (max (:<km> (first ctx/trips)) (:<km> (last ctx/trips))))

(return {:city (:<city> ctx/company) :zip (:<zip> (:address ctx/company))})

(return (count (where {:<kind> "taxi"} ctx/trips)))

(return (sum-by :km (where {:<kind> "taxi" :<fare> 3} ctx/trips)))

(return (count-by :<kind> ctx/trips))

(return (map :id (top-by 2 :<km> ctx/trips)))

(return (aggregate-by :<kind> :<km> sum ctx/trips))

(return (aggregate-by (fn [t] (:<kind> t)) :<km> mean ctx/trips))

(return (:<id> (find-first #(> (:<km> %) 5) ctx/trips)))

(return (round (mean (map :<fare> ctx/trips)) 2))

(return (median (keep :<km> ctx/trips)))
