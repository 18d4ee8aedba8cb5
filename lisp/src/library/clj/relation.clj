(defn set/select [pred xset]
  (reduce (fn [s x] (if (pred x) s (disj s x))) xset xset))

(defn set/project [xrel ks]
  (set (map (fn [m] (select-keys m ks)) xrel)))

(defn set/rename [xrel names]
  (set (map (fn [m] (set/rename-keys m names)) xrel)))

(defn set/index [xrel ks]
  (reduce (fn [m x] (let [ik (select-keys x ks)] (assoc m ik (conj (get m ik #{}) x))))
          {} xrel))

(defn set/map-invert [m]
  (reduce (fn [inverted [k v]] (assoc inverted v k)) {} m))

(defn set/join
  ([xrel yrel]
   (if (and (seq xrel) (seq yrel))
     (let [ks (set/intersection (set (keys (first xrel))) (set (keys (first yrel))))
           [r s] (if (<= (count xrel) (count yrel)) [xrel yrel] [yrel xrel])
           idx (set/index r ks)]
       (reduce (fn [ret x]
                 (reduce (fn [ret y] (conj ret (merge y x))) ret (get idx (select-keys x ks))))
               #{} s))
     #{}))
  ([xrel yrel km]
   (let [[r s k] (if (<= (count xrel) (count yrel))
                   [xrel yrel (set/map-invert km)]
                   [yrel xrel km])
         idx (set/index r (vals k))]
     (reduce (fn [ret x]
               (reduce (fn [ret y] (conj ret (merge y x))) ret
                       (get idx (set/rename-keys (select-keys x (keys k)) k))))
             #{} s))))
