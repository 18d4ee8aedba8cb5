(defn problems [{:keys [amount purpose]}]
  (filterv some? [(when-not (pos? amount) "the amount must be above 0")
                  (when (str/blank? purpose) "the purpose is missing")]))

(defn notify [message]
  (flow/step "notify" (fn [] (tool/notify {:user (:user ctx/request) :message message})))
  message)

(defn approve [by]
  (let [number (flow/step "approve" (fn [] (tool/approve {:request (:id ctx/request) :by by})))]
    {:outcome "approved" :by by :approval number :message (notify (str "Approved, number " number "."))}))

(defn review [{:keys [amount purpose]} {:keys [risk reason]}]
  (let [decision (ask {:title (format "Pay %.2f euros for %s?" amount purpose)
                       :help (str "Risk: " risk ". " reason)
                       :fields "(approved :bool \"Approve it?\", reason :string? \"Why?\")"})]
    (payload/put [:decision] decision)
    (if (:approved decision)
      (approve "manager")
      {:outcome "rejected" :by "manager" :message (notify (str "Rejected: " (:reason decision "no reason")))})))

(payload/put [:request] ctx/request)

(let [amount (:amount ctx/request)
      wrong (problems ctx/request)]
  (if (seq wrong)
    {:outcome "invalid" :message (notify (str "Invalid: " (str/join ", " wrong) "."))}
    (let [assessment (flow/step "assess" (fn [] (tool/assess {:amount amount :purpose (:purpose ctx/request)})))]
      (payload/put [:assessment] assessment)
      (if (and (= "low" (:risk assessment)) (<= amount 1000))
        (approve "automatic")
        (review ctx/request assessment)))))
