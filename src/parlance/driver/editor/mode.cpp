#include "parlance/driver/editor/mode.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "parlance/protocol/editor/line_writes.h"
#include "parlance/transport/stdio.h"

namespace parlance::driver {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

void say(std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }

std::string_view locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const std::string_view value = variable(name); !value.empty()) return value;
  return {};
}

Result<std::unique_ptr<ByteStream>> lines_of_stdio(Loop& loop) {
  PARLANCE_TRY(stream, stdio_stream(loop));
  return editor::line_writes(std::move(stream));
}

struct GlobalClient {
  BridgeClient client{&lines_of_stdio, {.diagnose = debug_lines()}};
  Result<void> started = client.start();
  GlobalClient() {
    std::signal(SIGPIPE, SIG_IGN);  // an editor that has gone is told by the reading side
    if (started) say(started_notice(locale()));
  }
};

}  // namespace

bool is_vscode_mode() {
  constexpr std::string_view wanted = "true";
  return std::ranges::equal(variable("VSCODE_INTEGRATION"), wanted,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string_view started_notice(std::string_view locale) {
  return locale.starts_with("zh") ? "✓ RPC 客户端已启动 (VSCode 集成模式)" : "✓ RPC client started (VSCode integration mode)";
}

std::function<void(std::string_view)> debug_lines() {
  if (variable("DEBUG_AGENT").empty()) return {};
  return say;
}

Result<BridgeClient*> get_client() {
  if (!is_vscode_mode()) return fail(Errc::invalid_request, "Not in VSCode integration mode");
  static const bool at_terminal = ::isatty(0) != 0;  // before the client takes stdin
  if (at_terminal)
    return fail(Errc::invalid_request,
                "stdin is a terminal, which cannot carry the bridge: start this program from the editor, or unset "
                "VSCODE_INTEGRATION");
  static GlobalClient global;
  if (!global.started) return std::unexpected(global.started.error());
  return &global.client;
}

Result<std::string> send_vscode_request(std::string method, std::string params_json, std::chrono::milliseconds timeout) {
  PARLANCE_TRY(client, get_client());
  return client->send_request(std::move(method), std::move(params_json), timeout);
}

}  // namespace parlance::driver
