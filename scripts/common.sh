# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by run, check and the scripts: folders and output. Sourced, never run.

# Some CI runners start a job without HOME; ccache, npm and Go all need one.
if [[ -z ${HOME:-} ]]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  export HOME
fi

# Caches are beside the tree, so that a fresh clone starts with filled caches.
cache_home=${XDG_CACHE_HOME:-$HOME/.cache}
# With precompiled headers, ccache caches only if it may trust their defines.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

if [[ -t 1 ]]; then
  bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' dim=$'\e[2m' plain=$'\e[0m'
else
  bold='' red='' green='' dim='' plain=''
fi

say() { printf '%s\n' "$*"; }
headline() { printf '%s== %s ==%s\n' "$bold" "$*" "$plain"; }
complain() { printf '%s%s%s\n' "$red" "$*" "$plain" >&2; }
fail() {
  complain "$*"
  exit 1
}

# duration SECONDS: 7 s, 3 min 05 s
duration() {
  if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# version_at_least HAVE WANT
version_at_least() {
  [[ $1 == "$2" ]] && return 0
  [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$2" ]]
}

# Number of parallel compilers: the processors, but 1.5 GB of memory for each, the need of a file with Beast. PARLANCE_JOBS
# overrides the number.
jobs() {
  if [[ -n ${PARLANCE_JOBS:-} ]]; then
    printf '%s\n' "$PARLANCE_JOBS"
    return
  fi
  local processors gigabytes_and_a_half
  processors=$(nproc)
  gigabytes_and_a_half=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null || printf '%s' "$processors")
  ((gigabytes_and_a_half < 1)) && gigabytes_and_a_half=1
  printf '%s\n' $((gigabytes_and_a_half < processors ? gigabytes_and_a_half : processors))
}

# Copies its input to a log and shows progress: a moving line on a terminal, every tenth part elsewhere. Reads the formats of
# ninja ("[12/345] …") and ctest (" 12/345 Test …"). Failed tests appear at once. Not awk: Debian's mawk reads a pipe in blocks,
# which would delay the progress.
show_progress() {
  local log=$1 line open='' finished total tenth shown=0 shown_of=0
  local ninja_line='^\[([0-9]+)/([0-9]+)\]' ctest_line='^ *([0-9]+)/([0-9]+) +Test +#'
  : >"$log"
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >>"$log"
    if [[ $line =~ $ctest_line ]]; then
      finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      if [[ $line == *'***'* && $line != *'***Skipped'* && $line != *'(Disabled)'* ]]; then
        printf '%s%s\n' "${open:+$'\r\e[K'}" "$line"
        open=''
      fi
    elif [[ $line =~ $ninja_line ]]; then
      finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    else
      continue
    fi
    if [[ -t 1 ]]; then
      printf '\r\e[K%.*s' $((${COLUMNS:-100} - 1)) "$line"
      open=1
    elif ((total >= 20)); then
      ((total == shown_of)) || shown=0 shown_of=$total
      tenth=$((10 * finished / total))
      if ((tenth > shown)); then
        shown=$tenth
        printf '  %d of %d\n' "$finished" "$total"
      fi
    fi
  done
  [[ -z $open ]] || printf '\r\e[K'
}
