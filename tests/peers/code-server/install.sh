#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs code-server, a VS Code without a screen, into a folder.
#
#   tests/peers/code-server/install.sh FOLDER VERSION
#
# No install script of a package runs, because such scripts download programs from other places than the npm registry. This script replaces
# them: dependencies of VS Code, five native modules compiled against the headers of the present Node, Debian's ripgrep, and three links.
# Dependencies of the built-in extensions are omitted.
set -euo pipefail
folder=$1 version=$2

for tool in node npm make g++ python3; do
  command -v "$tool" >/dev/null || { echo "$tool is not on PATH (Debian: apt-get install nodejs npm g++ make python3)" >&2; exit 1; }
done
[[ $(node -p 'process.versions.node.split(".")[0]') == 20 ]] || { echo "code-server $version runs on Node 20 alone, and this is $(node --version)" >&2; exit 1; }
ripgrep=$(command -v rg) || { echo 'rg is not on PATH (Debian: apt-get install ripgrep)' >&2; exit 1; }
[[ -f /usr/include/gssapi/gssapi.h ]] || { echo 'gssapi.h is not there (Debian: apt-get install libkrb5-dev)' >&2; exit 1; }
headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
[[ -f $headers/include/node/node_api.h ]] || { echo "Node's headers are not below $headers/include/node" >&2; exit 1; }
gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
[[ -f $gyp ]] || gyp=/usr/share/nodejs/node-gyp/bin/node-gyp.js
[[ -f $gyp ]] || { echo 'node-gyp is not there (Debian: apt-get install node-gyp)' >&2; exit 1; }

quiet=(--ignore-scripts --no-audit --no-fund --no-progress --omit=dev --loglevel=error)
cd "$folder"
printf '{ "private": true }\n' >package.json
npm install "${quiet[@]}" --save-exact "code-server@$version" </dev/null
server=$folder/node_modules/code-server
vscode=$server/lib/vscode
cd "$vscode"
npm install "${quiet[@]}" </dev/null

compile() {  # FOLDER COMMAND…
  (cd "$1" && "${@:2}" >build.log 2>&1) || { tail -n 20 "$1/build.log" >&2; exit 1; }
}
for module in @vscode/spdlog native-watchdog node-pty kerberos; do
  compile "node_modules/$module" node "$gyp" rebuild "--nodedir=$headers" -j "$(nproc)"
done
npm_config_nodedir=$headers compile "$folder/node_modules/argon2" ../.bin/node-pre-gyp rebuild --build-from-source "--nodedir=$headers"

mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$ripgrep" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh

find "$folder/node_modules" -type d -name obj.target -prune -exec rm -rf {} +
find "$server" -name '*.map' -delete
HOME=$folder node "$server" --version
rm -rf "$folder/.config" "$folder/.local"
