(defn script [name]
  (condp re-find name
    #"^\p{IsLatin}" "latin"
    #"^\p{IsGreek}" "greek"
    #"^\p{IsCyrillic}" "cyrillic"
    #"^\p{IsHebrew}" "hebrew"
    #"^[\p{IsHiragana}\p{IsKatakana}]" "kana"
    "other"))
(defn longest [names]
  (reduce (fn [best name] (if (> (count name) (count best)) name best)) names))
(return (update-vals (group-by script ctx/names)
                     (fn [names] {:names (count names) :longest (longest names)})))
