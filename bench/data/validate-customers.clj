; Validates records: which customers have which errors, and how frequent each error is.
(defn errors [{:keys [name email age phones address] :as customer}]
  (cond-> []
    (str/blank? name) (conj "name missing")
    (nil? email) (conj "email missing")
    (and email (not (re-matches #"[^@\s]+@[^@\s]+\.[a-zA-Z]+" email))) (conj "email invalid")
    (and age (not (<= 18 age 120))) (conj "age out of range")
    (empty? phones) (conj "no phone")
    (nil? address) (conj "no address")
    (and address (not (re-matches #"\d{5}" (:zip address)))) (conj "zip invalid")
    (not (every? :kind phones)) (conj "phone without kind")))

(let [checked (map (fn [customer] (assoc customer :errors (errors customer))) ctx/customers)
      invalid (filter #(seq (:errors %)) checked)]
  (return
    {:valid (- (count checked) (count invalid))
     :invalid (count invalid)
     :errors (frequencies (mapcat :errors invalid))
     :worst (->> invalid
                 (sort-by (juxt #(- (count (:errors %))) :id))
                 (take 20)
                 (map #(select-keys % [:id :errors])))}))
