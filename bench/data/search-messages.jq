["\\bмагазин|цены", "τιμ(ή|ές)", "price|preise", "価格", "https?://\\S+"] as $patterns
| [ .messages[]
    | .text as $text
    | ([$patterns[] as $pattern | select($text | test($pattern; "i"))] | length) as $hits
    | select($hits > 0)
    | {id, lang,
       points: (100 * $hits + .likes + (if .author.followers > 5000 then 50 else 0 end)),
       excerpt: .text[:20]} ]
| sort_by([-.points, .id])
| .[:25]
