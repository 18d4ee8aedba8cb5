;; ctx: {"root": {"name": "/", "type": "dir", "children": [{"name": "etc", "type": "dir", "children": [{"name": "hosts", "type": "file", "size": 120}, {"name": "passwd", "type": "file", "size": 2048}]},
;; ctx:  {"name": "home", "type": "dir", "children": [{"name": "ann", "type": "dir", "children": [{"name": "notes.txt", "type": "file", "size": 512}, {"name": "photo.jpg", "type": "file", "size": 40960}]}, {"name": "bob", "type": "dir", "children": []}]},
;; ctx:  {"name": "README.txt", "type": "file", "size": 33}]}}
(defn dir? [node] (= "dir" (:type node)))

(defn size-of [node]
  (if (dir? node)
    (reduce + 0 (map size-of (:children node)))
    (:size node)))

(defn join-path [parent child]
  (if (= parent "/")
    (str "/" child)
    (str parent "/" child)))

(defn walk-files
  "Every file below node as [path size], depth first."
  ([node] (walk-files "/" node))
  ([path {:keys [children]}]
   (mapcat (fn [{:keys [name size] :as child}]
             (let [p (join-path path name)]
               (if (dir? child)
                 (walk-files p child)
                 [[p size]])))
           children)))

(defn extension [path]
  (if-let [[_ ext] (re-find #"\.([a-z]+)$" path)]
    (keyword ext)
    :none))

(defn human [bytes]
  (loop [n (double bytes) units ["B" "KB" "MB"]]
    (if (or (< n 1024) (nil? (next units)))
      (format "%.1f%s" n (first units))
      (recur (/ n 1024) (rest units)))))

(let [files (walk-files ctx/root)
      empty-dirs (->> (tree-seq dir? :children ctx/root)
                      (filter #(and (dir? %) (empty? (:children %))))
                      (map :name))]
  {:total (human (size-of ctx/root))
   :files (sort files)
   :by-ext (->> files
                (group-by (comp extension first))
                (reduce-kv (fn [m ext fs] (assoc m ext (reduce + (map second fs)))) (sorted-map)))
   :largest (first (apply max-key second files))
   :empty (vec empty-dirs)})
