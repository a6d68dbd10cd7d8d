// SPDX-License-Identifier: Apache-2.0
// An ACP agent sends a gibibyte in a single turn, and the page does not read. The agent waits, and the gateway's memory stays
// bounded.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

// 16,384 updates of 64 KiB, each a line, at the speed of the pipe; then the end of the turn.
constexpr std::string_view agent = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  (*'"method":"session/prompt"'*)
    awk 'BEGIN {
      text = "x"
      for (i = 0; i < 16; ++i) text = text text
      for (i = 0; i < 16384; ++i)
        print "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"" text "\"}}}}"
    }'
    printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$id"
    echo done > told ;;
  esac
done
)sh";

class AcpFlood : public ConversationsTest {
 protected:
  static long kib(pid_t process, std::string_view what) {
    const std::string status = read_file("/proc/" + std::to_string(process) + "/status");
    const std::size_t at = status.find(std::string(what) + ":");
    return at == std::string::npos ? 0 : std::strtol(status.c_str() + at + what.size() + 1, nullptr, 10);
  }
  // A page that sends a request without reading.
  std::unique_ptr<WebSocketFrames> silent_page() {
    auto frames =
        get(connect_websocket(loop, {.url = "ws" + base.substr(4) + "ws", .subprotocols = {"parlance.v1", "token." + token}}));
    if (!frames) throw std::runtime_error(frames.error().message);
    return *std::move(frames);
  }
};

TEST_F(AcpFlood, AGibibyteWithAPageThatDoesNotRead) {
  std::filesystem::create_directories(work());
  write_file(path("agent.sh"), agent);
  write_file(path("acp.toml"), "[agents.flood]\ncommand = [\"/bin/sh\", \"" + path("agent.sh") + "\"]\n");
  start_up({"--config", path("acp.toml")});
  const pid_t gateway = service_pid("gateway");
  std::string id;
  {
    const auto page = connect();
    id = text_at(done(*page, "new", R"("agent":"flood","folder":")" + work() + "\""), {"conversation", "id"});
  }
  const auto silent = silent_page();
  static_cast<void>(silent->send(R"({"type":"ready"})"));
  static_cast<void>(silent->send(R"({"type":"open","request":"1","conversation":")" + id + R"(","after":0})"));
  static_cast<void>(silent->send(R"({"type":"prompt","request":"2","conversation":")" + id + R"(","text":"go"})"));
  until_file(work() + "/told", [&] { return std::filesystem::exists(work() + "/told"); }, "a gibibyte told");
  EXPECT_LT(kib(gateway, "VmHWM"), 160 << 10) << "KiB at the most";

  // The store loses no update: a later reader finds all.
  std::uintmax_t kept = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(state()))
    if (file.is_regular_file()) kept += file.file_size();
  EXPECT_GT(kept, std::uintmax_t{1} << 30);
}

}  // namespace
}  // namespace parlance::test
