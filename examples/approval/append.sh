# Appends the line on stdin to a file, and prints the number of its lines.
cat >> "$1"
echo >> "$1"
wc -l < "$1"
