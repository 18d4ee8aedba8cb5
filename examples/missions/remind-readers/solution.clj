(defn days-late [{:keys [due extended]}]
  (- (time-between due ctx/today :days) (if extended 7 0)))
(let [late (filter #(pos? (days-late %)) (call "loans" {:branch ctx/branch}))]
  (doseq [{:keys [reader book] :as loan} late]
    (if-error (call "remind" {:reader reader :book book :days_late (days-late loan)})
              (call "letter" {:reader reader :book book})))
  (return (sum-by #(min 500 (* 20 (days-late %))) late)))
