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

stage_tidy() {
  local tool files
  tool=$(clang_tool clang-tidy)
  configure includes # where each file has a command of its own
  mapfile -t files < <(git diff --name-only --diff-filter=d "${TIDY_SINCE:-HEAD~1}" -- '*.cpp')
  ((${#files[@]})) || { say "No .cpp file differs from ${TIDY_SINCE:-HEAD~1}."; return; }
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(jobs)" "$tool" --quiet -p build/includes 2>&1 | tee "$log" | grep -E 'error:|warning:' || true
  ! grep -q 'error:' "$log"
}
