(str (java.time.LocalDate/parse "2024-01-15"))

(str (LocalDate/parse "2024-02-29"))

(str (LocalDate/of 2024 1 15))

(str (java.time.LocalDate/of 2024 12 31))

(str (.plusDays (LocalDate/parse "2024-01-31") 1))

(str (.plusDays (LocalDate/parse "2024-02-28") 2))

(str (.plusDays (LocalDate/parse "2024-01-15") -20))

(str (.minusDays (LocalDate/parse "2024-03-01") 1))

(str (.minusDays (LocalDate/parse "2023-03-01") 1))

(str (.plusWeeks (LocalDate/parse "2024-01-15") 2))

(str (.minusWeeks (LocalDate/parse "2024-01-15") 1))

(str (.plusMonths (LocalDate/parse "2024-01-31") 1))

(str (.plusMonths (LocalDate/parse "2023-11-30") 3))

(str (.minusMonths (LocalDate/parse "2024-03-31") 1))

(str (.plusYears (LocalDate/parse "2024-02-29") 1))

(str (.minusYears (LocalDate/parse "2024-02-29") 4))

(str (.withDayOfMonth (LocalDate/parse "2024-01-15") 1))

(.getYear (LocalDate/parse "2024-01-15"))

(.getMonthValue (LocalDate/parse "2024-01-15"))

(.getDayOfMonth (LocalDate/parse "2024-01-15"))

(.getDayOfYear (LocalDate/parse "2024-03-01"))

(str (.getDayOfWeek (LocalDate/parse "2024-01-15")))

(.getValue (.getDayOfWeek (LocalDate/parse "2024-01-14")))

(str (.getMonth (LocalDate/parse "2024-01-15")))

(.lengthOfMonth (LocalDate/parse "2024-02-15"))

(.lengthOfMonth (LocalDate/parse "2023-02-15"))

(.lengthOfYear (LocalDate/parse "2024-02-15"))

(.isLeapYear (LocalDate/parse "2024-01-01"))

(.isLeapYear (LocalDate/parse "1900-01-01"))

(.isBefore (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))

(.isAfter (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))

(.isEqual (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-01"))

(.equals (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-01"))

(= (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-01"))

(= (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))

(neg? (compare (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-06-01")))

(pos? (.compareTo (LocalDate/parse "2024-06-01") (LocalDate/parse "2024-01-01")))

(map str (sort [(LocalDate/parse "2024-03-01") (LocalDate/parse "2023-12-31")]))

(map str (sort-by identity [(LocalDate/parse "2024-03-01") (LocalDate/parse "2023-12-31")]))

(.toEpochDay (LocalDate/parse "1970-01-02"))

(.toEpochDay (LocalDate/parse "2024-01-15"))

(str (LocalDate/ofEpochDay 19737))

(- (.toEpochDay (LocalDate/parse "2024-03-01")) (.toEpochDay (LocalDate/parse "2024-02-01")))

(.between java.time.temporal.ChronoUnit/DAYS (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-03-01"))

(.between ChronoUnit/DAYS (LocalDate/parse "2024-01-10") (LocalDate/parse "2024-01-01"))

(.between ChronoUnit/MONTHS (LocalDate/parse "2024-01-31") (LocalDate/parse "2024-03-30"))

(.between ChronoUnit/YEARS (LocalDate/parse "1990-05-20") (LocalDate/parse "2024-05-19"))

(.between ChronoUnit/WEEKS (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-31"))

(.until (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-02-01") ChronoUnit/DAYS)

(.format (LocalDate/parse "2024-01-05") (DateTimeFormatter/ofPattern "dd/MM/yyyy"))

(.format (LocalDate/parse "2024-01-05") (java.time.format.DateTimeFormatter/ofPattern "yyyy-MM"))

(.format (LocalDate/parse "2024-01-05") (DateTimeFormatter/ofPattern "MMM d, yyyy"))

(.format (LocalDate/parse "2024-01-05") (DateTimeFormatter/ofPattern "EEEE, MMMM dd"))

(.format (LocalDate/parse "2024-01-05") (DateTimeFormatter/ofPattern "EEE d/M/yy"))

(.format (LocalDate/parse "2024-01-05") DateTimeFormatter/ISO_DATE)

(str (LocalDate/parse "05/01/2024" (DateTimeFormatter/ofPattern "dd/MM/yyyy")))

(str (LocalDate/parse "Jan 5, 2024" (DateTimeFormatter/ofPattern "MMM d, yyyy")))

(str (LocalDate/parse "20240105" DateTimeFormatter/BASIC_ISO_DATE))

(LocalDate/parse "2024-13-01")

(LocalDate/parse "2024-02-30")

(LocalDate/parse "15/01/2024")

(LocalDate/parse "2024-1-5")

(LocalDate/parse "")

(LocalDate/parse nil)

(LocalDate/of 2024 2 30)

(str (java.time.LocalDateTime/parse "2024-01-15T10:30:00"))

(str (LocalDateTime/parse "2024-01-15T10:30"))

(str (LocalDateTime/parse "2024-01-15T10:30:45.123"))

(str (LocalDateTime/of 2024 1 15 10 30))

(.getHour (LocalDateTime/parse "2024-01-15T10:30:00"))

(.getMinute (LocalDateTime/parse "2024-01-15T10:30:00"))

(.getSecond (LocalDateTime/parse "2024-01-15T10:30:05"))

(str (.toLocalDate (LocalDateTime/parse "2024-01-15T10:30:00")))

(str (.plusHours (LocalDateTime/parse "2024-01-15T23:30:00") 2))

(str (.minusMinutes (LocalDateTime/parse "2024-01-15T00:10:00") 15))

(str (.plusSeconds (LocalDateTime/parse "2024-01-15T00:00:00") 90))

(.format (LocalDateTime/parse "2024-01-15T09:05:00") (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm"))

(.format (LocalDateTime/parse "2024-01-15T15:05:00") (DateTimeFormatter/ofPattern "h:mm a"))

(str (LocalDateTime/parse "2024-01-15 10:30:00" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm:ss")))

(.isBefore (LocalDateTime/parse "2024-01-15T10:00:00") (LocalDateTime/parse "2024-01-15T10:00:01"))

(.between ChronoUnit/MINUTES (LocalDateTime/parse "2024-01-15T10:00:00") (LocalDateTime/parse "2024-01-15T11:30:30"))

(.between ChronoUnit/HOURS (LocalDateTime/parse "2024-01-15T10:00:00") (LocalDateTime/parse "2024-01-17T09:00:00"))

(str (.atStartOfDay (LocalDate/parse "2024-01-15")))

(str (java.time.Instant/parse "2024-01-15T10:30:00Z"))

(str (Instant/parse "2024-01-15T10:30:00.500Z"))

(str (Instant/parse "2024-01-15T10:30:00.123456Z"))

(.toEpochMilli (Instant/parse "2024-01-15T10:30:00Z"))

(.getEpochSecond (Instant/parse "2024-01-15T10:30:00Z"))

(str (Instant/ofEpochMilli 1705314600000))

(str (Instant/ofEpochSecond 0))

(str (Instant/ofEpochMilli 1))

(str (.plusSeconds (Instant/parse "2024-01-15T10:30:00Z") 3600))

(str (.plusMillis (Instant/parse "2024-01-15T10:30:00Z") 250))

(str (.minusSeconds (Instant/parse "2024-01-15T00:00:00Z") 1))

(str (.plus (Instant/parse "2024-01-15T10:30:00Z") 2 ChronoUnit/HOURS))

(str (.plus (Instant/parse "2024-01-15T10:30:00Z") (Duration/ofMinutes 45)))

(str (.minus (Instant/parse "2024-01-15T10:30:00Z") (Duration/ofDays 1)))

(.isBefore (Instant/parse "2024-01-15T10:30:00Z") (Instant/parse "2024-01-15T10:31:00Z"))

(.isAfter (Instant/parse "2024-01-15T10:30:00Z") (Instant/parse "2024-01-15T10:31:00Z"))

(compare (Instant/parse "2024-01-15T10:30:00Z") (Instant/parse "2024-01-15T10:30:00Z"))

(Instant/parse "2024-01-15")

(Instant/parse "2024-01-15T10:30:00")

(Instant/parse "garbage")

(.between ChronoUnit/SECONDS (Instant/parse "2024-01-15T10:30:00Z") (Instant/parse "2024-01-15T10:31:30Z"))

(str (Duration/between (Instant/parse "2024-01-15T10:00:00Z") (Instant/parse "2024-01-15T12:30:00Z")))

(.toMinutes (Duration/between (Instant/parse "2024-01-15T10:00:00Z") (Instant/parse "2024-01-15T12:30:00Z")))

(.toHours (Duration/between (Instant/parse "2024-01-15T10:00:00Z") (Instant/parse "2024-01-15T12:59:00Z")))

(.toMillis (Duration/between (Instant/parse "2024-01-15T10:00:00Z") (Instant/parse "2024-01-15T10:00:01.500Z")))

(.toDays (Duration/between (Instant/parse "2024-01-01T00:00:00Z") (Instant/parse "2024-01-15T12:00:00Z")))

(.getSeconds (Duration/between (Instant/parse "2024-01-15T10:00:00Z") (Instant/parse "2024-01-15T10:05:00Z")))

(.toMinutes (Duration/between (LocalDateTime/parse "2024-01-15T10:00") (LocalDateTime/parse "2024-01-15T10:45")))

(str (Duration/ofSeconds 3661))

(str (Duration/ofMinutes 90))

(str (Duration/ofHours 25))

(str (Duration/ofDays 2))

(str (Duration/ofMillis 1500))

(str (Duration/ofSeconds 0))

(str (Duration/parse "PT1H30M"))

(.toMinutes (Duration/parse "PT1H30M"))

(.getSeconds (Duration/parse "PT90S"))

(str (.plus (Duration/ofMinutes 50) (Duration/ofMinutes 20)))

(.isNegative (Duration/between (Instant/parse "2024-01-02T00:00:00Z") (Instant/parse "2024-01-01T00:00:00Z")))

(compare (Duration/ofMinutes 1) (Duration/ofSeconds 60))

(Duration/parse "1h")

(str (Period/between (LocalDate/parse "2024-01-15") (LocalDate/parse "2025-03-20")))

(.getYears (Period/between (LocalDate/parse "1990-05-20") (LocalDate/parse "2024-05-19")))

(.getMonths (Period/between (LocalDate/parse "2024-01-15") (LocalDate/parse "2025-03-20")))

(.getDays (Period/between (LocalDate/parse "2024-01-15") (LocalDate/parse "2024-02-20")))

(str (Period/ofDays 10))

(str (.plus (LocalDate/parse "2024-01-31") (Period/ofMonths 1)))

(str (.plus (LocalDate/parse "2024-01-31") 3 ChronoUnit/DAYS))

(str (.minus (LocalDate/parse "2024-01-31") 1 ChronoUnit/MONTHS))

(str (java.time.ZonedDateTime/parse "2024-01-15T10:30:00Z"))

(str (OffsetDateTime/parse "2024-01-15T10:30:00+02:00"))

(str (.toInstant (OffsetDateTime/parse "2024-01-15T10:30:00+02:00")))

(str (.toLocalDate (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")))

(str (.toLocalDate (.atZone (Instant/parse "2024-01-15T10:30:00Z") (ZoneId/of "UTC"))))

(str (.toLocalDate (.atOffset (Instant/parse "2024-01-15T23:30:00Z") ZoneOffset/UTC)))

(str (LocalDate/ofInstant (Instant/parse "2024-01-15T10:30:00Z") ZoneOffset/UTC))

(str (YearMonth/parse "2024-02"))

(.lengthOfMonth (YearMonth/of 2024 2))

(str (YearMonth/from (LocalDate/parse "2024-02-15")))

(str (java.time.LocalTime/parse "10:30"))

(str (.plusMinutes (LocalTime/parse "23:50") 20))

(.isBefore (LocalTime/parse "09:00") (LocalTime/parse "17:00"))

(subs (str (Instant/parse "2024-01-15T10:30:00Z")) 0 10)

(map #(str (.plusDays (LocalDate/parse "2024-02-27") %)) (range 4))

(map str (take 3 (iterate #(.plusMonths % 1) (LocalDate/parse "2024-01-15"))))

(count (filter #(.isBefore % (LocalDate/parse "2024-01-10")) (map #(LocalDate/parse %) ["2024-01-05" "2024-01-15"])))

(group-by #(str (.getDayOfWeek (LocalDate/parse %))) ["2024-01-15" "2024-01-16" "2024-01-22"])

(sort-by #(LocalDate/parse %) ["2024-03-01" "2023-12-31"])

(sort ["2024-03-01" "2023-12-31"])

(let [d (LocalDate/parse "2024-01-15") due (.plusDays d 30)] (str due))

(let [days (.between ChronoUnit/DAYS (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-31"))] (cond (> days 60) :late (> days 20) :soon :else :ok))

(let [age (fn [born today] (.getYears (Period/between (LocalDate/parse born) (LocalDate/parse today))))] (map #(age % "2024-06-15") ["1990-06-15" "1990-06-16"]))

(str (reduce (fn [a b] (if (.isAfter a b) a b)) (map #(LocalDate/parse %) ["2024-01-01" "2024-05-01" "2023-01-01"])))

(-> (LocalDate/parse "2024-01-15") (.plusMonths 2) (.withDayOfMonth 1) (.minusDays 1) str)

(try (LocalDate/parse "bad") (catch Exception e :invalid))

(mapv #(try (str (LocalDate/parse %)) (catch Exception _ nil)) ["2024-01-15" "nope"])

(= (Instant/parse "2024-01-15T10:30:00Z") (Instant/ofEpochMilli 1705314600000))

(frequencies (map #(.getMonthValue (LocalDate/parse %)) ["2024-01-15" "2024-01-20" "2024-02-01"]))

(str (max-key #(.toEpochDay %) (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-02-01")))

(str "due " (LocalDate/parse "2024-01-15"))

(get {(LocalDate/parse "2024-01-15") :x} (LocalDate/parse "2024-01-15"))

(contains? #{(LocalDate/parse "2024-01-15")} (LocalDate/parse "2024-01-15"))

(= java.time.DayOfWeek/MONDAY (.getDayOfWeek (LocalDate/parse "2024-01-15")))

(contains? #{DayOfWeek/SATURDAY DayOfWeek/SUNDAY} (.getDayOfWeek (LocalDate/parse "2024-01-13")))

(str (LocalTime/of 10 30))

(str (LocalTime/of 10 30 5))

(str (LocalTime/of 10 30 5 1000))

(str (LocalTime/parse "10:30"))

(str (LocalTime/parse "10:30:05.5"))

(str (LocalTime/parse "1030"))

(str (LocalTime/parse "25:00"))

(str LocalTime/MIDNIGHT)

(str LocalTime/NOON)

(str LocalTime/MAX)

(str (LocalTime/ofSecondOfDay 3661))

(str (LocalTime/parse "10.30" (DateTimeFormatter/ofPattern "HH.mm")))

(str (.minusHours (LocalTime/parse "01:00") 2))

(str (.plusSeconds (LocalTime/parse "10:00") 1))

(.getHour (LocalTime/of 10 30))

(.isBefore (LocalTime/of 9 0) (LocalTime/of 17 0))

(compare (LocalTime/of 9 0) (LocalTime/of 17 0))

(compare (LocalTime/of 9 30) (LocalTime/of 9 45))

(str (Duration/between (LocalTime/of 9 0) (LocalTime/of 17 30)))

(.between ChronoUnit/MINUTES (LocalTime/of 9 0) (LocalTime/of 17 30))

(.format (LocalTime/of 9 5) (DateTimeFormatter/ofPattern "h:mm a"))

(str (.withHour (LocalTime/of 9 5) 3))

(.toSecondOfDay (LocalTime/of 1 0))

(.toNanoOfDay (LocalTime/of 1 0))

(str (.atDate (LocalTime/of 1 0) (LocalDate/of 2024 1 5)))

(str (.truncatedTo (LocalTime/of 1 2 3) ChronoUnit/HOURS))

(str (.plus (LocalTime/of 1 0) (Duration/ofMinutes 90)))

(str (.atTime (LocalDate/of 2024 1 5) (LocalTime/of 10 30)))

(str (.toLocalTime (LocalDateTime/of 2024 1 5 10 30)))

(str (LocalDateTime/of (LocalDate/of 2024 1 5) (LocalTime/of 10 30)))

(str (YearMonth/of 2024 2))

(str (YearMonth/parse "2024-2"))

(str (YearMonth/from (LocalDate/of 2024 2 5)))

(str (.atDay (YearMonth/of 2024 2) 1))

(str (.atEndOfMonth (YearMonth/of 2024 2)))

(.lengthOfYear (YearMonth/of 2024 2))

(.isLeapYear (YearMonth/of 2024 2))

(str (.plusMonths (YearMonth/of 2024 12) 1))

(str (.minusYears (YearMonth/of 2024 12) 1))

(.getYear (YearMonth/of 2024 2))

(.getMonthValue (YearMonth/of 2024 2))

(str (.getMonth (YearMonth/of 2024 2)))

(.isAfter (YearMonth/of 2024 2) (YearMonth/of 2024 1))

(compare (YearMonth/of 2024 2) (YearMonth/of 2023 9))

(compare (YearMonth/of 2024 2) (YearMonth/of 2024 9))

(.format (YearMonth/of 2024 2) (DateTimeFormatter/ofPattern "MMM yyyy"))

(.between ChronoUnit/MONTHS (YearMonth/of 2024 2) (YearMonth/of 2025 1))

(str (YearMonth/parse "02/2024" (DateTimeFormatter/ofPattern "MM/yyyy")))

(str (.withMonth (YearMonth/of 2024 2) 5))

(str (YearMonth/of 2024 13))

(str (OffsetDateTime/parse "2024-01-15T10:30:00Z"))

(str (OffsetDateTime/parse "2024-01-15T10:30:00"))

(str (.toLocalDateTime (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")))

(str (.toLocalTime (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")))

(str (.getOffset (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")))

(.toEpochSecond (OffsetDateTime/parse "2024-01-15T10:30:00+02:00"))

(str (.plusDays (OffsetDateTime/parse "2024-01-15T10:30:00+02:00") 20))

(.isBefore (OffsetDateTime/parse "2024-01-15T10:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z"))

(= (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z"))

(.isEqual (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z"))

(compare (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z"))

(compare (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T18:30:00Z"))

(str (.withOffsetSameInstant (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") ZoneOffset/UTC))

(str (.atZoneSameInstant (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (ZoneId/of "UTC")))

(str (.toZonedDateTime (OffsetDateTime/parse "2024-01-15T12:30:00+02:00")))

(str (OffsetDateTime/of (LocalDateTime/of 2024 1 5 10 30) (ZoneOffset/ofHours 2)))

(str (OffsetDateTime/ofInstant Instant/EPOCH ZoneOffset/UTC))

(str (Duration/between (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T18:30:00Z")))

(.between ChronoUnit/DAYS (OffsetDateTime/parse "2024-01-15T23:30:00-02:00") (OffsetDateTime/parse "2024-01-17T01:30:00Z"))

(.format (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm XXX"))

(.format (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (DateTimeFormatter/ofPattern "X XX XXX x xx xxx Z ZZZ ZZZZZ"))

(.format (OffsetDateTime/parse "2024-01-15T12:30:00Z") (DateTimeFormatter/ofPattern "X XX XXX x xx xxx Z ZZZ ZZZZZ"))

(str (.getDayOfWeek (OffsetDateTime/parse "2024-01-15T12:30:00+02:00")))

(str (OffsetDateTime/parse "2024-01-15 12:30 +02:00" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm XXX")))

(str (.truncatedTo (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") ChronoUnit/DAYS))

(str (.withHour (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") 3))

(.format (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") DateTimeFormatter/ISO_OFFSET_DATE_TIME)

(.format (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") DateTimeFormatter/ISO_LOCAL_DATE)

(str (ZonedDateTime/parse "2024-01-15T10:30:00Z"))

(str (ZonedDateTime/parse "2024-01-15T10:30:00Z[UTC]"))

(str (ZonedDateTime/parse "2024-01-15T10:30:00+00:00[UTC]"))

(str (ZonedDateTime/parse "2024-01-15T10:30:00+02:00"))

(str (ZonedDateTime/of (LocalDateTime/of 2024 1 5 10 30) (ZoneId/of "UTC")))

(str (ZonedDateTime/of 2024 1 5 10 30 0 0 ZoneOffset/UTC))

(str (ZonedDateTime/ofInstant Instant/EPOCH (ZoneId/of "UTC")))

(str (.atZone (Instant/parse "2024-01-15T10:30:00Z") (ZoneId/of "UTC")))

(str (.atZone (Instant/parse "2024-01-15T10:30:00Z") ZoneOffset/UTC))

(str (.atZone (LocalDateTime/of 2024 1 5 10 30) (ZoneId/of "UTC")))

(str (.atOffset (LocalDateTime/of 2024 1 5 10 30) (ZoneOffset/ofHours -5)))

(str (.atOffset (Instant/parse "2024-01-15T23:30:00Z") (ZoneOffset/of "+02:00")))

(str (.getZone (.atZone Instant/EPOCH (ZoneId/of "UTC"))))

(.getId (ZoneId/of "UTC"))

(str (.getOffset (.atZone Instant/EPOCH (ZoneId/of "UTC"))))

(str (.toOffsetDateTime (.atZone Instant/EPOCH (ZoneId/of "UTC"))))

(str (.withZoneSameInstant (.atZone Instant/EPOCH (ZoneId/of "UTC")) (ZoneId/of "+02:00")))

(str (.toInstant (.atZone Instant/EPOCH (ZoneId/of "UTC"))))

(.toEpochSecond (.atZone Instant/EPOCH (ZoneId/of "UTC")))

(str (.atStartOfDay (LocalDate/of 2024 1 5) (ZoneId/of "UTC")))

(.toEpochSecond (LocalDateTime/of 2024 1 5 10 30) ZoneOffset/UTC)

(.format (.atZone Instant/EPOCH (ZoneId/of "UTC")) (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm VV z"))

(.format (.atZone Instant/EPOCH (ZoneId/of "UTC")) DateTimeFormatter/ISO_INSTANT)

(str (ZoneOffset/ofHours 2))

(str (ZoneOffset/of "+02:00"))

(str (ZoneOffset/of "Z"))

(str (ZoneOffset/of "+2"))

(str (ZoneOffset/of "+0230"))

(str (ZoneOffset/ofHoursMinutes 5 30))

(str (ZoneId/of "+02:00"))

(str (ZoneId/of "GMT"))

(str (ZoneId/of "UTC+2"))

(str (ZoneId/of "Etc/UTC"))

(str (ZoneId/of "Z"))

(str (ZoneId/of "nowhere"))

(= (ZoneId/of "Z") ZoneOffset/UTC)

(= (ZoneId/of "UTC") ZoneOffset/UTC)

(.getTotalSeconds (ZoneOffset/ofHours 2))

(str (ZoneOffset/ofHours 19))

(str (ZoneOffset/of "x"))

(str (LocalDate/from (LocalDateTime/of 2024 1 5 10 30)))

(str (LocalTime/from (LocalDateTime/of 2024 1 5 10 30)))

(str (Instant/from (OffsetDateTime/parse "2024-01-15T12:30:00+02:00")))

(str (LocalDateTime/parse "2024-01-15T10:30:00Z" DateTimeFormatter/ISO_DATE_TIME))

(str (LocalDateTime/parse "2024-01-15T10:30:00+02:00" DateTimeFormatter/ISO_OFFSET_DATE_TIME))

(.format DateTimeFormatter/ISO_INSTANT Instant/EPOCH)

(.format (LocalTime/of 9 5) DateTimeFormatter/ISO_LOCAL_TIME)

(.getNano (LocalTime/of 1 2 3 4))

(str (LocalDate/ofInstant Instant/EPOCH (ZoneOffset/ofHours -1)))

(str (LocalDateTime/ofInstant Instant/EPOCH (ZoneOffset/ofHours 2)))

(str (.toInstant (LocalDateTime/of 1970 1 1 0 0) (ZoneOffset/ofHours 2)))

(.compareTo (LocalTime/of 9 0) (LocalTime/of 17 0))

(.equals (LocalTime/of 9 0) (LocalTime/of 9 0))

(.equals (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T12:30:00+02:00"))
