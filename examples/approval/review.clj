(let [{:keys [amount purpose]} ctx/request]
  (ask {:title (format "Pay %.2f euros for %s?" (double amount) purpose)
        :help (str "Risk: " ctx/risk ". " ctx/reason)
        :fields "(approved :bool \"Approve it?\", reason :string? \"Why?\")"}))
