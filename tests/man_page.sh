#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every flag of every program is in the manual page.   man_page.sh PARLANCE PAGE
set -euo pipefail
parlance=$1
page=$(sed 's/\\-/-/g; s/[" ]/\n/g' "$2")
status=0
for program in up gateway agent embed serve-acp runner 'rehearse editor' config 'config '{trust,untrust} doctor usage 'store adopt' 'memory '{store,search,get,list,delete,forget,export,import,stats,serve,why} \
  'users '{add,list,role,disable,enable} 'tokens '{create,list,revoke} 'log export'; do
  for flag in $("$parlance" $program --help | grep -oE -- '--[a-z-]+' | sort -u); do
    [[ $flag == --help ]] && continue
    if ! grep -qxF -- "$flag" <<<"${page//,/}"; then
      echo "docs/man/parlance.1 does not mention $flag of parlance $program"
      status=1
    fi
  done
done
exit $status
