;; A writer and a critic work on one text, at most four times each.
(payload/put [:product] ctx/product)

(let [ended (flow/loop [:writer :critic] {:max 4})]
  {:text payload/text
   :passes (:passes ended)
   :approved (= "exit_loop" (:ended_by ended))})
