;; ctx: {"grid": [".....", "..#..", "..#..", "..#..", "....."], "glider": [".#...", "..#..", "###..", ".....", "....."], "generations": 4}
(defn parse-grid [rows]
  (set (for [[y row] (map-indexed vector rows)
             [x c] (map-indexed vector row)
             :when (= \# c)]
         [x y])))

(defn neighbours [[x y]]
  (for [dx [-1 0 1]
        dy [-1 0 1]
        :when (not= 0 dx dy)
        :when (not (and (zero? dx) (zero? dy)))]
    [(+ x dx) (+ y dy)]))

(defn step [cells]
  (set (for [[cell n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3)
                       (and (= n 2) (contains? cells cell)))]
         cell)))

(defn render [cells size]
  (mapv (fn [y]
          (apply str (map (fn [x] (if (cells [x y]) "#" ".")) (range size))))
        (range size)))

(defn period [cells limit]
  (loop [now (step cells) n 1]
    (cond
      (= now cells) n
      (> n limit) nil
      :else (recur (step now) (inc n)))))

(let [blinker (parse-grid ctx/grid)
      glider (parse-grid ctx/glider)
      generations (take (inc ctx/generations) (iterate step glider))]
  {:blinker (render (step blinker) 5)
   :period (period blinker 10)
   :counts (mapv count generations)
   :glider (render (last generations) 5)
   :moved (= (set (map (fn [[x y]] [(inc x) (inc y)]) glider))
             (last generations))
   :glider-period (period glider 8)})
