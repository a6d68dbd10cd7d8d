#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program is linked with nothing but the C and C++ libraries.   needs_no_library.sh PROGRAM
set -euo pipefail
needed=$(readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p')
if strange=$(grep -vE '^(libc|libm|libgcc_s|libstdc\+\+|libpthread|ld-linux-.*)\.so' <<<"$needed"); then
  echo "$1 needs $strange"
  exit 1
fi
