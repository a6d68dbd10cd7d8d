#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what developers need below a fresh prefix.   install.sh CMAKE BUILD_FOLDER PREFIX
set -euo pipefail
rm -rf "$3"
"$1" --install "$2" --prefix "$3" --component development >/dev/null
count=$(find "$3/include/parlance" -name '*.h' | wc -l)
echo "$count headers, $(find "$3" -name '*.a' | wc -l) libraries"
((count > 100))
