[(ask {:title "Which colour?" :choices [{:value "r" :label "Red"} {:value "b" :label "Blue"}]})
 (ask {:title "The order"
       :help "For the booking."
       :fields [{:id "seats" :label "Seats" :type ":int[1..4]" :default 2}
                {:id "extras" :label "Extras" :type "checkbox" :options ["meal" "bag" "seat"]}
                {:id "card" :label "Card number" :secret true}
                {:id "send" :label "Send it?" :type ":bool" :help "It cannot be undone."}
                {:id "note" :label "Note" :required false}]})]
