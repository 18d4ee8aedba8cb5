# Sends the money and writes that down with the key of the call. The first time, the process that called it is killed
# before it can hear of that.
echo "sent $PTC_IDEMPOTENCY_KEY" >> refunds.log
if [ ! -e killed ]; then
    touch killed
    kill -9 "$PPID"
fi
echo '{"receipt": 4711}'
