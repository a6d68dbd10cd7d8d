#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program of examples/.   examples.sh NAME FOLDER_OF_EXAMPLES SOURCE_FOLDER FOLDER_OF_PROGRAMS
set -euo pipefail
name=$1 example=$2/$1 source=$3 programs=$4

# wants TEXT PART…: the text contains each part, in this order.
wants() {
  local text=$1 part
  shift
  for part in "$@"; do
    [[ $text == *"$part"* ]] || { printf '%s: no "%s" in:\n%s\n' "$name" "$part" "$text" && exit 1; }
    text=${text#*"$part"}
  done
}
needs() { command -v "$1" >/dev/null || { echo "no $1 here" && exit 77; }; }

run_gob_dump() {
  local file said count=0
  for file in "$source"/fuzz/corpus/gob_decoder/*; do
    said=$("$example" "$file")
    [[ $said == "$("$programs/parlance" gob dump --text "$file")" ]] || { echo "$file: another dump than that of parlance" && exit 1; }
    [[ $said != *" struct { "* ]] || count=$((count + 1))
  done
  ((count > 0)) || { echo "no stream defined a struct" && exit 1; }
  if "$example" /no/such/file 2>/dev/null; then exit 1; fi
}

run_net_rpc_server() {
  local address server
  exec {out}< <(exec "$example")
  server=$!
  read -r -u "$out" -t 20 address
  wants "$("$programs/parlance" rpc call "$address" Arith.Multiply '{"A":6,"B":7}' --codec json)" 42
  wants "$("$programs/parlance" rpc call "$address" Arith.Multiply '{"A":9223372036854775807,"B":2}' --codec json 2>&1 || true)" 'too large'
  wants "$("$programs/parlance" rpc call "$address" Arith.Divide '{}' --codec json 2>&1 || true)" "rpc: can't find"
  if command -v go >/dev/null; then
    wants "$(cd "$source/tests/package" && GOCACHE=$programs/../go-cache GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local go run multiply.go "${address#tcp:}")" 'gob: 42'
  fi
  kill "$server"
  wait "$server" || true
}

run_jsonrpc_peer() {
  local line
  coproc peer { "$example"; }
  echo '{"jsonrpc":"2.0","id":"a","method":"greet"}' >&"${peer[1]}"
  read -r -u "${peer[0]}" -t 20 line
  wants "$line" '"id":1' '"method":"name"'
  echo '{"jsonrpc":"2.0","id":1,"result":{"text":"Ada"}}' >&"${peer[1]}"
  read -r -u "${peer[0]}" -t 20 line
  wants "$line" '"id":"a"' 'Hello, Ada'
  line=${peer[1]}
  exec {line}>&- # its input ends, and so does it
  wait "$peer_PID"
}

run_mcp_server() {
  wants "$("$programs/mcp_fixture_client" -- "$example")" 'word-counter' 'tools/list: 1' 'tools/call count:'
  local said
  said=$(printf '%s\n' \
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' \
    '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{"text":"one two  three"}}}' \
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"count","arguments":{}}}' | "$example")
  wants "$said" '"serverInfo"' 'word-counter'
  wants "$said" '"words":3' '"bytes":14'
  wants "$said" '$.text: missing'
}

run_claude_host() {
  needs node
  local said
  said=$(FAKE_SCRIPT=permission "$example" 'go' node "$source/tests/peers/claude/fake_agent.mjs")
  wants "$said" 'allowed: Bash {"command":"ls"}' 'denied: Bash {"command":"rm -rf x"}'
  wants "$(FAKE_SCRIPT='echo' "$example" 'go' node "$source/tests/peers/claude/fake_agent.mjs")" 'says: ' hello
  if said=$("$example" 'go' /no/such/program 2>&1); then echo "it started what is not there" && exit 1; fi
  wants "$said" '/no/such/program'
}

run_iflow_query() {
  needs node
  local peer=${PARLANCE_PEERS:-$source/.peers}/iflow-sdk line agent
  [[ -d $peer/node_modules/ws ]] || { echo "no $peer: scripts/peers.sh install iflow-sdk" && exit 77; }
  exec {out}< <(IFLOW_PEER=$peer exec node "$source/tests/peers/acp/mock-iflow/server.mjs" --ready-delay 0)
  agent=$!
  read -r -u "$out" -t 20 line
  wants "$("$example" 'hello' "${line#listening on }")" 'echo: hello'
  wants "$("$example" 'scenario:permission' "${line#listening on }")" 'Shell: ls: Yes, allow once' proceed_once
  kill "$agent"
  wait "$agent" || true
  if line=$("$example" 'hello' "${line#listening on }" 2>&1); then echo "it asked nobody" && exit 1; fi
  wants "$line" 'Failed to connect'
}

"run_$name" "$@"
