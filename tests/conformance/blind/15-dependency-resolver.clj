;; ctx: {"packages": {"app": {"version": "1.2.0", "deps": ["web", "db"]}, "web": {"version": "3.0.1", "deps": ["log", "json"]}, "db": {"version": "0.9.12", "deps": ["log"]}, "log": {"version": "1.0.0", "deps": []}, "json": {"version": "2.10.0", "deps": []}, "old": {"version": "0.1.0", "deps": ["older"]}, "older": {"version": "0.0.9", "deps": ["old"]}, "lost": {"version": "1.0.0", "deps": ["nowhere"]}}}
(defn deps-of [pkg]
  (let [entry (get ctx/packages (keyword pkg))]
    (when-not entry
      (throw (ex-info (str "missing package " pkg) {:missing pkg})))
    (:deps entry)))

(defn resolve-order
  "Dependencies first. Throws when a cycle is met."
  ([pkg] (:order (resolve-order {:order [] :visiting #{}} pkg)))
  ([{:keys [order visiting] :as state} pkg]
   (cond
     (some #{pkg} order) state
     (visiting pkg) (throw (ex-info "cycle" {:cycle (sort (conj visiting pkg))}))
     :else (-> (reduce resolve-order
                       (update state :visiting conj pkg)
                       (deps-of pkg))
               (update :order conj pkg)
               (update :visiting disj pkg)))))

(defn try-resolve [pkg]
  (try
    {:ok (resolve-order pkg)}
    (catch Exception e
      (merge {:error (.getMessage e)} (ex-data e)))))

(defn version-key [v]
  (mapv #(Integer/parseInt %) (clojure.string/split v #"\.")))

(defn newest [n]
  (->> ctx/packages
       (map (fn [[k {:keys [version]}]] [(name k) version]))
       (sort-by (comp version-key second))
       reverse
       (take n)
       (map first)))

(let [users (fn [pkg]
              (sort (for [[k {:keys [deps]}] ctx/packages
                          :when (some #(= pkg %) deps)]
                      (name k))))]
  {:app (try-resolve "app")
   :old (try-resolve "old")
   :lost (try-resolve "lost")
   :newest (vec (newest 3))
   :log-users (users "log")
   :roots (sort (filter #(empty? (users %)) (map name (keys ctx/packages))))})
