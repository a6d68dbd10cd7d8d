#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes a database of the present schemas as SQL: tests/vectors/hub/schema_N.sql (SQLite) and postgres_N.sql. Run the script once
# for each new schema, and never again: released files do not change. The tests are src/parlance/store/hub/frozen_test.cpp and
# tests/postgres/frozen_database_test.cpp.
#
#   scripts/freeze_store.sh BUILD_DIR
#
# Needs store_hub_test and hub_postgres_test in BUILD_DIR/bin, sqlite3 and PostgreSQL.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:?usage: scripts/freeze_store.sh BUILD_DIR}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PARLANCE_FREEZE=$folder "$build/bin/store_hub_test" --gtest_filter=FrozenStore.IsWrittenForTheScript >/dev/null
PARLANCE_FREEZE_PG=$folder/postgres.sql "$build/bin/hub_postgres_test" --gtest_filter=Frozen.IsWrittenForTheScript >/dev/null
{
  sqlite3 "$folder/hub.db" .dump
  echo "PRAGMA user_version=$(sqlite3 "$folder/hub.db" 'PRAGMA user_version');"
} >"$folder/schema.sql"
vectors=$root/tests/vectors/hub
mkdir -p "$vectors"

# keep FILE VERSION: a new file beside the others
keep() {
  local file
  file=$vectors/$(basename "$1" .sql)_$2.sql
  if [[ -e $file ]]; then
    echo "$file exists: a released schema does not change. Delete the file first if the schema is not released" >&2
    return
  fi
  cp "$1" "$file"
  echo "written: $file"
}
keep "$folder/schema.sql" "$(sqlite3 "$folder/hub.db" 'PRAGMA user_version')"
keep "$folder/postgres.sql" "$(sed -nE 's/^INSERT INTO schema VALUES \(([0-9]+).*/\1/p' "$folder/postgres.sql")"
