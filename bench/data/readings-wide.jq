.readings
| group_by(.at)[:1000]
| map(reduce (.[] | select(.value != null)) as $reading
    ({at: .[0].at}; .[$reading.sensor] = $reading.value))
