;; ctx: {"prices": {"cola": 150, "chips": 100}, "stock": {"cola": 1, "chips": 2}, "events": ["coin:100", "select:cola", "coin:100", "select:cola", "coin:50", "cancel", "select:chips", "coin:100", "coin:100", "select:cola", "select:chips", "kick"]}
(def start
  {:state :idle :credit 0 :stock ctx/stock :log []})

(defn note [machine & parts]
  (update machine :log conj (apply str parts)))

(defn parse-event [s]
  (let [[kind arg] (clojure.string/split s #":")]
    [(keyword kind) arg]))

(defn settle [{:keys [credit] :as machine}]
  (assoc machine :state (if (pos? credit) :ready :idle)))

(defn vend [machine item]
  (let [k (keyword item)
        price (get ctx/prices k)
        left (get-in machine [:stock k] 0)]
    (cond
      (nil? price) (note machine "no such item " item)
      (zero? left) (note machine item " sold out")
      (< (:credit machine) price) (note machine "need " (- price (:credit machine)) " more")
      :else (-> machine
                (update :credit - price)
                (update-in [:stock k] dec)
                (note "vend " item)))))

(defn step [machine event]
  (let [[kind arg] (parse-event event)]
    (settle
      (case [(:state machine) kind]
        ([:idle :coin] [:ready :coin])
        (update machine :credit + (Long/parseLong arg))

        [:ready :select]
        (vend machine arg)

        [:idle :select]
        (note machine "insert coins")

        [:ready :cancel]
        (-> machine (note "return " (:credit machine)) (assoc :credit 0))

        (note machine "ignored " event)))))

(let [{:keys [log credit stock state]} (reduce step start ctx/events)]
  {:log log
   :credit credit
   :state state
   :cola (:cola stock)
   :chips (:chips stock)})
