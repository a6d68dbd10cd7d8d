#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes a database of the present schema as SQL: tests/vectors/hub/schema_N.sql. Run the script once for each new schema, with the
# test of the schema (src/parlance/store/hub/frozen_test.cpp), and never again: released files do not change.
#
#   scripts/freeze_store.sh BUILD_DIR     needs store_hub_test in BUILD_DIR/bin, and sqlite3
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:?usage: scripts/freeze_store.sh BUILD_DIR}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PARLANCE_FREEZE=$folder "$build/bin/store_hub_test" --gtest_filter=FrozenStore.IsWrittenForTheScript >/dev/null
version=$(sqlite3 "$folder/hub.db" 'PRAGMA user_version')
file=$root/tests/vectors/hub/schema_$version.sql
if [[ -e $file ]]; then
  echo "$file exists: a released schema does not change. Delete the file first if the schema is not released" >&2
  exit 1
fi
mkdir -p "$(dirname "$file")"
{ sqlite3 "$folder/hub.db" .dump; echo "PRAGMA user_version=$version;"; } >"$file"
echo "written: $file"
