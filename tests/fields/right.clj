;; Right programs over `world.json` that read keys of sequences, dictionaries and values of several kinds. None may be refused
;; or held back.

(return (let [{:keys [a b]} (list :a 1 :b 2)] (+ a b)))

(return (let [{:keys [a]} '(:a 1)] a))

(return (let [{:keys [a]} (seq [:a 1])] a))

(return (let [{:keys [a]} (concat [:a 1] [:b 2])] a))

(return (let [{:keys [id]} (filter #(= 2 (:id %)) ctx/trips)] id))

(return ((fn [& {:keys [a]}] a) :a 1))

(return (apply (fn [& {:keys [a]}] a) [:a 1]))

(return (for [[kind rows] (group-by :kind ctx/trips) {:keys [km]} rows] [kind km]))

(return (for [[id {:keys [km]}] (index-by :id ctx/trips)] [id km]))

(return (map (fn [x] (if (map? x) (:km x) x)) [1 2]))

(return (if (:taxi (set (map :kind ctx/trips))) 1 0))

(return (if (:taxi #{:taxi :van}) 1 0))

(return (let [m (frequencies (map :kind ctx/trips))] (or (:bus m) 0)))

(return (let [m (frequencies (map :kind (:items (tool/lookup {:key "a"}))))] [(or (:bus m) 0) (get m "bike") (get-in m ["car"])]))

(return (let [m (group-by :kind (:items (tool/lookup {:key "a"})))] (count (:bus m))))

(return (let [m (index-by :id (:items (tool/lookup {:key "a"})))] (or (:bus m) (get m "x") (m "y") 0)))

(return (let [rows (:items (tool/lookup {:key "a"})) m (zipmap (map :kind rows) (map :id rows))] (or (:bus m) 0)))

(return (let [m (into {} (map (juxt :kind :total)) (:items (tool/lookup {:key "a"})))] (or (:bus m) 0)))

(return (let [m (into {} (map (juxt :kind :total) (:items (tool/lookup {:key "a"}))))] (or (:bus m) 0)))

(return (let [m (into {} (for [r (:items (tool/lookup {:key "a"}))] [(:kind r) r]))] (or (:total (:bus m)) 0)))

(return (let [m (into (sorted-map) (frequencies (map :kind (:items (tool/lookup {:key "a"})))))] (or (:bus m) 0)))

(return (let [m (reduce (fn [m r] (assoc m (:kind r) (:total r))) {} (:items (tool/lookup {:key "a"})))] (or (:bus m) 0)))

(return (let [m (reduce (fn [m r] (update m (:kind r) (fnil inc 0))) {} (:items (tool/lookup {:key "a"})))] (or (:bus m) 0)))

(return (let [m (reduce (fn [m {:keys [kind total]}] (update m kind (fnil + 0) total)) {} (:items (tool/lookup {:key "a"})))] (or (get m "bus") 0)))

(return (let [m (reduce (fn [m r] (update-in m [(:kind r) :n] (fnil inc 0))) {} (:items (tool/lookup {:key "a"})))] (or (:n (:bus m)) (get-in m ["car" :n]) 0)))

(return (let [m (reduce (fn [m r] (assoc-in m [(:kind r) (:id r)] (:total r))) {} (:items (tool/lookup {:key "a"})))] (or (get-in m ["bus" 1]) 0)))

(return (let [m (apply merge-with + (map (fn [r] {(:kind r) (:total r)}) (:items (tool/lookup {:key "a"}))))] (or (:bus m) 0)))

(return (let [m (reduce merge {} (map (fn [r] {(:kind r) (:total r)}) (:items (tool/lookup {:key "a"}))))] (or (:bus m) 0)))

(return (let [m (reduce (fn [m r] (merge-with + m {(:kind r) 1})) {} (:items (tool/lookup {:key "a"})))] (or (:bus m) 0)))

(return (let [m (merge (frequencies (map :kind (:items (tool/lookup {:key "a"})))) {:more 1})] (or (:bus m) 0)))

(return (let [m (aggregate-by :kind :total sum (:items (tool/lookup {:key "a"})))] (or (:bus m) 0)))

(return (let [m (filter-vals pos? (count-by :kind (:items (tool/lookup {:key "a"}))))] (or (:bus m) 0)))

(return (let [m (update-vals (group-by :kind (:items (tool/lookup {:key "a"}))) count)] (or (:bus m) 0)))

(return (let [seen (atom {})] (doseq [r (:items (tool/lookup {:key "a"}))] (swap! seen update (:kind r) (fnil inc 0))) (or (:bus @seen) (:car (deref seen)) 0)))

(return (loop [rows (:items (tool/lookup {:key "a"})) m {}] (if (empty? rows) (or (:bus m) 0) (recur (rest rows) (assoc m (:kind (first rows)) 1)))))

(return (let [m (dissoc (frequencies (map :kind (:items (tool/lookup {:key "a"})))) "van")] (or (:van m) 0)))

(return (let [k (:kind (first (:items (tool/lookup {:key "a"})))) m {k 1}] (or (:bus m) 0)))

(defn counts [rows] (frequencies (map :kind rows)))
(return (let [m (counts (:items (tool/lookup {:key "a"})))] (+ (or (:bus m) 0) (or (:van m) 0))))

(return (try (throw (ex-info "no" {:a 1})) (catch Exception e (or (:code (ex-data e)) 0))))

(return (count (keep :total (:items (tool/lookup {:key "a"})))))

(return (reduce + (map #(get % "total") (:items (tool/lookup {:key "a"})))))

(return (get-in (tool/lookup {:key "a"}) [:items 0 :total]))

(return (select-keys (first (:items (tool/lookup {:key "a"}))) [:id :total :none]))

(memory/put :seen {"van" 1})
(return (or (:bus memory/seen) 0))

(return (reduce-kv (fn [m k v] (assoc m k (inc v))) {} (frequencies (map :kind (:items (tool/lookup {:key "a"}))))))

(return (let [m (reduce-kv (fn [m k v] (assoc m k (count v))) {} (group-by :kind (:items (tool/lookup {:key "a"}))))] (or (:bus m) 0)))

(return (filter (fn [[k n]] (> n 0)) (frequencies (map :kind (:items (tool/lookup {:key "a"}))))))
