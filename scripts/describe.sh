#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the output of `parlance describe` and `parlance help` to the tree: docs/protocol, docs/policy.md, docs/permissions.md, the manual
# page and the page's types. With --check it changes nothing and fails after a difference. It builds the program first, so that the output
# matches the tables.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/compiler.sh
source scripts/compiler.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

check=''
[[ ${1:-} != --check ]] || check=1
build_preset release parlance >&2

differs=0
put() {  # FILE COMMAND…: its output is the file
  local file=$1 printed
  shift
  printed=$(mktemp)
  "$@" >"$printed"
  if ! cmp -s "$printed" "$file"; then
    if [[ $check ]]; then
      differs=1
      complain "$file differs from the output of the program. To update it: scripts/describe.sh"
    else
      cp "$printed" "$file"
      say "$file"
    fi
  fi
  rm -f "$printed"
}

parlance=build/release/bin/parlance
for protocol in $("$parlance" describe | awk '{print $1}'); do
  file=docs/protocol/$protocol.md
  [[ $protocol != policy && $protocol != permissions ]] || file=docs/$protocol.md
  put "$file" "$parlance" describe "$protocol"
done
put apps/web/src/protocol.ts "$parlance" describe page --form typescript
put docs/man/parlance.1 node scripts/man_page.mjs "$parlance"
put docs/man/sqlite-helper.1 node scripts/man_page.mjs "${parlance%/*}/sqlite-helper"
((differs == 0))
