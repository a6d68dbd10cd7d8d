// SPDX-License-Identifier: Apache-2.0
// A person at an editor: what they type arrives over the bridge, what is told to them goes there: as text between the messages, once the
// editor has shown that it reads lines: it has answered `initialize`. Editors of the first version take whatever is on stdout for a message;
// for them text goes to stderr, which they show, and they are told no more than they are asked. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/paper.h"
#include "parlance/async/channel.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/protocol/editor/line_writes.h"

namespace parlance::app {

class BridgeConsole final : public Console, public Paper {
 public:
  BridgeConsole(Loop& loop, std::unique_ptr<editor::LineWrites> stream);

  Task<Error> run() { return link_.run(); }
  Task<Result<void>> introduce();
  void tell_status(editor::Status now);
  hub::Editor& editor() { return link_.editor(); }
  // What is in front of the person now, as the editor told it last; null before it did.
  const editor::ContextChanged* context() const { return context_ ? &*context_ : nullptr; }
  void on_stop(std::function<void()> heard) { stop_ = std::move(heard); }  // the person typed /stop
  void on_mention(std::function<void(const editor::AtMentioned&)> heard) { mentioned_ = std::move(heard); }
  void end();  // the editor has gone: nothing is typed any more

  Task<Typed> line(std::string prompt) override;
  Task<Typed> key(std::string prompt) override { return line(std::move(prompt)); }
  void interrupt() override;

  void text(std::string_view piece) override;
  void note(std::string_view line) override { text(std::string(line) + '\n'); }
  bool text_in_terminal() const override { return false; }
  bool notes_in_terminal() const override { return false; }

 private:
  void heard(std::string typed);
  void reads_lines();

  static constexpr std::size_t most_waiting = 1000;  // lines typed while an agent speaks

  Channel<Typed> typed_;
  std::function<void()> stop_{};
  std::function<void(const editor::AtMentioned&)> mentioned_{};
  std::optional<editor::ContextChanged> context_{};
  bool reading_ = false;
  bool reads_lines_ = false;
  editor::LineWrites* stream_;  // the link's
  driver::EditorLink link_;
};

}  // namespace parlance::app
