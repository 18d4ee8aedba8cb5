(let [{:keys [amount purpose]} ctx/request
      errors (filterv some? [(when-not (pos? amount) "the amount must be above 0")
                             (when (str/blank? purpose) "the purpose is missing")])]
  {:isValid (empty? errors) :errors (str/join ", " errors)})
