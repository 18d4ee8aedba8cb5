(defn tree-seq [branch? children root]
  (loop [stack (list root), out []]
    (if (empty? stack)
      (seq out)
      (let [part (first stack), more (rest stack)]
        (recur (if (branch? part) (into more (reverse (children part))) more) (conj out part))))))

(defn comparator [pred]
  (fn [x y] (cond (pred x y) -1 (pred y x) 1 :else 0)))

(defn str/escape [text cmap]
  (str/join (map (fn [c] (or (cmap c) c)) (subs text 0))))
