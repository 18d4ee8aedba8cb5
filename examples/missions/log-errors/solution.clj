(->> ctx/lines
     (keep #(second (re-find #"^[\d-]+ [\d:]+ ERROR \[(\w+)\]" %)))
     frequencies
     return)
