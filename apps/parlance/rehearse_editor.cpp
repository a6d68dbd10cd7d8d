// parlance rehearse editor: an editor that is a folder, for an agent that speaks the editor bridge. It starts the agent as an editor does,
// answers what it asks, and shows what passes.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/rehearse/folder_editor.h"
#include "parlance/async/scope.h"
#include "parlance/face/editor/editor_over_bridge.h"
#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

struct Rehearsal {
  std::string folder = ".";
  std::string active;
  std::string selection;
  std::string decide = "accept";
  bool quiet = false;
};

void show(std::string_view mark, std::string_view line) {
  std::fprintf(stderr, "%.*s %.*s\n", static_cast<int>(mark.size()), mark.data(), static_cast<int>(line.size()), line.data());
}

// Lines of the bridge, each shown as it passes.
class ShownLines final : public Framing {
 public:
  Step next(BytesView buffered, bool at_end) override {
    Step step = lines_.next(buffered, at_end);
    if (step.kind == Step::complete && step.frame.starts_with('{')) show("<", step.frame);
    return step;
  }
  void begin(std::string& out) override { lines_.begin(out); }
  Result<void> end(std::string& out, std::size_t begun_at) override {
    show(">", BytesView(out).substr(begun_at));
    return lines_.end(out, begun_at);
  }

 private:
  editor::SharedLineFraming lines_;
};

class RehearsedEditor {
 public:
  explicit RehearsedEditor(const Rehearsal& wanted)
      : wanted_(wanted),
        editor_({.folder = std::filesystem::absolute(wanted.folder).string(),
                 .active = wanted.active,
                 .selection = wanted.selection,
                 .decide =
                     [this](const std::string& what) {
                       show(wanted_.decide == "accept" ? "accepted:" : "rejected:", what);
                       return wanted_.decide == "accept";
                     },
                 .tell = [](const std::string& what) { show("editor:", what); }}) {
    face::serve_editor(router_, editor_, {.name = "parlance rehearse", .version = PARLANCE_VERSION});
    router_.on(editor::method::status, [](const editor::Status& status, Context&) { show("status:", status.text.value_or("")); });
    router_.on(editor::method::log, [](const editor::Log& log, Context&) { show("log:", log.message); });
  }

  int run(const Words& command) { return loop_.block_on(live(command)); }

 private:
  Task<int> live(const Words& command) {
    ChildSettings settings{.command = command, .folder = wanted_.folder, .set = {{"VSCODE_INTEGRATION", "true"}}};
    settings.on_stderr_line = [](BytesView line) { show("stderr:", line); };
    auto child = ChildProcess::start(loop_, std::move(settings));
    if (!child) co_return complain(child.error(), ExitCode::not_started);
    const bool person = ::isatty(0) != 0;
    auto terminal = stdio_stream(loop_);
    if (!terminal) co_return complain(terminal.error());
    here_ = framed_stream(loop_, *std::move(terminal), line_framing(editor::limits::line_bytes));
    Peer peer(loop_, framed_stream(loop_, (*child)->take_stream(), lines()),
              editor::dialect({.text = [this](std::string_view line) { static_cast<void>(here_->send(line)); }}), router_);
    Scope scope(loop_);
    scope.start(type(peer, person));
    static_cast<void>(co_await peer.run());
    const ExitStatus status = co_await (*child)->stop();
    scope.cancel();
    here_->finish();
    if (status.code != 0) show("ended:", status.describe());
    co_return status.code == 0 ? ExitCode::done : ExitCode::failed;
  }

  std::unique_ptr<Framing> lines() const {
    if (wanted_.quiet) return std::make_unique<editor::SharedLineFraming>();
    return std::make_unique<ShownLines>();
  }

  // What is typed here goes to the agent as an editor sends it. Only a person's end of input is the agent's: a script may have nothing to say.
  Task<void> type(Peer& peer, bool person) {
    for (;;) {
      const FramesRead read = co_await read_frames(*here_);
      if (!read || read->empty()) break;
      for (const BytesView line : *read) static_cast<void>(peer.notify(editor::method::user_input, {.text = std::string(line)}));
    }
    if (person) peer.finish();
  }

  const Rehearsal& wanted_;
  Loop loop_;
  FolderEditor editor_;
  Router router_;
  std::unique_ptr<Frames> here_;
};

}  // namespace

Action declare_rehearse_editor(CLI::App& app) {
  auto wanted = std::make_shared<Rehearsal>();
  app.add_option("--workspace", wanted->folder, "The folder that is open in the editor.")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""));
  app.add_option("--active", wanted->active, "The file in front, from that folder.")->type_name("FILE");
  app.add_option("--selection", wanted->selection, "What is selected in it: the first place with this text.")->type_name("TEXT");
  app.add_option("--decide", wanted->decide, "What the person says to changes and questions.")
      ->type_name("accept|reject")
      ->check(CLI::IsMember({"accept", "reject"}).description(""));
  app.add_flag("--quiet", wanted->quiet, "Does not show the messages that pass.");
  return [wanted](const Settings&, const Words& behind) {
    if (behind.empty()) {
      std::fprintf(stderr, "parlance rehearse editor: which agent? Give its command behind --\n");
      return static_cast<int>(ExitCode::usage);
    }
    return RehearsedEditor(*wanted).run(behind);
  };
}

}  // namespace parlance::app
