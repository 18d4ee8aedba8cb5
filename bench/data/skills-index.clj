; An inverted index from skill to people at level 4 or 5, and the pairs of skills that go together.
(let [skilled (for [{:keys [id skills]} ctx/employees
                    {:keys [name level]} skills
                    :when (>= level 4)]
                {:id id :skill name})
      index (reduce (fn [index {:keys [id skill]}] (update index skill (fnil conj #{}) id)) {} skilled)
      names (sort (keys index))]
  (return
    {:people (into (sorted-map) (map (fn [[skill ids]] [skill (count ids)]) index))
     :pairs (for [a names
                  b names
                  :when (neg? (compare a b))
                  :let [both (count (set/intersection (index a) (index b)))]
                  :when (> both 60)]
              [a b both])}))
