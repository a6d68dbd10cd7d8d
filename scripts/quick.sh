# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The stage `quick` of ./check. Uses $counts, $begun and $quick_folder of ./check.

# With a folder: its own tests first, for a result after seconds, and then the tests of all that use it.
stage_quick() {
  if [[ -z $quick_folder ]]; then
    test_preset "${PRESET:-release}" "${quick_tests[@]}"
    return
  fi
  ((${#ctest_options[@]} == 0)) || fail "ctest options do not go with a folder: ./check quick ${ctest_options[*]}"
  local preset=${PRESET:-debug} distance status=0
  local passed failed skipped sum=(0 0 0)
  configure "$preset"
  for distance in near far; do
    mapfile -t build_targets < <(node scripts/dependent_tests.mjs "build/$preset" "$quick_folder" "$distance" programs | grep .)
    ((${#build_targets[@]})) || continue
    say "$quick_folder: ${#build_targets[@]} test programs ($distance)"
    build_preset "$preset" "${build_targets[@]}"
    node scripts/dependent_tests.mjs "build/$preset" "$quick_folder" "$distance" numbers | grep . >"$log_folder/quick.numbers" || continue
    test_preset "$preset" -I "$root/$log_folder/quick.numbers" || status=$?
    read -r passed failed skipped <"$counts"
    sum=($((sum[0] + passed)) $((sum[1] + failed)) $((sum[2] + skipped)))
    say "$distance: $(counts_line "$passed" "$failed" "$skipped") after $((SECONDS - begun)) s"
    ((status == 0)) || break
  done
  echo "${sum[@]}" >"$counts"
  return "$status"
}
