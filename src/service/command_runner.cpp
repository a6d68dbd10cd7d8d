#include "service/command_runner.h"

#include <csignal>
#include <vector>

#include "base/limits.h"
#include "base/utf8.h"
#include "transport/child_process.h"

extern char** environ;

namespace parlance::service {
namespace {

bool is_secret(std::string_view name) {
  for (const std::string_view ending : {"_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_ACCESS_KEY"})
    if (name.ends_with(ending)) return true;
  return name.starts_with("PARLANCE_") || name == "API_KEY" || name == "TOKEN";
}

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> kept;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || is_secret(entry.substr(0, equals))) continue;
    kept.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return kept;
}

class ShellRunner final : public hub::CommandRunner {
 public:
  explicit ShellRunner(Loop& loop) : loop_(loop) {}

  Task<Result<hub::CommandResult>> run(hub::CommandRequest request, hub::ToolOutputSink output) override {
    ChildSettings settings{.folder = request.folder};
    if (request.plain) {
      settings.command = {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
      settings.command.insert(settings.command.end(), request.plain->words.begin(), request.plain->words.end());
      settings.environment = request.plain->environment;
    } else {
      settings.command = {"/bin/sh", "-c", "exec 2>&1\n" + request.command};
      settings.environment = environment();
    }
    settings.stdin_from = ChildSettings::Stdin::null;
    PARLANCE_CO_TRY(child, ChildProcess::start(loop_, std::move(settings)));
    const auto stream = child->take_stream();

    hub::CommandOutput collected(limits::command_output_bytes);
    Told told{output, limits::command_output_bytes / 2};
    const auto ended = co_await with_deadline(loop_, request.timeout.count() > 0 ? loop_.now() + request.timeout : never,
                                              read_to_the_end(*child, *stream, collected, told));
    hub::CommandResult result;
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
  // Only what the kept beginning will hold is told while it runs, so that a flood costs no more than its limit.
  struct Told {
    hub::ToolOutputSink& sink;
    std::size_t left;
    std::string held{};  // a character that is not complete yet
    void add(std::string_view piece) {
      if (left == 0 || !sink) return;
      held += piece.substr(0, left);
      left -= std::min(left, piece.size());
      const std::string_view whole = complete(held);
      if (whole.empty()) return;
      sink(to_valid_utf8(whole));  // as the whole output will be told
      held.erase(0, whole.size());
    }
    static std::string_view complete(std::string_view text) {
      std::size_t end = text.size();
      for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const std::size_t needs = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        if (needs > back) end = text.size() - back;
        break;
      }
      return text.substr(0, end);
    }
  };

  // A command may close its output and go on: it has ended when it has ended.
  static Task<Result<void>> read_to_the_end(ChildProcess& child, ByteStream& stream, hub::CommandOutput& into, Told& told) {
    std::vector<char> buffer(16 << 10);
    for (;;) {
      const auto got = co_await read_some(stream, buffer);
      if (!got || *got == 0) {
        static_cast<void>(co_await child.wait());
        co_return Result<void>{};
      }
      const std::string_view piece(buffer.data(), *got);
      into.add(piece);
      told.add(piece);
    }
  }

  Loop& loop_;
};

}  // namespace

std::unique_ptr<hub::CommandRunner> command_runner(Loop& loop) { return std::make_unique<ShellRunner>(loop); }

}  // namespace parlance::service
