# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Test data from packages of Debian: fetched and unpacked, never installed. Sourced after common.sh.
#
# apt fetches and checks signatures with separate lists in a scratch folder. The machine's sources need no deb-src line, its package
# lists stay untouched, and root is not necessary.

debian_suite=bookworm
debian_fetch_seconds=400

# The Debian mirror of this machine, else the public mirror.
debian_mirror() {
  local uri
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -Em 1 '/debian/?$' || true)
  printf '%s\n' "${uri:-http://deb.debian.org/debian}"
}

# Options that restrict apt to a folder.
debian_apt() {  # FOLDER COMMAND…
  local folder=$1
  shift
  timeout "$debian_fetch_seconds" apt-get -qq -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" \
    -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "APT::Sandbox::User=$(id -un)" \
    -o Debug::NoLocking=1 -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@" </dev/null
}

# Sets debian_folder, the folder of apt, with the lists of this suite. A script fetches the lists of a suite once.
debian_lists() {  # SUITE
  local word signed=''
  if [[ -z ${debian_folder:-} ]]; then
    debian_folder=$(mktemp -d)
    trap 'rm -rf "$debian_folder"' EXIT
    mkdir -p "$debian_folder/lists/partial" "$debian_folder/cache/archives/partial"
  fi
  grep -q " $1 main$" "$debian_folder/sources.list" 2>/dev/null && return 0
  [[ -f /usr/share/keyrings/debian-archive-keyring.gpg ]] && signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] '
  for word in deb deb-src; do printf '%s %s%s %s main\n' "$word" "$signed" "$(debian_mirror)" "$1"; done >>"$debian_folder/sources.list"
  debian_apt "$debian_folder" update
}

# FOLDER WORDS: each word is a package with all files, of Debian 12 or as NAME/SUITE of another suite, or source:NAME=VERSION:PATH. The
# latter selects the files *.db in PATH of the upstream sources, in any Debian revision of the version.
install_debian() {
  local folder=$1 word name version part archive packages=()
  shift
  for word in "$@"; do
    if [[ $word != source:* ]]; then
      [[ $word == */* ]] || word+=/$debian_suite
      debian_lists "${word#*/}" || return 1
      packages+=("$word")
      continue
    fi
    debian_lists "$debian_suite" || return 1
    IFS=:= read -r _ name version part <<<"$word"
    (cd "$debian_folder" && debian_apt "$debian_folder" source --download-only --tar-only "$name/$debian_suite") || return 1
    archive=("$debian_folder/${name}_$version.orig.tar".*)
    [[ -f ${archive[0]} ]] || { complain "$name: Debian's $debian_suite has another version than $version now."; return 1; }
    tar -xf "${archive[0]}" -C "$folder" --strip-components=1 --wildcards "*/$part/*.db" || return 1
  done
  ((${#packages[@]})) || return 0
  rm -f "$debian_folder"/*.deb
  (cd "$debian_folder" && debian_apt "$debian_folder" download "${packages[@]}") || return 1
  for word in "$debian_folder"/*.deb; do dpkg-deb -x "$word" "$folder" || return 1; done
}
