; Numbers out of text: the mean and the maximum time of each path, where it took over 500 ms.
(defn request [{:keys [line]}]
  (when-let [[_ method path ms status] (re-find #"(GET|POST) (\S+) took (\d+) ms status=(\d+)" line)]
    {:method method
     :path (str/replace path #"/\d+$" "/:id")
     :ms (parse-long ms)
     :status (parse-long status)}))

(return
  (->> ctx/logs
       (keep request)
       (filter #(> (:ms %) 500))
       (group-by (juxt :method :path :status))
       (map (fn [[[method path status] requests]]
              (let [times (map :ms requests)]
                {:method method :path path :status status
                 :count (count times)
                 :mean (double (/ (reduce + times) (count times)))
                 :max (apply max times)})))
       (sort-by (juxt :method :path :status))))
