#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fills build/sysroot/ARCHITECTURE with Debian 12's headers and libraries for a cross build, cmake/linux_ARCHITECTURE.cmake.
# The packages are the libraries of the sets `build` and `test` in scripts/packages.txt. Does nothing if the folder already has them. Needs root.
#   scripts/sysroot.sh arm64
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

architecture=${1:-}
[[ $architecture == arm64 ]] || fail "usage: scripts/sysroot.sh arm64"
folder=$root/build/sysroot/$architecture
packages=$(awk -F'|' '$1 ~ /^(build|test) *$/ { split($2, names, ","); gsub(/ /, "", names[1]); if (names[1] ~ /^lib[^@]*-dev$/) print names[1] }' \
  "$root/scripts/packages.txt" | paste -sd,),libstdc++-12-dev
[[ -f $folder.packages && $(<"$folder.packages") == "$packages" ]] && exit 0
command -v debootstrap >/dev/null || [[ -x /usr/sbin/debootstrap ]] || fail "debootstrap is not installed: apt-get install debootstrap"
((EUID == 0)) || fail "debootstrap needs root: run scripts/sysroot.sh as root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "Fetching headers and libraries for $architecture …"
PATH=$PATH:/usr/sbin debootstrap --foreign --arch="$architecture" --variant=minbase --include="$packages" bookworm "$work/system" \
  "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$work/log" 2>&1 || {
  tail -n 20 "$work/log" >&2
  fail "debootstrap found no packages for $architecture. DEBIAN_MIRROR names the mirror"
}
rm -rf "$folder"
mkdir -p "$folder"
# The list of packages has dpkg's form: packaging/release/notices.mjs asks dpkg-query for the package of a file.
database=$folder/var/lib/dpkg
mkdir -p "$database/info" "$database/updates"
echo 1 >"$database/info/format"
for package in "$work"/system/var/cache/apt/archives/*.deb; do
  dpkg-deb --extract "$package" "$folder"
  { dpkg-deb --field "$package" && echo 'Status: install ok installed' && echo; } >>"$database/status"
  name=$(dpkg-deb --field "$package" Package)
  [[ $(dpkg-deb --field "$package" Multi-Arch) != same ]] || name+=:$architecture
  dpkg-deb --fsys-tarfile "$package" | tar --list | sed -E 's#^\.(.*[^/])?/?$#\1#; s#^$#/.#' >"$database/info/$name.list"
done
# A linker follows absolute links on this machine, not in the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
  ln --symbolic --relative --force --no-dereference "$folder$(readlink "$link")" "$link"
done
printf '%s\n' "$packages" >"$folder.packages"
say "${folder#"$root"/}: $(du -sm "$folder" | cut -f1) MB"
