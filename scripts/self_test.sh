#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of run, check and scripts/*.sh: prints "ok …", "not ok …" or "skip …" a line, exit code 1 when anything is not ok.
# Installs nothing and writes only to a temporary folder: apt-get, sudo and the compilers are fakes.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"
scratch=$(mktemp -d)
ended=0
trap 'rm -rf "$scratch"; ((ended)) || echo "not ok a command failed, and the tests after it did not run"' EXIT
failed=0

# The tests use the environment of a fresh shell.
unset CI CXX CC PARLANCE_NO_INSTALL PARLANCE_JOBS CPATH

indented() { printf "%s\n" "    ${1//$'\n'/$'\n'    }"; }

check() {  # WHAT COMMAND…
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf 'ok %s\n' "$what"
  else
    failed=1
    printf 'not ok %s\n' "$what"
    indented "$output"
  fi
}

same() {  # WHAT GOT WANTED
  if [[ $2 == "$3" ]]; then
    printf 'ok %s\n' "$1"
  else
    failed=1
    printf 'not ok %s\n    got:    %q\n    wanted: %q\n' "$1" "$2" "$3"
  fi
}

has() {  # WHAT TEXT PART
  if [[ $2 == *"$3"* ]]; then
    printf 'ok %s\n' "$1"
  else
    failed=1
    printf 'not ok %s\n    "%s" is not in:\n' "$1" "$3"
    indented "$2"
  fi
}

# in_scripts PROGRAM: runs bash code after sourcing the scripts, with $root as an empty project
in_scripts() {
  local folder
  folder=$(mktemp -d "$scratch/project.XXXX")
  mkdir "$folder/scripts"
  printf '%s\n' "${packages:-}" >"$folder/scripts/packages.txt"
  PATH=${path:-$PATH} root=$folder "$BASH" -c "set -euo pipefail
    for part in common compiler packages build results; do source $project/scripts/\$part.sh; done
    $1" 2>&1
}

# stand_in FOLDER NAME: creates a fake command with the script on standard input
stand_in() {
  mkdir -p "$1"
  { printf '#!/bin/sh\n'; cat; } >"$1/$2"
  chmod +x "$1/$2"
}

# --- Shape ---

scripts=(run check .ci/run scripts/*.sh)
for script in "${scripts[@]}"; do check "$script parses" bash -n "$script"; done
for script in run check .ci/run scripts/peers.sh; do check "$script can be started" test -x "$script"; done
if command -v shellcheck >/dev/null; then
  check 'shellcheck has nothing to say' shellcheck "${scripts[@]}"
else
  printf 'skip shellcheck: not installed\n'
fi

check 'every rule of the layout check catches what it should' node --test scripts/check_layout_test.mjs
check 'every figure of the house is measured as it should' node --test scripts/figures_test.mjs scripts/cpp_functions_test.mjs
check 'the figures of the house are good, or known to be open' node scripts/figures.mjs
check 'the prose check reads texts and finds each fault' node --test scripts/check_prose_test.mjs
check 'texts read well, or are listed as exceptions' node scripts/check_prose.mjs
check 'parts of packages are correct, and the launcher leaves no child' node --test tests/package/release_test.mjs
check 'workflows and forms of .github are valid' node --test scripts/workflows_test.mjs
check 'the units of clang-tidy hold each source once' node --test scripts/tidy_test.mjs
check 'all places name the same version' node --test scripts/version_test.mjs
check 'reference pages agree with the code' node --test scripts/settings_doc_test.mjs

# --- bench/run ---

output=$(PATH=$scratch/nothing BENCH_POSTGRESQL=$scratch/nothing "$(command -v node)" bench/run commits 2>&1 || echo "exit $?")
has 'bench/run without PostgreSQL names the package' "$output" 'no initdb was found: apt-get install postgresql'
has 'bench/run without PostgreSQL fails' "$output" 'exit 2'

# --- common.sh ---

same 'versions compare by number' \
  "$(in_scripts 'for v in 3.25 3.9 18 3.25.1; do version_at_least $v 3.25 && echo $v || true; done' | xargs)" '3.25 18 3.25.1'
same 'durations read well' "$(in_scripts 'duration 59; echo; duration 125')" $'59 s\n2 min 05 s'
same 'PARLANCE_JOBS is obeyed' "$(PARLANCE_JOBS=7 in_scripts jobs)" 7
check 'the number of jobs is at least 1' in_scripts '(($(jobs) >= 1))'
same 'progress shows tenths, and keeps every line' \
  "$(in_scripts 'for i in {1..20}; do echo "[$i/20] step"; done | show_progress $root/log | xargs; wc -l <$root/log')" \
  $'2 of 20 4 of 20 6 of 20 8 of 20 10 of 20 12 of 20 14 of 20 16 of 20 18 of 20 20 of 20\n20'
same 'progress keeps a last line without an end' "$(in_scripts 'printf "[1/1] a\nb" | show_progress $root/log; cat $root/log')" $'[1/1] a\nb'

# --- results.sh: against the real ctest ---

mkdir "$scratch/tests"
cat >"$scratch/tests/CTestTestfile.cmake" <<'TEXT'
add_test(passes true)
add_test(passes_too true)
add_test(fails sh -c "echo what went wrong; exit 1")
add_test(is_killed sh -c "kill -SEGV $$")
add_test(takes_too_long sleep 60)
set_tests_properties(takes_too_long PROPERTIES TIMEOUT 1)
add_test(cannot_start /nonexistent/program)
add_test(skips sh -c "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(is_off true)
set_tests_properties(is_off PROPERTIES DISABLED TRUE)
TEXT
if command -v ctest >/dev/null; then
  ctest --test-dir "$scratch/tests" --output-on-failure >"$scratch/ctest.log" 2>&1 || true
  same 'every way a test can end is counted' "$(in_scripts "count_ctest $scratch/ctest.log")" '2 4 2'
  same 'skipped tests are named' "$(in_scripts "skipped_ctest $scratch/ctest.log")" skips
  again() { in_scripts "may_be_run_again $scratch/again.log $1 && echo yes || echo no"; }
  printf '%s\n' '1/2 Test #1: late ...***Failed 60.0 sec' '2/2 Test #2: later ...***Timeout 90 sec' >"$scratch/again.log"
  same 'tests that failed are named' "$(in_scripts "failed_ctest $scratch/again.log" | paste -sd ' ')" 'late later'
  same 'a few failures may be run again' "$(again 2)" yes
  same 'many failures are no accident' "$(again 1)" no
  printf '%s\n' '==77==ERROR: AddressSanitizer: heap-use-after-free' >>"$scratch/again.log"
  same 'what a sanitizer reports has failed' "$(again 2)" no
  printf '%s\n' '1/1 Test #1: dead ...***Exception: SEGFAULT 0.1 sec' >"$scratch/again.log"
  same 'a crash has failed' "$(again 2)" no
  printf '%s\n' '1/2 Test #1: late ...***Failed 60.0 sec' '2/2 Test #2: of/x  # GetParam() = 1 ...***Failed 1 sec' >"$scratch/again.log"
  same 'a failure whose name cannot be read is not forgotten' "$(again 2)" no
  same 'those that failed are run again, and no others' \
    "$(ctest --test-dir "$scratch/tests" -E '^passes$' -R "$(in_scripts 'only_ctest fails passes_too')" -N | sed -nE 's/.*Test +#[0-9]+: //p' | paste -sd ' ')" 'passes_too fails'
  failures=$(in_scripts "show_ctest_failures $scratch/ctest.log")
  has 'the output of a failed test is shown' "$failures" 'what went wrong'
  check 'tests that passed are not shown' test -z "$(grep -E '#[12]:' <<<"$failures")"
  has 'failures are shown while the tests run' "$(in_scripts "show_progress \$root/log <$scratch/ctest.log")" 'fails ....'
else
  printf 'skip reading of ctest logs: no ctest\n'
fi
same 'lines of test programs are counted' "$(printf 'ok a\nnot ok b\n  ok not at the start\nskip c\nok d\n' >"$scratch/lines" && in_scripts "count_lines $scratch/lines")" '2 1 1'
same 'counts add up' "$(printf '1 2 3\n' >"$scratch/a" && printf '10 0 1\n' >"$scratch/b" && in_scripts "sum_counts $scratch/a $scratch/b")" '11 2 4'
same 'the last line without skipped tests' "$(in_scripts 'counts_line 5 0 0')" '5 passed, 0 failed'
same 'the last line with skipped tests' "$(in_scripts 'counts_line 5 1 2')" '5 passed, 1 failed, 2 skipped'

# --- build.sh ---

same 'inputs count by content, not by time' "$(in_scripts '
  mkdir $root/in; echo 1 >$root/in/a
  inputs_changed $root/stamp in && echo changed; keep_inputs $root/stamp
  touch -d 2001-01-01 $root/in/a; inputs_changed $root/stamp in || echo same
  echo 2 >$root/in/a; inputs_changed $root/stamp in && echo changed' | xargs)" 'changed same changed'

# --- compiler.sh: with fake compilers ---

compiler() {  # FOLDER NAME VERSION clang|gcc
  stand_in "$scratch/$1" "$2" <<<"case \$1 in -dumpversion) echo $3 ;; *) echo $4 version $3 ;; esac"
}
chosen() { path=$scratch/$1 in_scripts 'choose_compiler && echo "$cxx $cc $compiler_kind ${clang_version:-}" || echo none'; }
compiler debian clang++-19 19.1.7 clang
compiler debian clang++-20 20.1.0 clang
compiler debian g++ 12 gcc
compiler newer clang++-18 18.1.3 clang
compiler newer clang++-21 21.0.0 clang
compiler plain clang++ 17.0.1 clang
compiler plain g++-14 14 gcc
compiler gnu clang++ 14.0.6 clang
compiler gnu g++ 12 gcc
compiler gnu g++-13 13 gcc
compiler old clang++ 14.0.6 clang
compiler old g++ 12 gcc
same 'clang++-19 comes first' "$(chosen debian)" 'clang++-19 clang-19 clang 19'
same 'without it the newest clang++' "$(chosen newer)" 'clang++-21 clang-21 clang 21'
same 'clang++ without a number in its name' "$(chosen plain)" 'clang++ clang clang 17'
same 'without a clang++ of 16 or more, g++ from 13 on' "$(chosen gnu)" 'g++-13 gcc-13 gcc '
same 'no compiler is better than an old one' "$(chosen old)" none
same 'CXX is obeyed' "$(CXX=clang++-18 chosen newer)" 'clang++-18 clang-18 clang 18'
has 'a CXX that is too old is refused in words' "$(CXX=g++ chosen old || true)" 'too old'

# --- packages.sh: with fake apt-get and sudo ---

while IFS=$'\t' read -r package probe why; do
  [[ -n $package && -n $why && $probe =~ ^(cmd|hdr|fn|fc):. ]] || check "packages.txt: $package $probe $why" false
  [[ $probe != fn:* ]] || check "packages.txt: ${probe#fn:} is a function" grep -q "^${probe#fn:}() " scripts/packages.sh
done < <(root=$project && source scripts/packages.sh && package_rows build cluster test peer dev)

has 'packages have a row each' "$(root=$project && source scripts/packages.sh && package_rows build | head -n 1)" $'fn:have_compiler\tC++23'
machine=$scratch/machine
mkdir "$machine"
for command in bash sh cat awk sed sort head tail mkdir find id env grep date tr cut nproc touch chmod getent; do
  ln -s "$(command -v $command)" "$machine/$command"
done
stand_in "$machine" apt-cache <<<'[ "$3" != known-2 ] || echo "known-2 | 1.0"; [ "$3" != wanted ] || echo "wanted | 1.0"'
stand_in "$machine" sudo <<<'while [ "$1" = -n ]; do shift; done; [ "$1" != true ] || exit 0; echo "sudo $*" >>$APT_LOG; exec "$@"'
stand_in "$machine" apt-get <<TEXT
echo "apt-get \$*" >>\$APT_LOG
[ ! -e $scratch/apt_fails ] || { echo "E: cannot reach the mirror"; exit 100; }
case "\$*" in *install*) printf '#!/bin/sh\n' >$machine/wanted_command; chmod +x $machine/wanted_command ;; esac
TEXT
export APT_LOG=$scratch/apt.log
packages='build | wanted | cmd:wanted_command | to show how it goes
build | known-1,known-2 | cmd:bash | there already
test | unwanted | cmd:no_such_command | belongs to another set'
install() { path=$machine in_scripts "${1:-need_packages build && echo ready}" || echo "stopped with $?"; }

touch "$scratch/apt_fails"
output=$(install)
has 'what is missing is named, with the reason' "$output" 'wanted                 to show how it goes'
has 'an apt-get that fails is quoted' "$output" 'cannot reach the mirror'
has 'and there is advice' "$output" 'by hand: apt-get install --no-install-recommends wanted'
has 'and it stops' "$output" 'stopped with 1'
rm "$scratch/apt_fails" "$APT_LOG"
output=$(PARLANCE_NO_INSTALL=1 install)
has '--no-install names the command' "$output" 'By hand: apt-get install --no-install-recommends wanted'
check '--no-install calls nothing' test ! -e "$APT_LOG"
output=$(install)
has 'what is missing gets installed' "$output" 'Installed: 1, in'
has 'and it goes on' "$output" ready
has 'without recommended packages' "$(<"$APT_LOG")" '--no-install-recommends'
has 'and nothing but what is missing' "$(tail -n 1 "$APT_LOG")" 'install wanted'
rm "$APT_LOG"
same 'when all is there nothing is said' "$(install)" ready
check 'and nothing called' test ! -e "$APT_LOG"
same 'of several names apt gets the one that it knows' "$(install 'installable known-1,known-2')" known-2
rm "$machine/wanted_command"
stand_in "$machine" apt-get <<<'exit 0'
has 'a package that does not bring what was missing is found out' "$(install)" 'still not found'
rm "$machine/apt-get"
has 'a system without apt-get is told what to get' "$(install)" 'no apt-get here'
mkdir -p "$scratch/include/demo"
printf '#ifndef X\n#define DEMO_VERSION 108100\n' >"$scratch/include/demo/version.hpp"
same 'headers have versions' "$(CPATH=$scratch/include in_scripts '
  for n in 108100 108200; do have_header demo/version.hpp DEMO_VERSION $n && echo $n || true; done; have_header demo/none.h || echo none' | xargs)" '108100 none'

# --- check and peers.sh, in a separate project ---

unset PARLANCE_PEERS # ./check names the real ones
other=$scratch/other
mkdir -p "$other/scripts"
cp check "$other/"
cp scripts/*.sh "$other/scripts/"
: >"$other/scripts/packages.txt"
printf 'echo ok one; echo ok two\n' >"$other/scripts/self_test.sh"
output=$("$other/check" scripts 2>&1)
same 'the last line of ./check is the result' "$(tail -n 1 <<<"$output")" '2 passed, 0 failed'
printf 'echo ok one; echo not ok two; echo skip three; exit 1\n' >"$other/scripts/self_test.sh"
output=$("$other/check" scripts 2>&1 && echo 'it should have failed') || true
same 'a failure shows in the last line' "$(tail -n 1 <<<"$output")" '1 passed, 1 failed, 1 skipped'
has 'and the way to repeat it is named' "$output" 'To repeat it: ./check scripts'
printf 'exit 3\n' >"$other/scripts/self_test.sh"
output=$("$other/check" scripts 2>&1 && echo 'it should have failed') || true
same 'a stage that breaks down counts as one failure' "$(tail -n 1 <<<"$output")" '0 passed, 1 failed'
printf 'build | x | cmd:no_such_command | to be missing\n' >"$other/scripts/packages.txt"
output=$(PARLANCE_NO_INSTALL=1 "$other/check" scripts 2>&1 && echo 'it should have failed') || true
same 'no stage runs when the machine is not set up' "$(tail -n 1 <<<"$output")" '0 passed, 1 failed'
has 'an unknown stage is refused' "$(./check nonsense 2>&1 || true)" 'does not know "nonsense"'

printf '{ "x": { "why": "to fail", "go": "nowhere" } }\n' >"$other/scripts/peers.json"
has 'a peer whose sources are missing is named' "$("$other/scripts/peers.sh" install 2>&1 || echo "exit $?")" 'x: its sources, nowhere, are not there.'
has 'and that is a failure' "$("$other/scripts/peers.sh" install 2>&1 || echo "exit $?")" 'exit 1'
printf '{ "x": { "why": "too new", "npm": { "x": "1.0.0" }, "node": "999" } }\n' >"$other/scripts/peers.json"
has 'a peer that needs a newer Node is left out in words' "$("$other/scripts/peers.sh" install 2>&1)" 'not installed, needs Node 999'
printf '{ "x": { "why": "to be fetched", "debian": ["x", "source:y=1.2:data"] } }\n' >"$other/scripts/peers.json"
stand_in "$scratch/apt_without_network" apt-get <<<'echo "E: no network" >&2; exit 100'
output=$(PATH=$scratch/apt_without_network:$PATH "$other/scripts/peers.sh" install 2>&1; echo "exit $?")
has 'files of Debian that cannot be had are told of' "$output" 'x: could not be installed'
has 'and that is no failure: tests skip' "$output" 'exit 0'
stand_in "$scratch/apt_with_files" apt-get <<<'case " $* " in
  *" source "*) mkdir -p y/data && echo 1 >y/data/one.db && echo 2 >y/data/two.txt && tar -cJf y_1.2.orig.tar.xz y ;;
  *" download "*) echo >x.deb ;;
esac'
stand_in "$scratch/apt_with_files" dpkg-deb <<<'echo x >"$3/of_x"'
output=$(PATH=$scratch/apt_with_files:$PATH "$other/scripts/peers.sh" install 2>&1; cd "$other/.peers"; echo x/* x/data/*)
has 'of packages all is unpacked, of sources what is wanted' "$(tail -n 1 <<<"$output")" 'x/data x/of_x x/data/one.db'
has 'an unknown peer is refused' "$("$other/scripts/peers.sh" install nobody 2>&1 || true)" 'has no peer "nobody"'

ended=1
exit "$failed"
