#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the installed headers without the rest of the tree.   headers.sh INCLUDE_FOLDER SOURCE_FOLDER COMPILER
set -euo pipefail
include=$1 source=$2 compiler=$3
status=0
cd "$include"

# Included headers exist, and belong to parlance or the standard library.
while read -r file name; do
  [[ -f $name ]] || { echo "$file includes \"$name\", which is not installed" && status=1; }
done < <(grep -rE '^ *#include "' parlance | sed -E 's/^([^:]*): *#include "([^"]*)".*/\1 \2/')
if grep -rnE '^ *#include <(boost|openssl|curl|sqlite3|simdjson|hnswlib|gtest|gmock|CLI)\b' parlance; then
  echo "a public header must not need another library"
  status=1
fi

# CMake's default dialect has GNU extensions, where these names are macros.
if grep -rn '' --include='*.h' parlance | sed -E 's|//.*||; s|"[^"]*"||g' | grep -E ':.*\b(unix|linux|i386)\b'; then
  echo "a macro of gnu++23 is the name of a declaration"
  status=1
fi

# A .cpp includes the header of the same name first, so the preset `includes` compiles each such header alone. This script compiles the
# headers without a .cpp: in one file within seconds, or each alone within minutes if EVERY_HEADER=1.
alone=()
while read -r file; do
  [[ -f $source/${file%.h}.cpp ]] || alone+=("$file")
done < <(find parlance -name '*.h' | sort -r)
options=(-std=c++23 -fsyntax-only -Wall -Wno-pragma-once-outside-header -I. -x c++)
if [[ ${EVERY_HEADER:-} ]]; then
  printf '%s\0' "${alone[@]}" | xargs -0 -P "$(nproc)" -n 1 "$compiler" "${options[@]}" || status=1
else
  printf '#include "%s"\n' "${alone[@]}" | "$compiler" "${options[@]}" - || status=1
fi
echo "$(find parlance -name '*.h' | wc -l) headers, ${#alone[@]} of them compiled${EVERY_HEADER:+ alone}"
exit $status
