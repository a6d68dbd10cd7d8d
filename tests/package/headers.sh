#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every installed header alone.   headers.sh INCLUDE_FOLDER SOURCE_FOLDER COMPILER
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

# A header with a .cpp of the same name is the first include there, so that the preset `includes` compiles the header alone.
alone=()
while read -r file; do
  [[ -f $source/${file%.h}.cpp ]] || alone+=("$file")
done < <(find parlance -name '*.h' | sort)
printf '%s\0' "${alone[@]}" | xargs -0 -P "$(nproc)" -n 1 "$compiler" -std=c++23 -fsyntax-only -Wall -Wno-pragma-once-outside-header -I. -x c++ || status=1
echo "$(find parlance -name '*.h' | wc -l) headers, ${#alone[@]} of them compiled alone"
exit $status
