(let [people ctx/people
      share (quot ctx/total_cents (count people))
      left (rem ctx/total_cents (count people))]
  (return (into {} (map-indexed (fn [i person] [person (if (< i left) (inc share) share)]) people))))
