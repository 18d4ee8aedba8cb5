;; Programs over `world.json` that handle the nil of each field in angle brackets. They are right as they stand, without the
;; brackets.

(return (sum (keep :<fare> ctx/trips)))

(return (reduce + (map #(or (:<km> %) 0) ctx/trips)))

(return (count (for [{:keys [<fare>]} ctx/trips :when <fare>] <fare>)))

(return (frequencies (keep :<status> ctx/orders)))

(return (count (filter :<driver> ctx/trips)))

(return (count (remove :<kind> ctx/trips)))

(return (every? :<customer> ctx/orders))

(return (some :<amount> ctx/orders))

(return (count (filter #(some? (:<fare> %)) ctx/trips)))

(return (map #(some-> % :<driver> :name) ctx/trips))

(return (for [t ctx/trips] (if-let [d (:<driver> t)] (:name d) "none")))

(return (for [t ctx/trips] (when-let [k (:<km> t)] (* 2 k))))

(return (for [o ctx/orders] (if (nil? (:<amount> o)) 0 1)))

(return (or (:<city> ctx/company) "nowhere"))

(return (if (:<founded> ctx/company) "old" "new"))

(return (count (where {:<status> "open"} ctx/orders)))

(return (map #(select-keys % [:<id> :<amount>]) ctx/orders))

(return (for [o ctx/orders :when (and (:<amount> o) (:<status> o))] (:id o)))

(return (or (:<temperature> (tool/weather {:city "Graz"})) 0))

(return (some-> (tool/customer {:name "Ada"}) :<balance>))

(return (count (keep :<score> (tool/search {:query "x"}))))

(return (if (:<owner> (tool/vehicle {:trip 1})) 1 0))
