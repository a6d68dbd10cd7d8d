# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Reads test results from the output of test programs. Sourced after common.sh.
# Every count_* prints "PASSED FAILED SKIPPED"; show_* print the interesting part of a log.

# ctest's log. A test without a start ("Not Run") has failed. A disabled test, or a test that reports a missing requirement, is
# skipped.
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

# A pattern for ctest with exactly these tests. Not ctest --rerun-failed: its numbers change with -E.
only_ctest() {  # NAME…
  local pattern
  printf -v pattern '%s\n' "$@"
  pattern=$(sed -E 's/[][\\.+*?^$|(){}]/\\&/g' <<<"${pattern%$'\n'}" | paste -sd '|')
  printf '^(%s)$\n' "$pattern"
}

# True if the failed tests may run again: a few tests that were slow on a busy machine, or failed for a temporary reason. Sanitizer
# reports and many failures never run again.
may_be_run_again() {  # LOG MOST
  local -a failed
  local passed all skipped
  mapfile -t failed < <(failed_ctest "$1")
  read -r passed all skipped < <(count_ctest "$1")
  ((all > 0 && all <= $2 && ${#failed[@]} == all)) && # one whose name cannot be read is not forgotten
    ! grep -qE '(Address|Leak|Thread|UndefinedBehavior|Memory)Sanitizer|: runtime error: |Subprocess aborted|SEGFAULT' "$1"
}

# The output of failed tests, without lines of passed tests.
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

# "12 passed, 0 failed" with ", 1 skipped" if tests skipped
counts_line() { if (($3 > 0)); then printf '%d passed, %d failed, %d skipped\n' "$@"; else printf '%d passed, %d failed\n' "$1" "$2"; fi; }
