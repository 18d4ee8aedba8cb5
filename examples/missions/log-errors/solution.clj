(->> ctx/lines
     (keep #(second (re-find #"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} ERROR \[(\w+)\]" %)))
     frequencies
     return)
