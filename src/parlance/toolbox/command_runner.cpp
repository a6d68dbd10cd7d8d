// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/command_runner.h"

#include <algorithm>
#include <csignal>
#include <vector>

#include "parlance/toolbox/utf8_pieces.h"
#include "parlance/workspace/limits.h"

namespace parlance::toolbox {

ChildSettings command_child(const workspace::CommandRequest& request) {
  ChildSettings settings{.folder = request.folder, .folder_links = FolderLinks::refused};
  if (request.plain) {
    settings.command = {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
    settings.command.insert(settings.command.end(), request.plain->words.begin(), request.plain->words.end());
    settings.environment = request.plain->environment;
  } else {
    settings.command = {"/bin/sh", "-c", "exec 2>&1\n" + request.command};
    settings.unset = {
        "PARLANCE_*"};  // a parlance started by a command uses the settings of its folder, not those of this gateway
  }
  settings.stdin_from = ChildSettings::Stdin::null;
  return settings;
}

namespace {

class ShellRunner final : public workspace::CommandRunner {
 public:
  explicit ShellRunner(Loop& loop) : loop_(loop) {}

  Task<Result<workspace::CommandResult>> run(workspace::CommandRequest request, hub::ToolOutputSink output) override {
    PARLANCE_CO_TRY(child, ChildProcess::start(loop_, command_child(request)));
    const auto stream = child->take_stream();

    workspace::CommandOutput collected(limits::command_output_bytes);
    StreamedOutput streamed{output, limits::command_output_bytes / 2};
    const auto ended = co_await with_deadline(loop_, request.timeout.count() > 0 ? loop_.now() + request.timeout : never,
                                              read_to_the_end(*child, *stream, collected, streamed));
    workspace::CommandResult result;
    if (!ended) {
      result.timed_out = true;
      child->signal_group(SIGKILL);
    }
    const ExitStatus status = co_await child->wait();
    if (status.signal != 0) result.signal = status.signal;
    else result.exit_status = status.code;
    if (result.timed_out) result.exit_status.reset();
    result.output = collected.text();
    result.cut = collected.cut();
    co_return result;
  }

 private:
  // Streams only the kept beginning of the output, so that a flood costs no more than its limit.
  struct StreamedOutput {
    hub::ToolOutputSink& sink;
    std::size_t left;
    Utf8Pieces pieces{};
    void add(std::string_view piece) {
      if (left == 0 || !sink) return;
      const std::string whole = pieces.add(piece.substr(0, left));
      left -= std::min(left, piece.size());
      if (!whole.empty()) sink(whole);
    }
  };

  // A command may close its output and continue: only its exit is its end.
  static Task<Result<void>> read_to_the_end(ChildProcess& child, ByteStream& stream, workspace::CommandOutput& into,
                                            StreamedOutput& streamed) {
    std::vector<char> buffer(16 << 10);
    for (;;) {
      const auto got = co_await read_some(stream, buffer);
      if (!got || *got == 0) {
        static_cast<void>(co_await child.wait());
        co_return Result<void>{};
      }
      const std::string_view piece(buffer.data(), *got);
      into.add(piece);
      streamed.add(piece);
    }
  }

  Loop& loop_;
};

}  // namespace

std::unique_ptr<workspace::CommandRunner> command_runner(Loop& loop) { return std::make_unique<ShellRunner>(loop); }

}  // namespace parlance::toolbox
