#!/usr/bin/env bash
# Every header that was installed stands on its own.   headers.sh INCLUDE_FOLDER SOURCE_FOLDER COMPILER
set -euo pipefail
include=$1 source=$2 compiler=$3
status=0
cd "$include"

# What they name is there, and is of ours or the standard library's.
while read -r file name; do
  [[ -f $name ]] || { echo "$file includes \"$name\", which is not installed" && status=1; }
done < <(grep -rE '^ *#include "' parlance | sed -E 's/^([^:]*): *#include "([^"]*)".*/\1 \2/')
if grep -rnE '^ *#include <(boost|openssl|curl|sqlite3|simdjson|hnswlib|gtest|gmock|CLI)\b' parlance; then
  echo "a public header must not need another library"
  status=1
fi

# A header with a .cpp of its name is the first that this includes, so the preset `includes` shows that it stands alone.
alone=()
while read -r file; do
  [[ -f $source/${file%.h}.cpp ]] || alone+=("$file")
done < <(find parlance -name '*.h' | sort)
printf '%s\0' "${alone[@]}" | xargs -0 -P "$(nproc)" -n 1 "$compiler" -std=c++23 -fsyntax-only -Wall -Wno-pragma-once-outside-header -I. -x c++ || status=1
echo "$(find parlance -name '*.h' | wc -l) headers, ${#alone[@]} of them compiled alone"
exit $status
