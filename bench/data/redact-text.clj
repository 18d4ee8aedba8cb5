; Removes links, mentions and amounts from texts, and squeezes white space. Shortest and longest result.
(defn clean [text]
  (-> text
      (str/replace #"https?://\S+" "<link>")
      (str/replace #"@\w+" "<user>")
      (str/replace #"\d+€" "<amount>")
      (str/replace #"[!.,]\s*" " ")
      (str/replace #"\s+" " ")
      str/trim))

(let [texts (map (fn [{:keys [id text]}] {:id id :text (clean text)}) ctx/messages)
      by-length (sort-by (juxt (comp count :text) :id) texts)]
  (return
    {:characters (reduce + (map (comp count :text) texts))
     :links (count (filter #(str/includes? (:text %) "<link>") texts))
     :shortest (take 5 by-length)
     :longest (take-last 5 by-length)}))
