// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/bridge_console.h"

#include <cstdio>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/driver/editor/mode.h"

namespace parlance::app {

BridgeConsole::BridgeConsole(Loop& loop, std::unique_ptr<editor::LineWrites> stream)
    : typed_(loop, most_waiting),
      stream_(stream.get()),
      link_(loop, std::move(stream),
            {.typed = [this](std::string text) { receive(std::move(text)); },
             .context = [this](const editor::ContextChanged& now) { context_ = now; },
             .mentioned =
                 [this](const editor::AtMentioned& lines) {
                   if (mentioned_) mentioned_(lines);
                 },
             .shutdown = [this] { end(); },
             .diagnose = driver::debug_lines(),
             .contents = driver::debug_contents()}) {}

void BridgeConsole::receive(std::string typed) {
  if (trim(typed) == "/stop") {
    if (stop_) stop_();
    return;
  }
  if (!typed_.try_push({.kind = Typed::Kind::text, .text = std::move(typed)}))
    note("(not taken: " + std::to_string(most_waiting) + " lines wait already)");
}
void BridgeConsole::end() { typed_.close(); }

// The first version does not know the call.
Task<Result<void>> BridgeConsole::introduce() {
  PARLANCE_CO_TRY_DO(co_await link_.initialize({.name = "parlance chat", .version = PARLANCE_VERSION}));
  reads_lines();
  co_return Result<void>{};
}

void BridgeConsole::reads_lines() {
  if (std::exchange(reads_lines_, true)) return;
  stream_->reads_lines();
}

void BridgeConsole::send_status(editor::Status now) {
  if (reads_lines_) link_.send_status(std::move(now));
}

void BridgeConsole::text(std::string_view piece) {
  if (reads_lines_) link_.print(piece);
  else std::fprintf(stderr, "%.*s", static_cast<int>(piece.size()), piece.data());
}

Task<Typed> BridgeConsole::line(std::string prompt) {
  text(prompt);
  reading_ = true;
  auto typed = co_await typed_.pop();
  reading_ = false;
  co_return std::move(typed).value_or(Typed{});
}
void BridgeConsole::interrupt() {
  if (reading_) static_cast<void>(typed_.try_push({.kind = Typed::Kind::interrupted}));
}

}  // namespace parlance::app
