(Integer/parseInt "42")

(Integer/parseInt "-7")

(Integer/parseInt "+7")

(Integer/parseInt "ff" 16)

(Integer/parseInt "101" 2)

(Integer/parseInt "x")

(Integer/parseInt "")

(Integer/parseInt nil)

(Integer/parseInt " 42")

(Integer/parseInt "4.2")

(Integer/parseInt "3000000000")

(Integer/valueOf "5")

(Integer/toString 5)

(Integer/toBinaryString 10)

(Integer/toHexString 255)

(Integer/toOctalString 8)

(Integer/compare 1 2)

(Integer. "5")

(Long/parseLong "42")

(Long/parseLong "9223372036854775808")

(Long/parseLong "abc")

(Long/parseLong nil)

(Long/valueOf "7")

(Long/toString 42)

(Long. "9")

(Double/parseDouble "3.14")

(Double/parseDouble "3")

(Double/parseDouble "1e3")

(Double/parseDouble " 2.5 ")

(Double/parseDouble "abc")

(Double/parseDouble nil)

(Double/valueOf "2.5")

(Double/toString 2.5)

(Float/parseFloat "1.5")

(Boolean/parseBoolean "true")

(Boolean/parseBoolean "TRUE")

(Boolean/parseBoolean "yes")

(Boolean/parseBoolean nil)

(String/valueOf 5)

(String/valueOf true)

(String/valueOf 2.5)

(String/join "," ["a" "b"])

(String. "abc")

(.toUpperCase "abc")

(.toLowerCase "ABC")

(.trim "  a ")

(.strip "  a ")

(.length "abc")

(.length "")

(.isEmpty "")

(.isEmpty "a")

(.isBlank "  ")

(.contains "hello" "ell")

(.contains "hello" "x")

(.startsWith "hello" "he")

(.endsWith "hello" "lo")

(.indexOf "hello" "l")

(.indexOf "hello" "z")

(.indexOf "hello" "l" 3)

(.lastIndexOf "hello" "l")

(.lastIndexOf "hello" "z")

(.substring "hello" 1)

(.substring "hello" 1 3)

(.substring "hello" 9)

(.replace "hello" "l" "L")

(.replaceAll "a1b2" "[0-9]" "#")

(.replaceFirst "a1b2" "[0-9]" "#")

(vec (.split "a,b,c" ","))

(seq (.split "a b" " "))

(count (.split "a,b,c" ","))

(.charAt "abc" 1)

(str (.charAt "abc" 1))

(.equals "a" "a")

(.equals "a" "b")

(.equals "a" nil)

(.equalsIgnoreCase "Abc" "aBC")

(.compareTo "a" "b")

(.compareTo "b" "a")

(.concat "a" "b")

(.repeat "ab" 3)

(.matches "123" "\\d+")

(.matches "123a" "\\d+")

(.toString 5)

(.toString :a)

(.toString [1 2])

(.toUpperCase nil)

(.foo "abc")

(.length 5)

(.toUpperCase :a)

(.indexOf [10 20 30] 20)

(.indexOf '(1 2) 2)

(.contains [1 2] 1)

(.contains #{1 2} 2)

(.size [1 2 3])

(.isEmpty [])

(.get [1 2 3] 0)

(.get {:a 1} :a)

(.containsKey {:a 1} :a)

(map #(.toUpperCase %) ["a" "b"])

(map #(.length %) ["a" "bb"])

(map (memfn toUpperCase) ["a"])

(filter #(.startsWith % "a") ["ab" "ba"])

(filter #(.contains % "x") ["xa" "b"])

(sort-by #(.length %) ["ccc" "a" "bb"])

(.. "  abc " trim toUpperCase)

(.. "abc" (substring 1) toUpperCase (concat "!"))

(-> "a-b" (.replace "-" "_") .toUpperCase)

(. "abc" toUpperCase)

(. "abc" (substring 1))

(Character/isDigit \5)

(Character/isLetter \a)

(Character/isUpperCase \A)

(Character/isWhitespace \space)

(Character/toUpperCase \a)

(Character/getNumericValue \7)

(every? #(Character/isDigit %) "123")

(filter #(Character/isUpperCase %) "aBcD")

(apply str (filter #(Character/isLetterOrDigit %) "a-1 b!"))

(apply str (map #(Character/toUpperCase %) "abc"))

(Character/isDigit (first "a1"))

(instance? String "a")

(instance? Long 1)

(instance? Number 1.5)

(instance? Double 1.5)

(instance? Boolean true)

(instance? clojure.lang.Keyword :a)

(instance? java.util.Map {})

(instance? String nil)

(boolean (.endsWith "report.pdf" ".pdf"))

(if (.isEmpty "") :empty :full)

(.indexOf "abc" "")

(.substring "héllo" 1 2)

(NoSuchClass/foo 1)

(String/noSuch "a")

(Long/toBinaryString 5)

(Long/toHexString 255)

(Long/bitCount 7)

(Integer/parseInt (subs "x42" 1))

(+ (Integer/parseInt "1") (Long/parseLong "2"))

(map #(Integer/parseInt %) ["1" "2"])

(mapv #(Double/parseDouble %) ["1" "2.5"])

(reduce + (map #(Integer/parseInt (str %)) "1234"))

(.intValue 5.7)

(.doubleValue 5)

(.longValue 5.7)

(.equals 1 1)

(.compareTo 1 2)

(Math/abs (.compareTo "a" "c"))


(map str [(.pow (biginteger 2) 100) (.pow (biginteger -3) 3) (.pow (biginteger 5) 0)])

(.pow (biginteger 2) -1)

[(.mod (biginteger -7) (biginteger 3)) (.remainder (biginteger -7) (biginteger 3)) (.divide (biginteger -7) (biginteger 2))]

(.mod (biginteger 7) (biginteger -3))

(.divide (biginteger 7) (biginteger 0))

[(.modPow (biginteger 3) (biginteger 200) (biginteger 13)) (.modPow (biginteger 3) (biginteger -1) (biginteger 11)) (.modInverse (biginteger 3) (biginteger 11))]

(.modInverse (biginteger 2) (biginteger 4))

[(.gcd (biginteger 12) (biginteger -18)) (.gcd (biginteger 0) (biginteger 0)) (.abs (biginteger -5)) (.negate (biginteger 5)) (.signum (biginteger -5))]

(map str [(.add (biginteger 1) (biginteger 2)) (.subtract (biginteger 1) (biginteger 2)) (.multiply (biginteger 99999999999) (biginteger 99999999999))])

[(.bitLength (biginteger 255)) (.bitLength (biginteger -256)) (.bitLength (biginteger 0)) (.bitCount (biginteger 255)) (.bitCount (biginteger -1)) (.testBit (biginteger 5) 2) (.testBit (biginteger -1) 100)]

(map str [(.shiftLeft (biginteger 1) 70) (.shiftRight (biginteger -5) 1) (.shiftRight (biginteger 5) 100) (.shiftRight (biginteger -5) 100) (.shiftLeft (biginteger 8) -2)])

[(.and (biginteger 12) (biginteger 10)) (.or (biginteger 12) (biginteger 10)) (.xor (biginteger 12) (biginteger -10)) (.not (biginteger 5))]

[(.intValue (biginteger 5)) (.longValue (biginteger 5)) (.toString (biginteger 255) 16) (.toString (biginteger -5)) (.compareTo (biginteger 1) (biginteger 2))]

[(.isProbablePrime (biginteger 97) 10) (.isProbablePrime (biginteger 91) 10) (.isProbablePrime (biginteger 1) 10) (.isProbablePrime (biginteger 2) 10) (.isProbablePrime (BigInteger. "170141183460469231731687303715884105727") 20)]

(map str [(BigInteger. "123456789012345678901234567890") (BigInteger. "ff" 16) (BigInteger. "-101" 2)])

[BigInteger/ONE BigInteger/ZERO BigInteger/TEN (BigInteger/valueOf 5)]

[(.max (biginteger 1) (biginteger 2)) (.min (biginteger 1) (biginteger 2))]

(java.math.BigInteger. "12")

(= (str (java.math.BigInteger/valueOf 7)) "7")
