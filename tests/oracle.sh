#!/bin/sh
# Compares the language corpus with Clojure itself (Debian package `clojure`). No test needs it:
# it is for whoever changes the corpus. Files that use the mission's own words are left out.
# Usage: tests/oracle.sh [--write] [file…]
cd "$(dirname "$0")" || exit 2
write=
if [ "$1" = --write ]; then write=--write; shift; fi
jars=/usr/share/java/clojure.jar:/usr/share/java/spec.alpha.jar:/usr/share/java/core.specs.alpha.jar
[ $# -gt 0 ] || set -- reader forms destructuring functions numbers collections sequences maps sets strings regex printing
for area in "$@"; do
    java -Dfile.encoding=UTF-8 -cp "$jars" clojure.main oracle.clj "language/$area.clj" $write 2>/dev/null
done
