;; ctx: {"rabbits": 40.0, "foxes": 9.0, "steps": 50, "params": {"birth": 0.1, "hunt": 0.01, "gain": 0.005, "death": 0.1}}
(def params ctx/params)

(defn step [{:keys [rabbits foxes]}]
  (let [{:keys [birth hunt gain death]} params
        born (* birth rabbits)
        eaten (* hunt rabbits foxes)
        grown (* gain rabbits foxes)
        died (* death foxes)]
    {:rabbits (max 0.0 (- (+ rabbits born) eaten))
     :foxes (max 0.0 (- (+ foxes grown) died))}))

(defn simulate [start n]
  (loop [i 0 state start history [start]]
    (if (= i n)
      history
      (let [nxt (step state)]
        (recur (inc i) nxt (conj history nxt))))))

(defn peak [k history]
  (let [[i s] (apply max-key (comp k second) (map-indexed vector history))]
    {:step i :value (Math/round (k s))}))

(defn sparkline [xs]
  (let [hi (apply max xs)
        marks [" " "." ":" "|" "#"]]
    (apply str
           (for [x xs]
             (nth marks (int (Math/floor (* 4 (/ x hi)))))))))

(let [history (simulate {:rabbits ctx/rabbits :foxes ctx/foxes} ctx/steps)
      final (last history)]
  {:steps (dec (count history))
   :final [(format "%.3f" (:rabbits final)) (format "%.3f" (:foxes final))]
   :rabbit-peak (peak :rabbits history)
   :fox-peak (peak :foxes history)
   :same-as-iterate (= final (nth (iterate step (first history)) ctx/steps))
   :chart (sparkline (map :rabbits (take-nth 2 history)))})
