# Prints the readings of a day, one a line. The arguments come as JSON on standard input.
day=$(sed 's/[^0-9]*//g')
awk -v day="$day" 'BEGIN {
  printf "\""
  for (meter = 1; meter <= 60; meter++) {
    used = (day * 37 + meter * 53) % 97
    if (day == 7 && meter == 12) used = 4210
    printf "day %d, meter %d: %d cubic metres\\n", day, meter, used
  }
  printf "\"\n"
}'
