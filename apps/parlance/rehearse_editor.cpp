// SPDX-License-Identifier: Apache-2.0
// parlance rehearse editor: a folder as an editor, for agents with the editor bridge. Starts the agent like an editor, or listens
// like a window for the programs of its terminals; answers requests, and prints the traffic.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/rehearse/folder_editor.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/face/editor/editor_over_bridge.h"
#include "parlance/face/editor/editor_socket.h"
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
  std::string problems;
  std::string added;
  std::string decide = "accept";
  std::string outside = "reject";
  std::string listen;  // "": the agent is started, and spoken to over its stdin and stdout
  bool quiet = false;
};

void show(std::string_view mark, std::string_view line) {
  std::fprintf(stderr, "%.*s %.*s\n", static_cast<int>(mark.size()), mark.data(), static_cast<int>(line.size()), line.data());
}

// Lines of the bridge, each printed in passing.
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
  RehearsedEditor(const Rehearsal& wanted, std::vector<ScriptedMethod> added)
      : wanted_(wanted),
        editor_(
            {.folder = std::filesystem::absolute(wanted.folder).string(),
             .active = wanted.active,
             .selection = wanted.selection,
             .problems = wanted.problems,
             .added = added,
             .decide = [this](const std::string& question) { return answer(wanted_.decide, question); },
             .decide_outside =
                 [this](const std::string& question) { return answer(wanted_.outside, "outside of the folder: " + question); },
             .report = [](const std::string& text) { show("editor:", text); }}) {
    face::serve_editor(router_, editor_, {.name = "parlance rehearse", .version = PARLANCE_VERSION});
    router_.on(editor::method::status, [](const editor::Status& status, Context&) { show("status:", status.text.value_or("")); });
    router_.on(editor::method::log, [](const editor::Log& log, Context&) { show("log:", log.message); });
    for (const ScriptedMethod& method : added)
      router_.on(method.about.name, wire::any_call(),
                 [result = method.result_json](const wire::Raw&, Context&) -> Result<wire::Raw> { return wire::Raw{result}; });
  }

  int run(const Words& command) { return loop_.block_on(wanted_.listen.empty() ? live(command) : listen()); }

 private:
  static bool answer(const std::string& decided, const std::string& what) {
    show(decided == "accept" ? "accepted:" : "rejected:", what);
    return decided == "accept";
  }

  // Until a signal ends the command.
  Task<int> listen() {
    using Over = face::EditorSocketSettings::Over;
    SignalWatch signals(loop_, {SIGINT, SIGTERM, SIGHUP});
    auto socket = face::EditorSocket::listen(loop_, router_,
                                             {.over = wanted_.listen == "tcp" ? Over::tcp : Over::unix_socket,
                                              .greet = [](Peer& peer) { show("connected:", peer.name()); },
                                              .lines = [this] { return lines(); }});
    if (!socket) co_return complain(socket.error());
    std::printf("export PARLANCE_EDITOR_SOCKET=%s\nexport PARLANCE_EDITOR_TOKEN=%s\n", (*socket)->address().c_str(),
                (*socket)->token().c_str());
    std::fflush(stdout);
    co_await signals.next();
    co_return ExitCode::done;
  }

  Task<int> live(const Words& command) {
    ChildSettings settings{
        .command = command, .folder = wanted_.folder, .set = {{"VSCODE_INTEGRATION", "true"}}, .withheld = Withheld::own_secrets};
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

  // Sends typed lines to the agent like an editor. Only a person's end of input ends the agent's input: a script may have no
  // input.
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
  app.add_option("--workspace", wanted->folder, "Folder that is open in the editor.")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""));
  app.add_option("--active", wanted->active, "File with the focus, from this folder.")->type_name("FILE");
  app.add_option("--selection", wanted->selection, "Selected text: the first place with this text.")->type_name("TEXT");
  app.add_option("--problems", wanted->problems, "Output of a compiler, reported as diagnostics.")->type_name("FILE");
  app.add_option("--added", wanted->added, "Additional methods with their answers: a JSON list.")->type_name("FILE");
  app.add_option("--decide", wanted->decide, "Answer of the person to changes and questions.")
      ->type_name("accept|reject")
      ->check(CLI::IsMember({"accept", "reject"}).description(""));
  app.add_option("--outside", wanted->outside, "Answer of the person to files outside of the folder.")
      ->type_name("accept|reject")
      ->check(CLI::IsMember({"accept", "reject"}).description(""));
  app.add_option("--listen", wanted->listen, "Listen for programs like an editor's window, and print their environment.")
      ->type_name("unix|tcp")
      ->check(CLI::IsMember({"unix", "tcp"}).description(""));
  app.add_flag("--quiet", wanted->quiet, "Do not print the messages.");
  return [wanted](const Settings&, const Words& behind) {
    if (!wanted->listen.empty() && !behind.empty()) {
      std::fprintf(stderr,
                   "parlance rehearse editor: with --listen no agent is started; start the agent yourself, with the two "
                   "printed variables\n");
      return static_cast<int>(ExitCode::usage);
    }
    if (wanted->listen.empty() && behind.empty()) {
      std::fprintf(stderr, "parlance rehearse editor: no agent is given. Give its command after --\n");
      return static_cast<int>(ExitCode::usage);
    }
    auto added = wanted->added.empty() ? Result<std::vector<ScriptedMethod>>{} : scripted_methods(wanted->added);
    if (!added) return complain(added.error(), ExitCode::usage);
    return RehearsedEditor(*wanted, *std::move(added)).run(behind);
  };
}

}  // namespace parlance::app
