#include "apps/parlance/chat/bridge_console.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/driver/editor/mode.h"

namespace parlance::app {

BridgeConsole::BridgeConsole(Loop& loop, std::unique_ptr<ByteStream> stream)
    : typed_(loop, most_waiting),
      link_(loop, std::move(stream),
            {.typed = [this](std::string text) { heard(std::move(text)); },
             .context = [this](const editor::ContextChanged& now) { context_ = now; },
             .shutdown = [this] { end(); },
             .diagnose = driver::debug_lines(),
             .contents = driver::debug_contents()}) {}

void BridgeConsole::heard(std::string typed) {
  if (trim(typed) == "/stop") {
    if (stop_) stop_();
    return;
  }
  if (!typed_.try_push({.kind = Typed::Kind::text, .text = std::move(typed)}))
    note("(not taken: " + std::to_string(most_waiting) + " lines wait already)");
}
void BridgeConsole::end() { typed_.close(); }

Task<Typed> BridgeConsole::line(std::string prompt) {
  link_.print(prompt);
  reading_ = true;
  auto typed = co_await typed_.pop();
  reading_ = false;
  co_return std::move(typed).value_or(Typed{});
}
void BridgeConsole::interrupt() {
  if (reading_) static_cast<void>(typed_.try_push({.kind = Typed::Kind::interrupted}));
}

}  // namespace parlance::app
