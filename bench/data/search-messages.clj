; Searches messages for words in several languages without regard to case; ranks by hits and likes.
(def patterns (map re-pattern ["(?i)\\bмагазин|цены" "(?i)τιμ(ή|ές)" "(?i)price|preise" "価格" "https?://\\S+"]))

(defn score [{:keys [text likes author]}]
  (let [hits (count (filter #(re-find % text) patterns))]
    (when (pos? hits)
      (+ (* 100 hits) likes (if (> (:followers author) 5000) 50 0)))))

(return
  (->> ctx/messages
       (keep (fn [message]
               (when-let [points (score message)]
                 {:id (:id message) :lang (:lang message) :points points
                  :excerpt (subs (:text message) 0 (min 20 (count (:text message))))})))
       (sort-by (juxt (comp - :points) :id))
       (take 25)))
