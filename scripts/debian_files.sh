# shellcheck shell=bash
# Files out of packages of Debian 12, fetched and unpacked, never installed: data that tests read. Sourced after common.sh.
#
# apt does the fetching and checks the signatures, with lists of its own in a scratch folder: the machine's own sources need no
# deb-src line, its package lists are neither read nor changed, and nobody needs to be root.

debian_suite=bookworm
debian_fetch_seconds=400

# The mirror that this machine uses for Debian itself, else the one that everybody may use.
debian_mirror() {
  local uri
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -Em 1 '/debian/?$' || true)
  printf '%s\n' "${uri:-http://deb.debian.org/debian}"
}

# Options that keep apt inside a folder.
debian_apt() {  # FOLDER COMMAND…
  local folder=$1
  shift
  timeout "$debian_fetch_seconds" apt-get -qq -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" \
    -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "APT::Sandbox::User=$(id -un)" \
    -o Debug::NoLocking=1 -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@" </dev/null
}

# Sets debian_folder: where apt works. Its lists are fetched once for all that a script installs.
debian_lists() {
  local word signed=''
  [[ -z ${debian_folder:-} ]] || return 0
  debian_folder=$(mktemp -d)
  trap 'rm -rf "$debian_folder"' EXIT
  mkdir -p "$debian_folder/lists/partial" "$debian_folder/cache/archives/partial"
  [[ -f /usr/share/keyrings/debian-archive-keyring.gpg ]] && signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] '
  for word in deb deb-src; do printf '%s %s%s %s main\n' "$word" "$signed" "$(debian_mirror)" "$debian_suite"; done >"$debian_folder/sources.list"
  debian_apt "$debian_folder" update
}

# FOLDER WORDS: each is a package, all of whose files are wanted, or source:NAME=VERSION:PATH, of whose upstream sources the files
# named *.db in PATH are wanted (of whatever revision Debian has of that version).
install_debian() {
  local folder=$1 word name version part archive packages=()
  shift
  debian_lists || return 1
  for word in "$@"; do
    if [[ $word != source:* ]]; then
      packages+=("$word/$debian_suite")
      continue
    fi
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
