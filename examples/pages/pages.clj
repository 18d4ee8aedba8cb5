;; Adds up the numbers of pages, one turn for each page.
(let [{:keys [page sum]} (or ctx/state {:page 1 :sum 0})]
  (if (> page ctx/most)
    {:pages (dec page) :sum sum}
    (flow/continue {:page (inc page) :sum (+ sum page)})))
