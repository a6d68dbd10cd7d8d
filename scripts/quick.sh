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
  local preset=${PRESET:-debug} distance status=0 folder ctest_folder
  local passed failed skipped sum=(0 0 0)
  folder=$(realpath --relative-to=. "$quick_folder")
  until [[ -f $folder/CMakeLists.txt ]]; do folder=$(dirname "$folder"); done
  configure "$preset"
  for distance in near far; do
    mapfile -t build_targets < <(node scripts/dependent_tests.mjs "build/$preset" "$folder" "$distance" programs | grep .)
    ((${#build_targets[@]})) || continue
    say "$quick_folder: ${#build_targets[@]} test programs ($distance)"
    build_preset "$preset" "${build_targets[@]}"
    # The folder's own tests are in the test file of the folder: ctest reads a hundredth of all tests.
    ctest_folder=build/$preset
    [[ $distance == far ]] || ctest_folder+=/$folder
    node scripts/dependent_tests.mjs "build/$preset" "$folder" "$distance" numbers | grep . >"$log_folder/quick.numbers" || continue
    test_preset "$preset" -I "$root/$log_folder/quick.numbers" || status=$?
    read -r passed failed skipped <"$counts"
    sum=($((sum[0] + passed)) $((sum[1] + failed)) $((sum[2] + skipped)))
    say "$distance: $(counts_line "$passed" "$failed" "$skipped") after $((SECONDS - begun)) s"
    ((status == 0)) || break
  done
  echo "${sum[@]}" >"$counts"
  return "$status"
}
