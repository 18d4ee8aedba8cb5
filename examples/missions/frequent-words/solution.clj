(return (for [[word n] (->> (re-seq #"\p{L}+" (str/lower-case ctx/text))
                            frequencies
                            sort
                            (top-by ctx/n val))]
          {:word word :count n}))
