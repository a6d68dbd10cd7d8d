#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes the files of this installation. Conversations and settings stay.
set -eu
prefix=$(cd "$(dirname "$0")/../.." && pwd)
list=$prefix/share/parlance/files
while IFS= read -r file; do rm -f "$prefix/$file"; done <"$list"
rm -f "$list" "$0"
rmdir "$prefix/share/parlance" "$prefix/share/doc/parlance" 2>/dev/null || true
echo "Removed parlance from $prefix."
echo "Your conversations stay in ${XDG_STATE_HOME:-$HOME/.local/state}/parlance. To delete them, remove this folder."
