// A person at an editor: what they type arrives over the bridge, what is told to them goes there. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/paper.h"
#include "parlance/async/channel.h"
#include "parlance/driver/editor/editor_link.h"

namespace parlance::app {

class BridgeConsole final : public Console, public Paper {
 public:
  BridgeConsole(Loop& loop, std::unique_ptr<ByteStream> stream);

  Task<Error> run() { return link_.run(); }
  hub::Editor& editor() { return link_.editor(); }
  driver::EditorLink& link() { return link_; }
  // What is in front of the person now, as the editor told it last; null before it did.
  const editor::ContextChanged* context() const { return context_ ? &*context_ : nullptr; }
  void on_stop(std::function<void()> heard) { stop_ = std::move(heard); }  // the person typed /stop
  void end();                                                              // the editor has gone: nothing is typed any more

  Task<Typed> line(std::string prompt) override;
  Task<Typed> key(std::string prompt) override { return line(std::move(prompt)); }
  void interrupt() override;

  void text(std::string_view piece) override { link_.print(piece); }
  void note(std::string_view line) override { link_.print(std::string(line) + '\n'); }
  bool text_in_terminal() const override { return false; }
  bool notes_in_terminal() const override { return false; }

 private:
  void heard(std::string typed);

  static constexpr std::size_t most_waiting = 1000;  // lines typed while an agent speaks

  Channel<Typed> typed_;
  std::function<void()> stop_{};
  std::optional<editor::ContextChanged> context_{};
  bool reading_ = false;
  driver::EditorLink link_;
};

}  // namespace parlance::app
