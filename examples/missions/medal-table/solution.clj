(->> (for [[country n] (aggregate-by :country :medal frequencies ctx/medals)]
       (merge {:country country :gold 0 :silver 0 :bronze 0} n))
     (sort-by (juxt (comp - :gold) (comp - :silver) (comp - :bronze) :country))
     return)
