def clean:
  gsub("https?://\\S+"; "<link>")
  | gsub("@\\w+"; "<user>")
  | gsub("\\d+€"; "<amount>")
  | gsub("[!.,]\\s*"; " ")
  | gsub("\\s+"; " ")
  | trim;

[.messages[] | {id, text: (.text | clean)}] as $texts
| ($texts | sort_by([(.text | length), .id])) as $by_length
| {
    characters: ([$texts[].text | length] | add),
    links: ([$texts[] | select(.text | contains("<link>"))] | length),
    shortest: $by_length[:5],
    longest: $by_length[-5:]
  }
