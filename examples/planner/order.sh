# Appends the order on stdin to orders.jsonl, and prints its number. Alba has nothing left for the south.
order=$(cat)
case $order in
  # The caller was killed while it wrote the order.
  "" | *[!}]) echo "the order is not whole" >&2; exit 1 ;;
  *Alba*south*) echo "Alba does not deliver to the south" >&2; exit 1 ;;
esac
printf '%s\n' "$order" >> orders.jsonl
printf '{"number": %d}\n' "$(wc -l < orders.jsonl)"
