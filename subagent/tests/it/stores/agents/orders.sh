# Twelve orders, longer together than a text that is kept in its row.
printf '['
for id in 1 2 3 4 5 6 7 8 9 10 11 12; do
  [ $id = 1 ] || printf ','
  printf '{"id":%s,"total":%s.5,"note":"order %s of the north, \302\253as agreed\302\273 by telephone"}' $id $id $id
done
printf ']'
