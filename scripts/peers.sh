#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs peers, programs of other projects for tests, into .peers/NAME, with the versions of scripts/peers.json.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"
# shellcheck source=scripts/debian_files.sh
source "$root/scripts/debian_files.sh"
peers=${PARLANCE_PEERS:-$root/.peers}

usage() {
  cat <<'TEXT'
usage: scripts/peers.sh install [NAME…]    installs missing or outdated peers (all without NAME)
       scripts/peers.sh list               lists peers, their purpose and their state

An entry of scripts/peers.json is one peer, installed into .peers/NAME:
  why      description and purpose
  npm      packages with exact versions, for .peers/NAME/node_modules (their install scripts do not run)
  go       a folder with a Go module that needs no other; its programs go to .peers/NAME/bin
  debian   packages of Debian 12 (NAME/SUITE: of another suite) to unpack, not to install; source:NAME=VERSION:FOLDER is *.db of a source package.
           Unavailable packages are reported without a failure, and tests skip
  script   a script, its folder's name and a version: it installs into the given folder
  node     the lowest Node that it runs on, if higher than ours (18)
  by_hand  true: large or rarely wanted, only installed when named
  without_optional  true: npm omits optional dependencies (programs of other peers)
TEXT
}

# entries: a line per peer: name, kind (npm, go, debian or script), what (packages or folder), lowest node, by_hand, why
entries() {
  node -e '
    const all = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    for (const [name, peer] of Object.entries(all)) {
      const kind = peer.npm ? "npm" : peer.debian ? "debian" : peer.script ? "script" : "go";
      const what = peer.npm
        ? [...(peer.without_optional ? ["--omit=optional"] : []), ...Object.entries(peer.npm).map(([p, v]) => `${p}@${v}`)].join(" ")
        : peer.debian?.join(" ") ?? peer.script ?? peer.go;
      console.log([name, kind, what, peer.node ?? "18", peer.by_hand ? "by_hand" : "always", peer.why].join("\t"));
    }' "$root/scripts/peers.json"
}

# The stamp of an installed peer; another text means: install again.
wanted_stamp() {  # KIND WHAT
  if [[ $1 != go ]]; then
    printf '%s\n' "$2"
  else
    printf '%s, sources %s\n' "$(go version)" "$(cd "$root/$2" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-16)"
  fi
}

install_npm() {  # FOLDER PACKAGE@VERSION…
  local folder=$1
  shift
  printf '{ "private": true }\n' >"$folder/package.json"
  (cd "$folder" && npm install --ignore-scripts --save-exact --no-audit --no-fund --no-progress --loglevel=error "$@" </dev/null)
}

# Without module cache and proxy: the peers use only the standard library.
install_go() {  # FOLDER SOURCES
  mkdir -p "$1/bin"
  (cd "$root/$2" && GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local CGO_ENABLED=0 go build -o "$1/bin/" ./... </dev/null)
}

# Peers that are compiled. They need more than other peers (another Node, headers), and report missing requirements.
install_script() {  # FOLDER SCRIPT VERSION
  "$root/$2" "$1" "$3" </dev/null
}

install_peer() {  # NAME KIND WHAT NODE
  local name=$1 kind=$2 what=$3 lowest_node=$4 stamp tool new=$peers/.new-$1 begun=$SECONDS
  if [[ $kind == go ]]; then
    [[ -d $root/$what ]] || { complain "$name: its sources, $what, are not there."; return 1; }
    command -v go >/dev/null || { complain "$name: go is not on PATH (Debian: apt-get install golang-go)."; return 1; }
  elif [[ $kind == debian ]]; then
    for tool in apt-get dpkg-deb xz; do
      command -v "$tool" >/dev/null || { say "$name: not installed, there is no $tool here."; return 0; }
    done
  elif ! version_at_least "$(node -p process.versions.node)" "$lowest_node"; then
    say "$name: not installed, needs Node $lowest_node and this is $(node -p process.version)."
    return 0
  fi
  stamp=$(wanted_stamp "$kind" "$what")
  if [[ -f $peers/$name/.installed && $(<"$peers/$name/.installed") == "$stamp" ]]; then
    say "$name: there"
    return 0
  fi
  rm -rf "$new"
  mkdir -p "$new"
  # shellcheck disable=SC2086  # $what is a list of packages, or a path without spaces
  if ! "install_$kind" "$new" $what; then
    rm -rf "$new"
    complain "$name: could not be installed. To repeat it: scripts/peers.sh install $name"
    if [[ $kind == debian || $kind == script ]]; then
      say "$name: tests that need it will be skipped."
      return 0
    fi
    return 1
  fi
  printf '%s\n' "$stamp" >"$new/.installed"
  rm -rf "${peers:?}/$name"
  mv "$new" "$peers/$name"
  say "$name: installed in $(duration $((SECONDS - begun))) ($what)"
}

command=${1:-}
(($#)) && shift
case $command in
  install)
    mkdir -p "$peers"
    # Parallel runs wait for each other.
    exec 9>"$peers/.lock"
    flock 9
    failed=0
    known=' '
    while IFS=$'\t' read -r name kind what lowest_node when _; do
      known+="$name "
      if (($#)); then
        [[ " $* " == *" $name "* ]] || continue
      elif [[ $when == by_hand ]]; then
        continue
      fi
      install_peer "$name" "$kind" "$what" "$lowest_node" || failed=1
    done < <(entries)
    for name in "$@"; do [[ $known == *" $name "* ]] || fail "scripts/peers.json has no peer \"$name\"; there are:$known"; done
    exit "$failed"
    ;;
  list)
    while IFS=$'\t' read -r name kind what _ when why; do
      state='not installed'
      [[ $when == by_hand ]] && state='not installed (by hand)'
      [[ -f $peers/$name/.installed ]] && state=installed
      printf '%-16s %-14s %s\n%-16s %-14s %s\n' "$name" "$state" "$why" '' "$kind" "$what"
    done < <(entries)
    ;;
  -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
