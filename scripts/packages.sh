# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Installs missing packages of scripts/packages.txt with apt-get. Sourced after common.sh and compiler.sh.
#
#   need_packages SET…     does nothing, quickly and without a network, if every probe passes
#
# PARLANCE_NO_INSTALL=1 only lists missing packages.

have_header() {  # PATH [MACRO NUMBER]
  local dir value
  for dir in ${CPATH:+${CPATH//:/ }} /usr/local/include /usr/include /usr/include/*-linux-gnu*; do
    [[ -f $dir/$1 ]] || continue
    [[ -z ${2:-} ]] && return 0
    value=$(awk -v macro="$2" '$1 == "#define" && $2 == macro { print $3 + 0; exit }' "$dir/$1")
    [[ -n $value ]] && ((value >= $3)) && return 0
  done
  return 1
}

have_command() {  # NAME[,NAME…][>=VERSION]
  local names=${1%%>=*} wanted='' name version
  [[ $1 == *'>='* ]] && wanted=${1##*>=}
  for name in ${names//,/ }; do
    command -v "$name" >/dev/null || continue
    [[ -z $wanted ]] && return 0
    version=$("$name" --version 2>/dev/null | grep -Eo '[0-9]+(\.[0-9]+)+' | head -n 1)
    [[ -n $version ]] && version_at_least "$version" "$wanted" && return 0
  done
  return 1
}

have_font() { compgen -G "/usr/share/fonts/*/*/$1*" >/dev/null || compgen -G "/usr/share/fonts/*/$1*" >/dev/null; }
have_certificates() { [[ -s ${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} || -s /etc/pki/tls/certs/ca-bundle.crt ]]; }
have_compiler() { choose_compiler; }

have_sanitizers() {
  choose_compiler || return 1
  if [[ $compiler_kind == gcc ]]; then
    [[ $("$cxx" -print-file-name=libasan.so) == /* ]]
  else
    local dir
    dir=$("$cxx" -print-resource-dir)
    compgen -G "$dir/lib/*/libclang_rt.fuzzer*.a" >/dev/null
  fi
}

have_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }
have_symbolizer() { [[ ${compiler_kind:-} == gcc ]] || clang_tool llvm-symbolizer >/dev/null; }
# A clang-format older than the compiler does not know all options of .clang-format.
have_clang_format() { local tool; tool=$(clang_tool clang-format) && (cd "$root" && "$tool" --dump-config >/dev/null 2>&1); }
have_clang_tidy() { clang_tool clang-tidy >/dev/null; }

probe_passes() {
  local kind=${1%%:*} what=${1#*:}
  case $kind in
    cmd) have_command "$what" ;;
    fn) "$what" ;;
    fc) have_font "$what" ;;
    hdr)
      if [[ $what == *:*'>='* ]]; then
        local condition=${what##*:}
        have_header "${what%%:*}" "${condition%%>=*}" "${condition##*>=}"
      else
        have_header "$what"
      fi
      ;;
    *) fail "scripts/packages.txt: unknown probe $1" ;;
  esac
}

# rows SET…: the lines of those sets as "package<TAB>probe<TAB>why"
package_rows() {
  awk -F'|' -v sets=" $* " '
    function trimmed(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
    /^#/ || NF < 4 { next }
    index(sets, " " trimmed($1) " ") { print trimmed($2) "\t" trimmed($3) "\t" trimmed($4) }' "$root/scripts/packages.txt"
}

# The first name that apt could install. With empty package lists, the first name.
installable() {
  local name
  for name in ${1//,/ }; do
    if [[ -n $(apt-cache --quiet madison "$name" 2>/dev/null) ]]; then
      printf '%s\n' "$name"
      return
    fi
  done
  printf '%s\n' "${1%%,*}"
}

with_clang_version() { printf '%s\n' "${1//@/${clang_version:-19}}"; }

find_missing() {  # SET… fills missing_packages and missing_reasons
  missing_packages=() missing_reasons=()
  local package probe why
  while IFS=$'\t' read -r package probe why; do
    probe_passes "$probe" && continue
    missing_packages+=("$(with_clang_version "$package")")
    missing_reasons+=("$why")
  done < <(package_rows "$@")
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif [[ -t 0 && -z ${CI:-} ]]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

package_lists_are_fresh() { [[ -n $(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -1440 2>/dev/null | head -n 1) ]]; }

need_packages() {
  local i names=() log=$root/build/packages.log
  find_missing "$@"
  ((${#missing_packages[@]} == 0)) && return 0

  say "Missing on this machine:"
  for i in "${!missing_packages[@]}"; do
    printf '  %-22s %s\n' "${missing_packages[i]%%,*}" "${missing_reasons[i]}"
  done
  local by_hand="apt-get install --no-install-recommends ${missing_packages[*]%%,*}"
  command -v apt-get >/dev/null ||
    fail "There is no apt-get here. Install the like of these Debian packages with this system's own tools, then start again."
  [[ -n ${PARLANCE_NO_INSTALL:-} ]] && fail "Not installed, as asked. By hand: $by_hand"
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || fail "Not root, and there is no sudo. As root: $by_hand"
    [[ -t 0 && -z ${CI:-} ]] || sudo -n true 2>/dev/null || fail "sudo wants a password and nobody is there to give it. As root: $by_hand"
  fi

  mkdir -p "$root/build"
  local begun=$SECONDS
  say "Installing them with apt-get${dim:+$dim} (log: build/packages.log)${dim:+$plain} …"
  {
    package_lists_are_fresh || apt_get update
    for i in "${!missing_packages[@]}"; do names+=("$(installable "${missing_packages[i]}")"); done
    # Old lists may name versions that the mirror has dropped: fetch new lists and try once more.
    apt_get install "${names[@]}" || { apt_get update && apt_get install "${names[@]}"; }
  } >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "apt-get failed. The whole log is build/packages.log; by hand: apt-get install --no-install-recommends ${names[*]}"
  }
  hash -r
  find_missing "$@"
  ((${#missing_packages[@]} == 0)) ||
    fail "Installed, but still not found or too old: ${missing_packages[*]}. Debian 12 or newer has what parlance needs."
  say "Installed: ${#names[@]}, in $(duration $((SECONDS - begun)))."
}
