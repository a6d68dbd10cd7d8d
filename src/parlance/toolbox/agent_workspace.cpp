// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/agent_workspace.h"

#include <algorithm>
#include <utility>

#include "parlance/async/worker.h"
#include "parlance/base/text.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/toolbox/command_check.h"
#include "parlance/toolbox/command_runner.h"
#include "parlance/toolbox/judged_files.h"
#include "parlance/toolbox/terminals.h"

namespace parlance::toolbox {
namespace {

// State shared by the agents of a hub.
struct Shared {
  explicit Shared(Loop& l) : loop(l), worker(l, "agent files") {}
  Loop& loop;
  Worker worker;
  std::unique_ptr<workspace::CommandRunner> commands = command_runner(loop);
  JudgedFiles files{worker};
  CommandCheck check{*commands, worker};
};

Error refused(std::string_view what, const hub::AskAnswer& answer) {
  std::string text = "Access denied: " + std::string(what);
  std::string why = answer.why;
  if (!answer.text.empty()) why += (why.empty() ? "" : ": ") + answer.text;
  if (why.empty() && answer.state != hub::AskState::answered) why = "no answer";
  if (!why.empty()) text += " (" + why + ")";
  return {.code = Errc::denied, .message = std::move(text)};
}

class AgentWorkspace final : public hub::Workspace {
 public:
  AgentWorkspace(std::shared_ptr<Shared> shared, hub::WorkspaceHost& host)
      : shared_(std::move(shared)), host_(host), terminals_(shared_->loop) {}

  Task<Result<std::string>> read_text_file(std::string path, std::optional<std::uint64_t> line,
                                           std::optional<std::uint64_t> limit) override {
    const Folders folders = folders_of(host_.setup());
    PARLANCE_CO_TRY(place, co_await shared_->files.place(folders, path));
    hub::ToolIntent intent = file_intent(hub::ToolKind::read, folders, place, shown_path(folders, place));
    if (place.nowhere) intent.title = path;
    PARLANCE_CO_TRY_DO(co_await permit("read_file", std::move(intent), place.shown));
    PARLANCE_CO_TRY(
        text, co_await shared_->files.in(place, [place](const workspace::FileTools& files) { return files.content(place); }));
    co_return line || limit ? lines_of(text, line.value_or(1), limit.value_or(0)) : std::move(text);
  }

  Task<Result<void>> write_text_file(std::string path, std::string content) override {
    const Folders folders = folders_of(host_.setup());
    workspace::WriteFile write{.path = path, .content = std::move(content), .exact = true};
    PARLANCE_CO_TRY(change, co_await shared_->files.look(
                                folders, path,
                                [write = std::move(write)](const workspace::FileTools& files, const workspace::ResolvedPath& at) {
                                  return files.prepare_write(write, at);
                                }));
    PARLANCE_CO_TRY_DO(co_await permit("write_file", change_intent(folders, change, path), change.path.shown));
    co_return co_await shared_->files.in(change.path,
                                         [change](const workspace::FileTools& files) { return files.apply(change); });
  }

  Task<Result<std::string>> create_terminal(hub::TerminalRequest request) override {
    const Folders folders = folders_of(host_.setup());
    std::string elsewhere;
    if (request.folder) {
      PARLANCE_CO_TRY(place, co_await shared_->files.place(folders, *request.folder));
      if (!place.exists || !place.folder) co_return fail(Errc::not_found, "Folder not found: " + *request.folder);
      if (place.absolute != folders.own) elsewhere = place.absolute;
    }
    PARLANCE_CO_TRY(line, terminal_line(request, elsewhere));
    hub::ToolIntent intent{
        .kind = hub::ToolKind::execute, .title = line.substr(0, line.find('\n')), .command = line, .detail = line};
    const auto seen = co_await shared_->check.look(folders.own, line);
    const std::string scripts = co_await shared_->check.scripts(folders.own, line);
    if (seen) intent.look = seen->look;
    PARLANCE_CO_TRY_DO(co_await permit("run_command", std::move(intent), line));
    if (co_await shared_->check.scripts(folders.own, line) != scripts)
      co_return fail(Errc::failed, "a script that this command runs has changed since it was decided on: ask again");
    workspace::CommandRequest command{.command = line, .folder = folders.own};
    if (seen && seen->plain) {
      if (!co_await shared_->check.leads_as_before(folders.own, line, *seen->plain))
        co_return fail(Errc::failed, "the files or programs of this command have changed since the decision: ask again");
      command.plain = seen->plain;
    }
    const std::size_t most = std::min(request.output_bytes.value_or(hub::terminal_output_bytes), hub::terminal_output_bytes);
    co_return terminals_.start(command_child(command), most, std::move(request.on_output));
  }

  Result<hub::TerminalOutput> terminal_output(const std::string& terminal) const override { return terminals_.output(terminal); }
  Task<Result<hub::TerminalExit>> wait_for_terminal(std::string terminal) override {
    return terminals_.wait(std::move(terminal));
  }
  Result<void> kill_terminal(const std::string& terminal) override { return terminals_.kill(terminal); }
  Result<void> release_terminal(const std::string& terminal) override { return terminals_.release(terminal); }

 private:
  Task<Result<void>> permit(std::string tool, hub::ToolIntent intent, std::string what) {
    hub::AskRequest request{.tool = std::move(tool), .title = intent.title, .intent = std::move(intent)};
    PARLANCE_CO_TRY(answer, co_await host_.ask(std::move(request)));
    if (!answer.allowed()) co_return std::unexpected(refused(what, answer));
    co_return Result<void>{};
  }

  std::shared_ptr<Shared> shared_;
  hub::WorkspaceHost& host_;
  Terminals terminals_;
};

bool is_variable(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string lines_of(std::string_view text, std::uint64_t line, std::uint64_t limit) {
  std::size_t from = 0;
  for (std::uint64_t at = 1; at < line; ++at) {
    from = text.find('\n', from);
    if (from == std::string_view::npos) return "";
    ++from;
  }
  std::size_t end = from;
  for (std::uint64_t taken = 0; limit == 0 || taken < limit; ++taken) {
    end = text.find('\n', taken == 0 ? from : end + 1);
    if (end == std::string_view::npos) break;
  }
  return std::string(text.substr(from, end == std::string_view::npos ? end : end - from));
}

// The line contains all changes of the request, so the judged and shown command equals the run command.
Result<std::string> terminal_line(const hub::TerminalRequest& request, const std::string& folder) {
  if (trim(request.command).empty()) return fail(Errc::invalid_params, "the command is empty");
  std::string line;
  if (!folder.empty()) line += "cd " + shell_word(folder) + " || exit; ";
  for (const auto& [name, value] : request.environment) {
    if (!is_variable(name)) return fail(Errc::invalid_params, "no name of a variable: \"" + name + "\"");
    line += "export " + name + "=" + shell_word(value) + "; ";
  }
  line += request.args.empty() ? request.command : shell_word(request.command);
  for (const std::string& word : request.args) line += " " + shell_word(word);
  if (line.find('\0') != std::string::npos) return fail(Errc::invalid_params, "the command has a zero byte in it");
  return line;
}

std::function<std::unique_ptr<hub::Workspace>(hub::WorkspaceHost& host)> agent_workspaces(Loop& loop) {
  return [shared = std::make_shared<Shared>(loop)](hub::WorkspaceHost& host) {
    return std::make_unique<AgentWorkspace>(shared, host);
  };
}

}  // namespace parlance::toolbox
