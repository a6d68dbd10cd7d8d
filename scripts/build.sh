# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Builds the page and a preset. Sourced after common.sh and compiler.sh.

# inputs_changed STAMP [find arguments…]: true if the content of the named files differs from the stamp.
# Sets inputs_sum for `keep_inputs STAMP`. Content decides, not time: switching branches must not rebuild the page.
inputs_changed() {
  local stamp=$1
  shift
  inputs_sum=$(cd "$root" && find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum)
  [[ ! -f $stamp || $(<"$stamp") != "$inputs_sum" ]]
}
keep_inputs() {
  mkdir -p "${1%/*}"
  printf '%s\n' "$inputs_sum" >"$1"
}

# Installs the npm packages of a folder by its lock file.
install_npm_parts() {  # FOLDER
  local folder=$1 stamp=$root/$1/node_modules/.installed-for
  inputs_changed "$stamp" "$folder/package.json" "$folder/package-lock.json" || return 0
  say "Installing the npm packages of $folder …"
  mkdir -p "$root/build"
  (cd "$root/$folder" && npm ci --no-audit --no-fund --no-progress --loglevel=error </dev/null) >"$root/build/npm.log" 2>&1 || {
    head -n 20 "$root/build/npm.log" >&2
    fail "npm ci failed in $folder. Log: build/npm.log. To repeat it: (cd $folder && npm ci)"
  }
  keep_inputs "$stamp"
}

web_sources() { printf '%s\0' apps/web '(' -name node_modules -o -name dist -o -name test-results ')' -prune -o; }

# Builds the page, apps/web/dist, for the binary.
build_web() {
  [[ -f $root/apps/web/package.json ]] || return 0
  install_npm_parts apps/web
  local sources=()
  mapfile -d '' sources < <(web_sources)
  if ! inputs_changed "$root/build/web.inputs" "${sources[@]}" && [[ -f $root/apps/web/dist/index.html ]]; then return 0; fi
  say "Building the page (apps/web) …"
  mkdir -p "$root/build"
  (cd "$root/apps/web" && npm run --silent build </dev/null) >"$root/build/web.log" 2>&1 || {
    tail -n 30 "$root/build/web.log" >&2
    fail "The page did not build. Log: build/web.log. To repeat it: (cd apps/web && npm run build)"
  }
  keep_inputs "$root/build/web.inputs"
}

cached() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null || true; }

# configure PRESET: configures a new build folder, or after a change of the presets, the compiler (CXX) or the need for tests
# (with_tests=1).
configure() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1/configure.log options=()
  local known tests
  known=$(cached "$folder" CMAKE_CXX_COMPILER)
  tests=$(cached "$folder" BUILD_TESTING)
  if [[ -n ${with_tests:-} ]]; then
    # Explicit, because the folder may have the opposite value.
    if [[ $tests == OFF ]]; then tests=''; fi
    options=(-DBUILD_TESTING=ON)
  elif [[ -z $tests ]]; then
    options=(-DBUILD_TESTING=OFF)
  fi
  if [[ -f $folder/build.ninja && -n $tests && ! $root/CMakePresets.json -nt $folder/CMakeCache.txt ]]; then
    if [[ -z ${CXX:-} ]]; then
      [[ -x $known ]] && return 0
    elif [[ $(readlink -f "$known") == $(readlink -f "$(command -v "$CXX")") ]]; then
      return 0
    fi
  fi
  choose_compiler || fail "No compiler: clang++ 16 or newer, or g++ 13 or newer, is needed (Debian 12: apt-get install clang-19)."
  if [[ ! -f $folder/build.ninja || ! -x $known || -n ${CXX:-} ]]; then
    options+=(--fresh "-DCMAKE_CXX_COMPILER=$cxx")
    command -v "$cc" >/dev/null && options+=("-DCMAKE_C_COMPILER=$cc")
  fi
  say "Configuring build/$preset with ${known:-$cxx} …"
  mkdir -p "$folder"
  # Without CXX of the environment: with a launcher, CMake would find two compilers.
  (cd "$root" && env -u CXX -u CC cmake --preset "$preset" "${options[@]}" </dev/null) >"$log" 2>&1 || {
    cat "$log" >&2
    rm -f "$folder/build.ninja"
    fail "CMake stopped. To repeat it: cmake --preset $preset ${options[*]}"
  }
}

# Programs without the tests, or everything if CMake has no such target.
program_target() { if grep -q '^build programs:' "$root/build/$1/build.ninja"; then echo programs; else echo all; fi; }

# build_preset PRESET [TARGET…]: configures and builds, with progress; the log is build/PRESET/build.log.
build_preset() {
  local preset=$1 log=$root/build/$1/build.log
  shift
  configure "$preset"
  local begun=$SECONDS
  if ! ninja_command=$(command -v ninja || command -v ninja-build); then fail "ninja is not on PATH."; fi
  if ! "$ninja_command" -C "$root/build/$preset" -j "$(jobs)" "$@" </dev/null 2>&1 | show_progress "$log"; then
    # Lines of ninja before "FAILED:" are successful steps.
    sed -n '/^FAILED:/,$p' "$log" | head -n 80 >&2
    fail "build/$preset did not build. Log: build/$preset/build.log. To repeat it: ninja -C build/$preset${*:+ $*}"
  fi
  if ((SECONDS > begun)); then say "Built build/$preset in $(duration $((SECONDS - begun)))."; fi
}
