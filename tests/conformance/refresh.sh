#!/bin/sh
# Freezes the answers of real Clojure beside the cases of this folder.
# Needs Debian's package clojure (1.11). Usage: tests/conformance/refresh.sh [AREA ...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jars=${CLOJURE_JARS:-/usr/share/java}
exec java -Duser.language=en -Duser.country=US -Duser.timezone=UTC -Dfile.encoding=UTF-8 \
  -XX:TieredStopAtLevel=1 \
  -cp "$jars/clojure.jar:$jars/core.specs.alpha.jar:$jars/spec.alpha.jar" \
  clojure.main "$here/oracle.clj" "$here" "$@"
