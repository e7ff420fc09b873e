#!/usr/bin/env bash
# TLC on an exported protocol, for who has it: tests/peers/tlc.sh PROTOCOL [VARIANT]
# TLA2TOOLS is the path of tla2tools.jar. Compare "distinct states found" with what verify says.
set -euo pipefail
if [ "$#" -lt 1 ]; then echo "usage: tests/peers/tlc.sh PROTOCOL [VARIANT]" >&2; exit 2; fi
if [ ! -f "${TLA2TOOLS:-}" ]; then echo "set TLA2TOOLS to the path of tla2tools.jar" >&2; exit 2; fi
jar=$(realpath "$TLA2TOOLS")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chosen=(--protocol "$1")
if [ -n "${2:-}" ]; then chosen+=(--variant "$2"); fi
name=$(verify export "${chosen[@]}" --format tla | sed -n '1s/^-* MODULE \([A-Za-z0-9_]*\) -*$/\1/p')
verify export "${chosen[@]}" --format tla -o "$folder/$name.tla"
cd "$folder"
java -XX:+UseParallelGC -cp "$jar" tlc2.TLC -workers auto -config "$name.cfg" "$name.tla"
