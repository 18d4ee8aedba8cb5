(let [[share left] ((juxt quot rem) ctx/total_cents (count ctx/people))]
  (return (zipmap ctx/people (concat (repeat left (inc share)) (repeat share)))))
