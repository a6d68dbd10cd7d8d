// SPDX-License-Identifier: Apache-2.0
// A person at an editor: typed text arrives over the bridge, and output goes there, as text between the messages, once the editor
// has answered `initialize` and thus reads lines. Editors of the first version take all stdout for messages; for these, text goes
// to stderr, and they receive only answers. Loop thread only.
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
  void send_status(editor::Status now);
  hub::Editor& editor() { return link_.editor(); }
  // The person's current view by the editor's last report; null before the first.
  const editor::ContextChanged* context() const { return context_ ? &*context_ : nullptr; }
  void on_stop(std::function<void()> handler) { stop_ = std::move(handler); }  // the person typed /stop
  void on_mention(std::function<void(const editor::AtMentioned&)> handler) { mentioned_ = std::move(handler); }
  void end();  // the editor has gone: no further input

  Task<Typed> line(std::string prompt) override;
  Task<Typed> key(std::string prompt) override { return line(std::move(prompt)); }
  void interrupt() override;

  void text(std::string_view piece) override;
  void note(std::string_view line) override { text(std::string(line) + '\n'); }
  bool text_in_terminal() const override { return false; }
  bool notes_in_terminal() const override { return false; }

 private:
  void receive(std::string typed);
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
