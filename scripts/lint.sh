# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The stages of ./check that read C++ sources with clang-format and clang-tidy. Each uses $log and $counts of its stage.

own_sources() { git ls-files -co --exclude-standard -- '*.h' '*.cpp' | while read -r file; do [[ -f $file ]] && printf '%s\n' "$file"; done; }

# Another version of clang-format breaks lines at other places.
stage_format() {
  local tool status=0
  tool=$(clang_tool clang-format)
  if [[ $("$tool" --version) != *"version 19."* ]]; then
    say "Skipped: the tree has the form of clang-format 19, and this is $("$tool" --version)."
    echo 0 0 1 >"$counts"
    return
  fi
  own_sources | xargs -r -n 60 -P "$(jobs)" "$tool" --dry-run --Werror >"$log" 2>&1 || status=$?
  if ((status)); then
    sed -nE 's/^([^:]+):[0-9]+:[0-9]+: (error|warning):.*/\1/p' "$log" | sort | uniq -c | sort -rn | head -n 40
    say "To correct it: $tool -i FILES"
    return "$status"
  fi
  echo 1 0 0 >"$counts"
}

# The whole tree when ./check names the stage, with TIDY_SINCE or among all stages of ./check only files changed since that commit.
stage_tidy() {
  local tool since=${TIDY_SINCE:-} status=0
  local -a choice=()
  tool=$(clang_tool clang-tidy)
  if ((${#tidy_folders[@]})); then
    choice=("${tidy_folders[@]}")
  elif [[ -n $since || $tidy_changed == 1 ]]; then
    [[ -n $since ]] || since=$(git merge-base HEAD origin/main 2>/dev/null) || since=HEAD~1
    choice=(--since "$since")
  fi
  configure includes # where each file has a command of its own
  TIDY_JOBS=$(jobs) node scripts/tidy.mjs "$tool" build/includes "${choice[@]}" 2>&1 | show_progress "$log" || status=$?
  sed -nE 's/^clean ([0-9]+), with findings ([0-9]+)$/\1 \2 0/p' "$log" >"$counts"
  if ((status)); then
    grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | head -n "${FAILURE_LINES:-150}"
    say "To correct what clang-tidy can correct: $tool --fix -p build/tidy/UNIT build/tidy/UNIT/unit.cpp"
  fi
  return "$status"
}
