# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Selects the compiler: CXX if set, else clang++-19 (the development compiler), else the newest clang++ from 16 on, else g++
# from 13 on (older versions miscompile coroutines). Sourced after common.sh.
#
#   choose_compiler     sets cxx, cc, compiler_kind (clang or gcc) and clang_version; fails without a compiler
#   clang_tool NAME     prints the command of that clang's tool, for example clang-format-19

cxx='' cc='' compiler_kind='' clang_version=''

take_compiler() {  # COMMAND: takes it when it is there, is clang or gcc, and is new enough
  command -v "$1" >/dev/null || return 1
  local version about
  version=$("$1" -dumpversion 2>/dev/null) || return 1
  about=$("$1" --version 2>/dev/null)
  if [[ $about == *clang* ]]; then
    ((${version%%.*} >= 16)) || return 1
    compiler_kind=clang clang_version=${version%%.*}
  else
    ((${version%%.*} >= 13)) || return 1
    compiler_kind=gcc
  fi
  cxx=$1 cc=${1/clang++/clang} cc=${cc/g++/gcc}
}

choose_compiler() {
  [[ -n $cxx ]] && return 0
  if [[ -n ${CXX:-} ]]; then
    take_compiler "$CXX" || fail "CXX=$CXX is not there or too old: clang++ 16 or newer, or g++ 13 or newer, is needed."
    return 0
  fi
  local name
  for name in clang++-19 clang++-{29..20} clang++-{18..16} clang++ g++-{20..13} g++ c++; do
    take_compiler "$name" && return 0
  done
  return 1
}

clang_tool() {
  choose_compiler || true
  local name
  for name in "$1-${clang_version:-19}" "$1"; do
    if command -v "$name" >/dev/null; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  return 1
}
