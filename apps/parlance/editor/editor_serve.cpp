// SPDX-License-Identifier: Apache-2.0
// parlance editor serve: the editor's window for agents with their own editor protocols. Agents find the window through the
// environment of its terminals and through files that only this user can read.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/editor/near_window.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/async/channel.h"
#include "parlance/face/ide/claude_ide.h"
#include "parlance/face/ide/gemini_ide.h"

namespace parlance::app {
namespace {

struct Served {
  std::string name = "parlance";
  std::int64_t process = 0;
  unsigned short claude_port = 0;
  unsigned short gemini_port = 0;
};

std::string claude_folder() {
  if (auto named = environment_variable("CLAUDE_CONFIG_DIR")) return *std::move(named);
  return environment_variable("HOME").value_or("") + "/.claude";
}

class ServedEditor {
 public:
  explicit ServedEditor(const Served& wanted) : wanted_(wanted) {}

  int run() {
    auto found = NearWindow::find(loop_,
                                  {.context = [this](const editor::ContextChanged&) { context_changed(); },
                                   .mentioned =
                                       [this](const editor::AtMentioned& mention) {
                                         if (claude_) claude_->mentioned(mention.file_path, mention.line_start, mention.line_end);
                                       }},
                                  [this] { context_changed(); });
    if (!found) return complain(found.error(), ExitCode::usage);
    window_ = *std::move(found);
    return loop_.block_on(live());
  }

 private:
  void context_changed() {
    if (claude_) claude_->context_changed();
    if (gemini_) gemini_->context_changed();
  }

  Task<int> live() {
    if (const auto begun = co_await window_->begin(); !begun) co_return complain(begun.error(), ExitCode::not_started);
    const std::vector<std::string> folders = co_await window_->folders();
    if (const auto served = serve_claude(folders); !served) co_return complain(served.error());
    // The folder of this file is shared by all users of the machine: another user may have created the file first.
    if (const auto served = serve_gemini(folders); !served) complain(served.error().in("not for Gemini's CLI"));
    std::fflush(stdout);
    co_await end();
    gemini_.reset();
    claude_.reset();
    co_return ExitCode::done;
  }

  Result<void> serve_claude(const std::vector<std::string>& folders) {
    PARLANCE_TRY(claude, face::ClaudeIde::listen(loop_, window_->editor(),
                                                 {.config_folder = claude_folder(),
                                                  .name = wanted_.name,
                                                  .folders = folders,
                                                  .editor_process = wanted_.process,
                                                  .version = PARLANCE_VERSION,
                                                  .port = wanted_.claude_port}));
    claude_ = std::move(claude);
    std::printf("export CLAUDE_CODE_SSE_PORT=%d\nexport ENABLE_IDE_INTEGRATION=true\n", static_cast<int>(claude_->port()));
    return {};
  }

  Result<void> serve_gemini(const std::vector<std::string>& folders) {
    std::error_code error;
    const auto temporary = std::filesystem::temp_directory_path(error);
    if (error) return fail(Errc::not_found, "no folder for temporary files (TMPDIR): " + error.message());
    PARLANCE_TRY(gemini, face::GeminiIde::listen(loop_, window_->editor(),
                                                 {.temporary_folder = temporary.string(),
                                                  .title = wanted_.name,
                                                  .folders = folders,
                                                  .editor_process = wanted_.process,
                                                  .port = wanted_.gemini_port,
                                                  .version = PARLANCE_VERSION}));
    gemini_ = std::move(gemini);
    std::printf("export GEMINI_CLI_IDE_SERVER_PORT=%d\n", static_cast<int>(gemini_->port()));
    return {};
  }

  // A closed terminal also ends the command, so that the files are removed.
  Task<void> end() {
    OneShot<bool> over(loop_);
    Scope scope(loop_);
    scope.start([](EndWatch& watch, OneShot<bool>& ended) -> Task<void> {
      co_await watch.wait();
      ended.set(true);
    }(watch_, over));
    scope.start([](SignalWatch& watch, OneShot<bool>& ended) -> Task<void> {
      static_cast<void>(co_await watch.next());
      ended.set(true);
    }(hang_up_, over));
    co_await over.get();
  }

  const Served& wanted_;
  Loop loop_;
  EndWatch watch_{loop_};
  SignalWatch hang_up_{loop_, {SIGHUP}};
  std::unique_ptr<NearWindow> window_;
  std::unique_ptr<face::ClaudeIde> claude_;
  std::unique_ptr<face::GeminiIde> gemini_;
};

}  // namespace

Action declare_editor_serve(CLI::App& app) {
  auto wanted = std::make_shared<Served>();
  app.add_option("--name", wanted->name, "What a person sees as the editor's name.")->capture_default_str();
  app.add_option("--editor-process", wanted->process, "The editor, if it is not what started this.")->type_name("PID");
  app.add_option("--claude-port", wanted->claude_port, "Where Claude Code's CLI connects; 0: any port that is free.")
      ->type_name("PORT");
  app.add_option("--gemini-port", wanted->gemini_port, "Where Gemini CLI connects; 0: any port that is free.")->type_name("PORT");
  return [wanted](const Settings&, const Words&) { return ServedEditor(*wanted).run(); };
}

}  // namespace parlance::app
