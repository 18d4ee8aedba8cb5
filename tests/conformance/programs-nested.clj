;; id: emails
;; ctx: @nested
(let [users (get-in ctx/response [:data :users])]
  (->> users
       (keep #(get-in % [:profile :contact :email]))
       vec))

;; id: safe-lookup
;; ctx: @nested
(for [u (get-in ctx/response [:data :users])]
  {:id (:id u)
   :theme (get-in u [:settings :theme] "default")
   :cpu (get-in u [:settings :limits :cpu] 1)
   :phones (count (get-in u [:profile :contact :phones]))})

;; id: destructure-response
;; ctx: @nested
(let [{:keys [status]
       {:keys [page pages next]} :meta
       {:keys [users teams]} :data} ctx/response]
  [status
   (str page "/" pages)
   (nil? next)
   (count users)
   (map :name teams)])

;; id: has-more-pages
;; ctx: @nested
(let [{:keys [page pages]} (:meta ctx/response)]
  (cond
    (not= 200 (:status ctx/response)) :error
    (< page pages) {:next (inc page)}
    :else :done))

;; id: users-by-role
;; ctx: @nested
(reduce (fn [m {:keys [id roles]}]
          (reduce #(update %1 %2 (fnil conj []) id)
                  m
                  (if (seq roles) roles ["none"])))
        {}
        (get-in ctx/response [:data :users]))

;; id: team-members-recursive
;; ctx: @nested
(letfn [(members [{ms :members sub :sub}]
          (concat ms (mapcat members sub)))]
  (into {}
        (for [t (get-in ctx/response [:data :teams])]
          [(:name t) (vec (members t))])))

;; id: resolve-member-names
;; ctx: @nested
(let [{:keys [users teams]} (:data ctx/response)
      names (into {} (map (juxt :id (comp :name :profile)) users))]
  (mapv (fn [t]
          (assoc (select-keys t [:name])
                 :people (mapv names (:members t))))
        teams))

;; id: tree-sum
;; ctx: @nested
(defn total [{:keys [size children]}]
  (+ size (reduce + 0 (map total children))))
(total ctx/tree)

;; id: tree-depth
;; ctx: @nested
(defn depth [node]
  (if (empty? (:children node))
    1
    (inc (apply max (map depth (:children node))))))
{:depth (depth ctx/tree)
 :nodes (count (tree-seq :children :children ctx/tree))}

;; id: tree-paths
;; ctx: @nested
(letfn [(paths [node prefix]
          (let [here (conj prefix (:id node))]
            (if (seq (:children node))
              (mapcat #(paths % here) (:children node))
              [here])))]
  (vec (paths ctx/tree [])))

;; id: tree-find
;; ctx: @nested
(->> (tree-seq (comp seq :children) :children ctx/tree)
     (filter #(> (:size %) 5))
     (map :id)
     sort)

;; id: flatten-tree
;; ctx: @nested
(loop [queue [ctx/tree] out []]
  (if-let [{:keys [id children]} (first queue)]
    (recur (concat (rest queue) children) (conj out id))
    out))

;; id: map-over-tree
;; ctx: @nested
(defn double-sizes [node]
  (-> node
      (update :size * 2)
      (update :children (partial mapv double-sizes))))
(->> (double-sizes ctx/tree)
     (tree-seq map? :children)
     (map :size)
     vec)

;; id: graph-bfs
;; ctx: @nested
(loop [frontier ["a"] seen #{"a"} levels []]
  (if (empty? frontier)
    levels
    (let [nxt (->> frontier
                   (mapcat #(get ctx/graph (keyword %)))
                   distinct
                   (remove seen)
                   sort)]
      (recur nxt (into seen nxt) (conj levels (vec frontier))))))

;; id: graph-paths
;; ctx: @nested
(defn paths [from to]
  (if (= from to)
    [[to]]
    (for [n (get ctx/graph (keyword from))
          p (paths n to)]
      (cons from p))))
(map #(clojure.string/join ">" %) (paths "a" "f"))

;; id: topological-sort
;; ctx: @nested
(loop [g (into {} (map (fn [[k v]] [(name k) (set v)]) ctx/graph)) out ()]
  (if (empty? g)
    (vec out)
    (let [leaf (first (sort (keep (fn [[k v]] (when (empty? v) k)) g)))]
      (recur (update-vals (dissoc g leaf) #(disj % leaf))
             (cons leaf out)))))

;; id: in-degrees
;; ctx: @nested
(let [targets (mapcat val ctx/graph)
      counts (frequencies targets)]
  (into (sorted-map)
        (map (fn [k] [k (get counts k 0)])
             (map name (keys ctx/graph)))))

;; id: update-deep
;; ctx: @nested
(let [r (-> ctx/response
            (assoc-in [:meta :page] 2)
            (update-in [:data :users 0 :profile :contact :phones] conj "333")
            (update-in [:data :users 2 :settings] #(or % {:theme "light"})))]
  [(get-in r [:meta :page])
   (get-in r [:data :users 0 :profile :contact :phones])
   (get-in r [:data :users 2 :settings :theme])
   (get-in ctx/response [:meta :page])])

;; id: strip-nils
;; ctx: @nested
(defn strip [x]
  (cond
    (map? x) (into {} (for [[k v] x :when (some? v)] [k (strip v)]))
    (sequential? x) (mapv strip x)
    :else x))
(let [users (strip (get-in ctx/response [:data :users]))]
  [(contains? (get-in users [0 :profile :contact]) :email)
   (contains? (get-in users [1 :profile :contact]) :email)
   (contains? (nth users 2) :settings)])

;; id: collect-strings
;; ctx: @nested
(->> (tree-seq coll? #(if (map? %) (vals %) %) (get-in ctx/response [:data :teams]))
     (filter string?)
     vec)

;; id: count-leaves
;; ctx: @nested
(let [leaf? (complement coll?)
      n (atom 0)]
  (clojure.walk/postwalk (fn [x]
                           (when (and (leaf? x) (number? x))
                             (swap! n + x))
                           x)
                         (:tree {:tree [{:v 1} {:v [2 3]}]}))
  @n)

;; id: walk-defaults
;; ctx: @nested
(let [fixed (clojure.walk/postwalk #(if (nil? %) "n/a" %) (get-in ctx/response [:data :users]))]
  [(get-in fixed [1 :profile :contact :email])
   (get-in fixed [2 :settings])
   (get-in fixed [2 :profile :contact])])

;; id: group-users-by-theme
;; ctx: @nested
(->> (get-in ctx/response [:data :users])
     (group-by #(get-in % [:settings :theme] "none"))
     (map (fn [[theme us]] [(keyword theme) (mapv :id us)]))
     (into (sorted-map)))

;; id: permissions
;; ctx: @nested
(def grants {"admin" #{:read :write :delete}
             "dev" #{:read :write}})
(into (sorted-map)
      (for [{:keys [id roles]} (get-in ctx/response [:data :users])
            :let [ps (apply clojure.set/union #{} (map grants roles))]]
        [id (sort ps)]))

;; id: settings-with-defaults
;; ctx: @nested
(def defaults {:theme "system" :limits {:cpu 1 :mem 2}})
(defn deep-merge [a b]
  (if (and (map? a) (map? b))
    (merge-with deep-merge a b)
    (if (nil? b) a b)))
(for [{:keys [id settings]} (get-in ctx/response [:data :users])
      :let [{:keys [theme limits]} (deep-merge defaults settings)]]
  [id theme (:cpu limits) (:mem limits)])

;; id: reachable-with-cost
;; ctx: @nested
(defn reach [start]
  (loop [todo [[start 0]] best {}]
    (if-let [[node cost] (first todo)]
      (if (<= (get best node 999) cost)
        (recur (subvec todo 1) best)
        (recur (into (subvec todo 1)
                     (map (fn [n] [n (inc cost)]) (get ctx/graph (keyword node))))
               (assoc best node cost)))
      best)))
(into (sorted-map) (reach "b"))
