# A tool: the arguments are JSON on standard input, the result is JSON on standard output.
# Any program does; an exit code other than 0 is an error that the model is told.
args=$(cat)
case "$args" in
  *'"EUR"'*) echo 1 ;;
  *'"USD"'*) echo 0.92 ;;
  *'"GBP"'*) echo 1.17 ;;
  *) echo "no rate for $args" >&2; exit 1 ;;
esac
