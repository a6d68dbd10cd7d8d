#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pages of the C++ interface. Fails when a class has no comment, or when Doxygen does not understand one.
#   check.sh SOURCE_FOLDER OUTPUT_FOLDER
set -euo pipefail
source=$1 output=$2
command -v doxygen >/dev/null || { echo "no doxygen here: apt-get install doxygen" && exit 77; }
cd "$source"
rm -rf "$output"
mkdir -p "$output"
PARLANCE_API_OUTPUT=$output doxygen docs/api/Doxyfile >"$output/doxygen.log" 2>&1

# Told of by the comment of their file, together with others.
told_with_their_file=' parlance::SseParser parlance::hub::AgentProvider parlance::wire::Methods parlance::wire::Notice '

status=0
# Fields and functions say by their names what a comment would repeat; structs are their fields.
if strange=$(grep -E 'warning|error' "$output/doxygen.log" | grep -vE '(Member|Compound|Parameters|Return|parameter|File) .* (not|are) documented|is not documented'); then
  echo "$strange"
  status=1
fi
while read -r file name; do
  [[ $told_with_their_file != *" $name "* ]] || continue
  if grep -qE "^ *(template.*)?class ${name##*::}\b" "$file"; then
    echo "${file#"$source"/}: class $name has no comment: what it is for, who calls it from which thread, who owns what"
    status=1
  fi
done < <(sed -nE 's/^([^:]*):[0-9]+: warning: Compound (.*) is not documented\.$/\1 \2/p' "$output/doxygen.log" | sort -u)
[[ -f $output/index.html ]] || { echo "no pages were made" && status=1; }
echo "$(find "$output" -name 'class*.html' | grep -vc -- -members) classes in $output/index.html"
exit $status
