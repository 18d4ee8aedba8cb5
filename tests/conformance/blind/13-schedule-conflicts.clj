;; ctx: {"meetings": [{"title": "Standup", "room": "A", "start": "2024-05-06T09:00", "minutes": 15}, {"title": "Design", "room": "A", "start": "2024-05-06T09:10", "minutes": 60}, {"title": "1:1", "room": "B", "start": "2024-05-06T09:30", "minutes": 30}, {"title": "Retro", "room": "A", "start": "2024-05-06T11:00", "minutes": 90}, {"title": "Late", "room": "B", "start": "2024-05-06T23:30", "minutes": 60}]}
(import '[java.time LocalDateTime Duration]
        '[java.time.format DateTimeFormatter])

(def hm (DateTimeFormatter/ofPattern "HH:mm"))

(defn with-times [{:keys [start minutes] :as meeting}]
  (let [from (LocalDateTime/parse start)]
    (assoc meeting :from from :to (.plusMinutes from minutes))))

(defn overlap? [a b]
  (and (= (:room a) (:room b))
       (.isBefore (:from a) (:to b))
       (.isBefore (:from b) (:to a))))

(defn pairs [[x & xs]]
  (when x
    (concat (map (fn [y] [x y]) xs)
            (pairs xs))))

(defn show [{:keys [title from to]}]
  (str title " " (.format from hm) "-" (.format to hm)))

(let [meetings (map with-times ctx/meetings)
      conflicts (filter (fn [[a b]] (overlap? a b)) (pairs meetings))
      by-room (group-by :room meetings)
      busy (fn [ms] (reduce + (map :minutes ms)))]
  {:agenda (mapv show (sort-by :from meetings))
   :conflicts (mapv (fn [[a b]] [(:title a) (:title b)]) conflicts)
   :busy (into (sorted-map) (map (fn [[r ms]] [r (busy ms)]) by-room))
   :gaps (into (sorted-map)
               (for [[room ms] by-room]
                 [room (mapv (fn [[a b]]
                               (.toMinutes (Duration/between (:to a) (:from b))))
                             (partition 2 1 (sort-by :from ms)))]))
   :past-midnight (->> meetings
                       (filter #(not= (.toLocalDate (:from %)) (.toLocalDate (:to %))))
                       (mapv :title))})
