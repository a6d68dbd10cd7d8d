# shellcheck shell=bash
# Reads how tests went from what the test programs print. Sourced after common.sh.
# Every count_* prints "PASSED FAILED SKIPPED"; show_* print what somebody wants to see of a log.

# ctest's log. A test that could not be started ("Not Run") has failed; one that is switched off, or says itself that it
# cannot run here, is skipped.
count_ctest() {
  awk '
    / +Test +#[0-9]+:/ {
      if (/\*\*\*Skipped/ || /\(Disabled\)/) skipped++
      else if (/\*\*\*/) failed++
      else if (/ Passed +[0-9.]+ sec/) passed++
    }
    END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

skipped_ctest() { sed -nE 's/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: ([^ ]+) \.*\*\*\*Skipped.*/\1/p' "$1"; }

failed_ctest() { sed -nE 's/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: ([^ ]+) \.*\*\*\*(Failed|Timeout|Exception|Not Run).*/\1/p' "$1"; }

# A pattern for ctest that names these tests and no others. Not ctest --rerun-failed: it goes by number, and -E counts otherwise.
only_ctest() {  # NAME…
  local pattern
  printf -v pattern '%s\n' "$@"
  pattern=$(sed -E 's/[][\\.+*?^$|(){}]/\\&/g' <<<"${pattern%$'\n'}" | paste -sd '|')
  printf '^(%s)$\n' "$pattern"
}

# Whether the tests that failed may be run once more: a few that were too slow on a busy machine, or that failed for a reason that may pass.
# Never what a sanitizer reported, however rare, and never many at once: that is no accident.
may_be_run_again() {  # LOG MOST
  local -a failed
  local passed all skipped
  mapfile -t failed < <(failed_ctest "$1")
  read -r passed all skipped < <(count_ctest "$1")
  ((all > 0 && all <= $2 && ${#failed[@]} == all)) && # one whose name cannot be read is not forgotten
    ! grep -qE '(Address|Leak|Thread|UndefinedBehavior|Memory)Sanitizer|: runtime error: |Subprocess aborted|SEGFAULT' "$1"
}

# What the failed tests printed, without the lines of those that passed.
show_ctest_failures() {
  awk '
    /^ *Start +[0-9]+: / || / Passed +[0-9.]+ sec/ || /\*\*\*Skipped/ || /\*\*\*Not Run \(Disabled\)/ { next }
    NF || !blank { print }
    { blank = !NF }' "$1"
}

# Vitest's JSON report. ("todo" and "skip" are both skipped.)
count_vitest() {
  node -e '
    const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    const skipped = r.numPendingTests + r.numTodoTests;
    // A file that does not even load has no tests in it, and is a failure all the same.
    const unloaded = r.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0).length;
    console.log(r.numPassedTests, r.numFailedTests + unloaded, skipped);' "$1"
}

# The test programs in scripts/: lines that begin with "ok ", "not ok ", "skip ".
count_lines() { awk '/^ok /{p++} /^not ok /{f++} /^skip /{s++} END{print p + 0, f + 0, s + 0}' "$1"; }

# sum_counts FILE…: adds up files of one "PASSED FAILED SKIPPED" line each
sum_counts() { cat "$@" /dev/null | awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}'; }

# "12 passed, 0 failed" with ", 1 skipped" when there is something to say
counts_line() { if (($3 > 0)); then printf '%d passed, %d failed, %d skipped\n' "$@"; else printf '%d passed, %d failed\n' "$1" "$2"; fi; }
