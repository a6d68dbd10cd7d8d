// SPDX-License-Identifier: Apache-2.0
// Drives Claude Code: sends one prompt, says what it may do, prints what it says.
//
//   claude_host "what does this folder hold?" claude
#include <iostream>

#include "parlance/async/signals.h"
#include "parlance/protocol/claude/host.h"

using namespace parlance;

struct Person final : claude::HostHandler {
  void on_line(const claude::StreamLine& line) override {
    if (line.type == "assistant") std::cout << "says: " << line.message << '\n';
  }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
    const bool looks = request.tool_name == "Read" || request.input.json.contains("\"ls\"");
    std::cout << (looks ? "allowed: " : "denied: ") << request.tool_name << ' ' << request.input.json << '\n';
    if (looks) co_return claude::Allow{};
    co_return claude::Deny{.message = "only looking is allowed"};
  }
};

Task<void> converse(claude::Host& host, std::string prompt) {
  if (const auto sent = host.send_text(prompt); !sent) std::cerr << sent.error().message << '\n';
  co_await host.idle();
  co_await host.stop();
}

int main(int count, char** arguments) {
  if (count < 3) return std::cerr << "usage: claude_host PROMPT PROGRAM [ARGUMENTS…]\n", 2;
  ignore_sigpipe();
  Loop loop;
  Person person;
  auto host = claude::Host::spawn(loop, {.command = {arguments + 2, arguments + count}}, person);
  if (!host) return std::cerr << host.error().message << '\n', 1;
  Scope scope(loop);  // owns what runs beside: the reading
  scope.start([](claude::Host& of) -> Task<void> { co_await of.run(); }(**host));
  loop.block_on(converse(**host, arguments[1]));
}
