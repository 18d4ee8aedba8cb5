; Run-length encoding of the states of each sensor, as text such as "ok×3 warn×1".
(defn encode [states]
  (->> (partition-by identity states)
       (map (fn [run] (str (first run) "×" (count run))))
       (str/join " ")))

(let [by-sensor (group-by :sensor ctx/readings)]
  (return
    (into {}
          (map (fn [[sensor readings]]
                 [sensor (encode (map :state (take 500 readings)))])
               by-sensor))))
