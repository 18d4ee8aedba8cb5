;; Programs as agents write them: several lines, indented. A program begins at its name and goes to
;; the next one. The data and the tools are those of `tests/tests/repair.rs`.

;: overdue-by-customer
(let [overdue (filter #(> (:days %) 30) ctx/invoices)
      by-customer (group-by :customer overdue)]
  (return
    (->> by-customer
         (map (fn [[customer rows]]
                {:customer customer
                 :total (reduce + (map :amount rows))}))
         (sort-by :total >)
         vec)))

;: convert-to-eur
(defn eur [{:keys [amount currency]}]
  (if (= currency "EUR")
    amount
    (* amount (call "rate" {:currency currency}))))

(let [totals (map eur ctx/invoices)]
  (return {:total (reduce + 0 totals)
           :count (count totals)}))

;: search-then-fetch
(let [hits (call "search" {:query (:topic ctx/request)
                           :limit 5})
      pages (map (fn [hit]
                   (call "fetch" {:url (:url hit)}))
                 hits)]
  (doseq [page pages]
    (println (:title page)))
  (memory/put :pages (mapv :title pages))
  {:found (count hits)
   :titles (mapv :title pages)})

;: notify-late
(doseq [invoice ctx/invoices
        :when (> (:days invoice) 60)]
  (let [customer (call "customer" {:id (:customer-id invoice)})]
    (call "send" {:to (:email customer)
                  :subject "Payment overdue"
                  :body (str "Invoice " (:id invoice)
                             " is " (:days invoice)
                             " days late.")})))
(return :done)

;: retry-on-error
(defn fetch-page [url]
  (try
    (call "fetch" {:url url})
    (catch Exception e
      (println "failed:" url (ex-message e))
      nil)))

(let [urls (map :url ctx/links)
      pages (keep fetch-page urls)]
  (if (empty? pages)
    (fail {:reason :no-pages
           :message "none of the links could be fetched"})
    (return (mapv :title pages))))

;: threading-report
(->> ctx/orders
     (filter #(= "shipped" (:status %)))
     (group-by :region)
     (map (fn [[region orders]]
            [region (reduce + (map :total orders))]))
     (into {})
     return)

;: classify-tickets
(defn priority [{:keys [age severity]}]
  (cond
    (= severity "critical") :high
    (> age 7) :medium
    :else :low))

(let [tickets (map #(assoc % :priority (priority %)) ctx/tickets)
      groups (group-by :priority tickets)]
  (return {:high (count (:high groups))
           :medium (count (:medium groups))
           :low (count (:low groups))}))

;: nested-maps
(return
  {:summary {:orders (count ctx/orders)
             :invoices (count ctx/invoices)}
   :largest (apply max (map :total ctx/orders))
   :customers (->> ctx/orders
                   (map :customer)
                   distinct
                   sort
                   vec)})

;: loop-pages
(loop [page 1
       rows []]
  (let [result (call "list" {:page page})
        all (into rows (:rows result))]
    (if (and (:more result)
             (< page 10))
      (recur (inc page) all)
      (return {:pages page
               :rows (count all)}))))

;: reduce-index
(let [index (reduce (fn [acc row]
                      (assoc acc (:id row) row))
                    {}
                    ctx/customers)
      named (for [order ctx/orders
                  :let [customer (get index (:customer-id order))]
                  :when customer]
              {:order (:id order)
               :name (:name customer)})]
  (memory/put :index index)
  (return (vec named)))

;: if-let-chain
(if-let [order (first (filter #(= (:id %) 7) ctx/orders))]
  (let [rate (call "rate" {:currency (:currency order)})
        total (* rate (:total order))]
    (if (> total 1000)
      (return {:order 7 :total total :big true})
      (return {:order 7 :total total :big false})))
  (fail {:reason :not-found
         :message "there is no order 7"}))

;: string-building
(let [lines (map-indexed (fn [i order]
                           (str (inc i) ". "
                                (:customer order)
                                ": "
                                (format "%.2f" (double (:total order)))))
                         ctx/orders)
      text (str/join "\n" lines)]
  (call "send" {:to "team@example.com"
                :subject "Orders"
                :body text})
  (return {:sent true
           :lines (count lines)}))

;: averages
(defn average [xs]
  (if (seq xs)
    (/ (reduce + xs) (count xs))
    0))

(def by-region
  (group-by :region ctx/orders))

(return
  (into {}
        (map (fn [[region orders]]
               [region (average (map :total orders))])
             by-region)))

;: frequencies-top
(let [words (->> ctx/tickets
                 (mapcat #(str/split (:subject %) #"\s+"))
                 (map str/lower-case)
                 (remove #{"the" "a" "of"}))
      counts (frequencies words)]
  (->> counts
       (sort-by val >)
       (take 5)
       (map first)
       vec
       return))

;: update-nested
(let [state {:totals {} :seen #{}}
      step (fn [state {:keys [id region total]}]
             (if (contains? (:seen state) id)
               state
               (-> state
                   (update-in [:totals region] (fnil + 0) total)
                   (update :seen conj id))))
      final (reduce step state ctx/orders)]
  (return (:totals final)))

;: parallel-rates
(let [currencies (distinct (map :currency ctx/orders))
      rates (zipmap currencies
                    (pmap (fn [currency]
                            (call "rate" {:currency currency}))
                          currencies))
      total (reduce (fn [sum order]
                      (+ sum (* (:total order)
                                (get rates (:currency order) 1.0))))
                    0
                    ctx/orders)]
  (return {:rates rates
           :total total}))

;: when-block
(when (seq ctx/tickets)
  (println "tickets:" (count ctx/tickets))
  (doseq [{:keys [id subject]} (take 3 ctx/tickets)]
    (println id subject))
  (memory/put :first-ticket (:id (first ctx/tickets))))

;: case-dispatch
(defn handle [ticket]
  (case (:kind ticket)
    "bug" (call "assign" {:id (:id ticket) :team "engineering"})
    "billing" (call "assign" {:id (:id ticket) :team "finance"})
    (call "assign" {:id (:id ticket) :team "support"})))

(let [results (mapv handle ctx/tickets)]
  (return {:assigned (count results)}))

;: tool-sugar
(let [customer (tool/customer {:id 42})
      orders (tool/list {:page 1})
      open (remove :paid (:rows orders))]
  (if (and customer (seq open))
    (tool/send {:to (:email customer)
                :subject "Open orders"
                :body (str "You have " (count open) " open orders.")})
    (println "nothing to send"))
  (return {:open (count open)}))

;: validate-input
(let [{:keys [start end]} ctx/request
      problems (cond-> []
                 (nil? start) (conj "start is missing")
                 (nil? end) (conj "end is missing")
                 (and start end (pos? (compare start end))) (conj "start is after end"))]
  (if (seq problems)
    (fail {:reason :bad-request
           :message (str/join "; " problems)})
    (return {:start start :end end})))

;: matrix
(let [rows [[1 2 3]
            [4 5 6]
            [7 8 9]]
      transposed (apply mapv vector rows)
      sums (mapv #(reduce + %) rows)]
  {:transposed transposed
   :sums sums
   :diagonal (mapv #(get-in rows [% %]) (range 3))})

;: partition-batches
(let [ids (map :id ctx/customers)
      batches (partition-all 10 ids)]
  (doseq [batch batches]
    (call "export" {:ids (vec batch)
                    :format "csv"}))
  (return {:batches (count batches)
           :ids (count ids)}))

;: atom-counter
(def calls (atom 0))

(defn counted [id]
  (swap! calls inc)
  (call "customer" {:id id}))

(let [customers (mapv counted [1 2 3])
      active (filter :active customers)]
  (return {:calls @calls
           :active (mapv :name active)}))

;: dedupe
(let [seen (atom #{})
      unique (filter (fn [{:keys [email]}]
                       (let [key (str/lower-case email)]
                         (when-not (contains? @seen key)
                           (swap! seen conj key)
                           true)))
                     ctx/customers)]
  (return (mapv :email unique)))

;: date-range
(let [in-range? (fn [{:keys [date]}]
                  (and (<= 0 (compare date (:start ctx/request)))
                       (<= (compare date (:end ctx/request)) 0)))
      orders (filter in-range? ctx/orders)]
  (return {:orders (count orders)
           :total (reduce + 0 (map :total orders))
           :first (:id (first (sort-by :date orders)))}))

;: letfn-walk
(letfn [(depth [node]
          (if (seq (:children node))
            (inc (apply max (map depth (:children node))))
            1))
        (labels [node]
          (cons (:label node)
                (mapcat labels (:children node))))]
  (return {:depth (depth ctx/tree)
           :labels (vec (labels ctx/tree))}))

;: stock-check
(let [low (for [{:keys [sku stock reserved]} ctx/products
                :let [free (- stock reserved)]
                :when (< free 5)]
            {:sku sku :free free})]
  (if (empty? low)
    (return [])
    (do
      (call "send" {:to "stock@example.com"
                    :subject "Low stock"
                    :body (str/join ", " (map :sku low))})
      (return (vec low)))))

;: merge-sources
(let [crm (call "list" {:page 1})
      ids (set (map :id (:rows crm)))
      missing (remove #(ids (:id %)) ctx/customers)
      merged (merge-with +
                         (frequencies (map :region ctx/customers))
                         (frequencies (map :region (:rows crm))))]
  (println "missing" (count missing))
  (return {:missing (mapv :id missing)
           :regions merged}))

;: score
(defn score [{:keys [title body]} query]
  (let [terms (str/split (str/lower-case query) #" ")
        text (str/lower-case (str title " " body))]
    (count (filter #(str/includes? text %) terms))))

(let [query (:topic ctx/request)
      ranked (sort-by #(- (score % query)) ctx/documents)]
  (return
    (mapv (fn [document]
            {:title (:title document)
             :score (score document query)})
          (take 3 ranked))))

;: plan-steps
(def steps
  [{:name "collect" :tool "search"}
   {:name "read" :tool "fetch"}
   {:name "tell" :tool "send"}])

(doseq [[i step] (map-indexed vector steps)]
  (println (str (inc i) ": " (:name step))))

(memory/put :steps (mapv :name steps))
{:next (:name (first steps))}

;: percentiles
(let [values (vec (sort (map :total ctx/orders)))
      n (count values)
      at (fn [p]
           (nth values (min (dec n)
                            (int (* p n)))))]
  (when (pos? n)
    (return {:p50 (at 0.5)
             :p90 (at 0.9)
             :max (peek values)})))

;: memory-read
(let [known (or (memory/get :titles) [])
      hits (call "search" {:query "insurance" :limit 10})
      fresh (remove (set known) (map :title hits))]
  (memory/put :titles (into known fresh))
  {:new (count fresh)
   :all (+ (count known) (count fresh))})

;: keyword-options
(defn page-of
  "Rows of one page."
  [rows & {:keys [page size] :or {page 1 size 20}}]
  (->> rows
       (drop (* (dec page) size))
       (take size)
       vec))

(return {:rows (page-of ctx/orders :page 2 :size 3)
         :pages (int (Math/ceil (/ (count ctx/orders) 3.0)))})

;: some-thread
(let [city (some-> ctx/request
                   :address
                   :city
                   str/trim
                   str/capitalize)
      weather (when city
                (call "weather" {:city city}))]
  (return {:city (or city "unknown")
           :rain (boolean (some #(> (:mm %) 1)
                                (:hours weather)))}))

;: json-lines
(let [rows (->> (str/split-lines (:text ctx/request))
                (remove str/blank?)
                (map #(json/parse-string % true)))
      bad (filter #(nil? (:id %)) rows)]
  (when (seq bad)
    (fail {:reason :bad-rows
           :message (str (count bad) " rows have no id")}))
  (return {:rows (count rows)
           :ids (mapv :id rows)}))

;: condp-tax
(defn tax [region amount]
  (let [rate (condp = region
               "north" 0.19
               "south" 0.07
               0.0)]
    (* amount rate)))

(return
  (reduce-kv (fn [acc region orders]
               (assoc acc region
                      (reduce + (map #(tax region (:total %))
                                     orders))))
             {}
             (group-by :region ctx/orders)))

;: comments
; First the rates, then the sum.
(let [rates {"EUR" 1.0
             "USD" 0.9} ; fixed for the report
      ;; (call "rate" …) would cost a call for each row
      in-eur (fn [{:keys [total currency]}]
               (* total (get rates currency 1.0)))]
  (return
    ;; one number
    (reduce + (map in-eur ctx/orders)))) ; done

;: group-nested
(let [tree (reduce (fn [acc {:keys [region customer total]}]
                     (update-in acc [region customer]
                                (fnil + 0)
                                total))
                   {}
                   ctx/orders)
      best (into {}
                 (for [[region customers] tree]
                   [region (key (apply max-key val customers))]))]
  (return {:tree tree
           :best best}))

;: escalate
(let [stale (filter (fn [{:keys [age status]}]
                      (and (= status "open")
                           (> age 14)))
                    ctx/tickets)]
  (doseq [ticket stale]
    (let [answer (call "escalate" {:id (:id ticket)
                                   :reason "older than two weeks"
                                   :level (if (> (:age ticket) 30)
                                            2
                                            1)})]
      (println (:id ticket) "->" (:owner answer))))
  (return {:escalated (count stale)
           :ids (mapv :id stale)}))

;: select-and-rename
(->> ctx/customers
     (filter :active)
     (map #(select-keys % [:id :name :email]))
     (map #(set/rename-keys % {:email :mail}))
     (sort-by :name)
     (partition-by #(first (:name %)))
     (mapv (fn [group]
             {:letter (subs (:name (first group)) 0 1)
              :count (count group)})))

;: windowed
(let [series (map :total (sort-by :date ctx/orders))
      pairs (partition 2 1 series)
      changes (map (fn [[a b]]
                     (- b a))
                   pairs)
      growing? (every? pos? changes)]
  (if growing?
    (return {:trend "up"
             :changes (vec changes)})
    (return {:trend (if (every? neg? changes)
                      "down"
                      "mixed")
             :changes (vec changes)})))

;: two-tools
(defn quote-for [{:keys [sku quantity]}]
  (let [price (call "price" {:sku sku})
        shipping (call "shipping" {:sku sku
                                   :quantity quantity})]
    {:sku sku
     :price (* quantity (:unit price))
     :shipping (:cost shipping)}))

(let [quotes (mapv quote-for (:items ctx/request))
      total (reduce + (map #(+ (:price %) (:shipping %)) quotes))]
  (if (> total (:budget ctx/request))
    (fail {:reason :over-budget
           :message (str "needs " total)
           :details {:quotes quotes}})
    (return {:quotes quotes :total total})))

;: define-and-check
(def limit 100)

(defn over? [order]
  (> (:total order) limit))

(def flagged
  (filterv over? ctx/orders))

(println "flagged" (count flagged))
(memory/put :flagged (mapv :id flagged))
(count flagged)

;: text-table
(let [width (apply max (map #(count (:name %)) ctx/customers))
      pad (fn [s]
            (str s (str/join (repeat (- width (count s)) " "))))
      row (fn [{:keys [name region]}]
            (str (pad name) " | " region))]
  (println (str/join "\n" (map row ctx/customers)))
  (return {:rows (count ctx/customers)}))

;: sets
(let [current (set (map :sku ctx/products))
      wanted #{"a-1" "b-2" "c-3"}
      missing (set/difference wanted current)
      extra (set/difference current wanted)]
  (cond
    (seq missing) (return {:missing (vec (sort missing))})
    (seq extra) (return {:extra (vec (sort extra))})
    :else (return :equal)))
