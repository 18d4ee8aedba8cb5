(defn script [name]
  (condp re-find name
    #"^\p{IsLatin}" "latin"
    #"^\p{IsGreek}" "greek"
    #"^\p{IsCyrillic}" "cyrillic"
    #"^\p{IsHebrew}" "hebrew"
    #"^[\p{IsHiragana}\p{IsKatakana}]" "kana"
    "other"))
(return (update-vals (group-by script ctx/names)
                     (fn [names] {:names (count names) :longest (max-by count names)})))
