// SPDX-License-Identifier: Apache-2.0
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

// Reads the environment directly: the C library supports only installed locales.
std::string_view locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const std::string_view value = variable(name); !value.empty()) return value;
  return {};
}

Result<std::unique_ptr<ByteStream>> lines_of_stdio(Loop& loop) {
  PARLANCE_TRY(stream, stdio_stream(loop));
  return editor::line_writes(loop, std::move(stream));
}

struct GlobalClient {
  BridgeClient client;
  Result<void> started = client.start();

  explicit GlobalClient(WindowSettings window) : client(std::move(window)) { report_start(); }
  explicit GlobalClient(EditorHandlers handlers) : client(&lines_of_stdio, std::move(handlers)) { report_start(); }

  void report_start() const {
    std::signal(SIGPIPE, SIG_IGN);  // the reading side reports the editor's end
    if (started) say(started_notice());
  }
};

EditorHandlers debug_handlers() { return {.diagnose = debug_lines(), .contents = debug_contents()}; }

std::unexpected<Error> no_bridge() {
  if (!is_vscode_mode()) return fail(Errc::invalid_request, "Not in VSCode integration mode");
  return fail(Errc::invalid_request,
              "stdin is a terminal, which cannot carry the bridge: start this program from the editor or in a terminal of the "
              "editor's window (PARLANCE_EDITOR_SOCKET), or unset VSCODE_INTEGRATION");
}

}  // namespace

bool is_vscode_mode() {
  constexpr std::string_view wanted = "true";
  return std::ranges::equal(variable("VSCODE_INTEGRATION"), wanted,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string_view started_notice() {
  return locale().starts_with("zh") ? "✓ RPC 客户端已启动 (VSCode 集成模式)" : "✓ RPC client started (VSCode integration mode)";
}
std::string_view no_response_notice() { return locale().starts_with("zh") ? "VSCode 没有响应" : "VSCode does not respond"; }

std::function<void(std::string_view)> debug_lines() {
  if (variable("DEBUG_AGENT").empty()) return {};
  return say;
}

bool debug_contents() { return variable("DEBUG_AGENT") == "2"; }

Result<BridgeClient*> get_client() {
  static const bool at_terminal = ::isatty(0) != 0;  // evaluated before the client reads stdin
  const bool over_stdio = is_vscode_mode() && !at_terminal;
  WindowSettings window{.ours = {.name = "parlance library"}, .handlers = debug_handlers()};
  if (!over_stdio) {
    PARLANCE_TRY(announced, announced_window());
    if (!announced) return no_bridge();
    window.address = *std::move(announced);
  }
  static GlobalClient global = over_stdio ? GlobalClient(debug_handlers()) : GlobalClient(std::move(window));
  if (!global.started) return std::unexpected(global.started.error());
  return &global.client;
}

Result<std::string> send_vscode_request(std::string method, std::string params_json, std::chrono::milliseconds timeout) {
  PARLANCE_TRY(client, get_client());
  auto answer = client->send_request(std::move(method), std::move(params_json), timeout);
  if (!answer && is_no_response(answer.error())) say(no_response_notice());
  return answer;
}

}  // namespace parlance::driver
