// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/terminals.h"

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

#include "parlance/base/secret.h"
#include "parlance/base/utf8.h"
#include "parlance/process/strays.h"
#include "parlance/toolbox/utf8_pieces.h"

namespace parlance::toolbox {
namespace {

// The end of the output. Old output is dropped in large steps, so that a flood costs no more than its bytes.
class Tail {
 public:
  explicit Tail(std::size_t most) : most_(most) {}
  void add(std::string_view piece) {
    text_ += piece;
    if (text_.size() <= 2 * most_ + step) return;
    text_.erase(0, text_.size() - most_);
    cut_ = true;
  }
  bool cut() const { return cut_ || text_.size() > most_; }
  std::string text() const {
    std::string_view end = text_;
    if (end.size() > most_) end.remove_prefix(end.size() - most_);
    if (cut())  // not in the middle of a character
      for (int i = 0; i < 3 && !end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0) == 0x80; ++i)
        end.remove_prefix(1);
    return to_valid_utf8(end);
  }

 private:
  static constexpr std::size_t step = 64 << 10;
  std::size_t most_;
  bool cut_ = false;
  std::string text_;
};

}  // namespace

struct Terminals::Terminal {
  Terminal(Loop& loop, std::size_t most) : output(most), ended(loop) {}
  Tail output;
  hub::ToolOutputSink on_output;
  std::optional<hub::TerminalExit> exit;
  Signal ended;
  std::unique_ptr<ByteStream> stream;
  std::unique_ptr<ChildProcess> child;
};

Terminals::Terminals(Loop& loop) : loop_(loop), mark_(make_child_mark()), scope_(loop) {}

Terminals::~Terminals() {
  scope_.cancel();
  terminals_.clear();
  if (any_) kill_strays(child_mark_variable, mark_);
}

Result<std::string> Terminals::start(ChildSettings settings, std::size_t output_bytes, hub::ToolOutputSink on_output) {
  if (full()) return fail(Errc::overloaded, "there are " + std::to_string(terminals_at_once) + " terminals already: release one");
  if (settings.environment) settings.environment->emplace_back(child_mark_variable, mark_);
  else settings.set.emplace_back(child_mark_variable, mark_);
  settings.stdin_from = ChildSettings::Stdin::null;
  PARLANCE_TRY(child, ChildProcess::start(loop_, std::move(settings)));
  const auto terminal = std::make_shared<Terminal>(loop_, output_bytes);
  terminal->on_output = std::move(on_output);
  terminal->stream = child->take_stream();
  terminal->child = std::move(child);
  std::string id = make_id("terminal_");
  terminals_.emplace(id, terminal);
  any_ = true;
  scope_.start(pump(terminal));
  return id;
}

Task<void> Terminals::pump(std::shared_ptr<Terminal> terminal) {
  std::vector<char> buffer(16 << 10);
  Utf8Pieces pieces;
  for (;;) {
    const auto got = co_await read_some(*terminal->stream, buffer);
    if (!got || *got == 0) break;
    const std::string_view piece(buffer.data(), *got);
    terminal->output.add(piece);
    if (terminal->on_output)
      if (const std::string whole = pieces.add(piece); !whole.empty()) terminal->on_output(whole);
  }
  const ExitStatus status = co_await terminal->child->wait();
  hub::TerminalExit exit;
  if (status.signal != 0) exit.signal = status.signal;
  else exit.code = status.code;
  terminal->exit = exit;
  terminal->on_output = {};
  terminal->ended.notify_all();
}

Result<std::shared_ptr<Terminals::Terminal>> Terminals::find(const std::string& id) const {
  const auto found = terminals_.find(id);
  if (found == terminals_.end()) return fail(Errc::not_found, "Terminal not found: " + id);
  return found->second;
}

Result<hub::TerminalOutput> Terminals::output(const std::string& id) const {
  PARLANCE_TRY(terminal, find(id));
  return hub::TerminalOutput{.text = terminal->output.text(), .truncated = terminal->output.cut(), .exit = terminal->exit};
}

Task<Result<hub::TerminalExit>> Terminals::wait(std::string id) {
  PARLANCE_CO_TRY(terminal, find(id));
  while (!terminal->exit) co_await terminal->ended.wait();
  co_return *terminal->exit;
}

Result<void> Terminals::kill(const std::string& id) {
  PARLANCE_TRY(terminal, find(id));
  terminal->child->signal_group(SIGKILL);
  return {};
}

// Waiters still receive its last output and its end.
Result<void> Terminals::release(const std::string& id) {
  PARLANCE_TRY_DO(kill(id));
  terminals_.erase(id);
  return {};
}

}  // namespace parlance::toolbox
