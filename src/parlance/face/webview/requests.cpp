// SPDX-License-Identifier: Apache-2.0
// Executes a webview's requests with the hub.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/face/webview/connection.h"
#include "parlance/face/webview/limits.h"
#include "parlance/face/webview/state.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/snapshot.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::string_view none_shown = "no conversation is open yet: send a message, or `newConversation`";
constexpr std::string_view no_editor = "this webview runs outside an editor";

}  // namespace

// ---- state -----------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewConnection::perform(webview::Ready& m) {
  code_chunks_ = m.code_chunks.value_or(false);
  if (!ready_) {
    watcher_ = hub_.watch(&news_);
    following_ = scope_.start(follow());
  }
  ready_ = true;
  const std::string wanted = m.conversation_id.value_or(current_);
  co_await show(hub_.find(wanted) != nullptr ? wanted : newest());
  send({ContextTold{.context = context_}});
  co_return Result<void>{};
}

// Ends the agent and searches all programs again: the next message starts the current program.
Task<Result<void>> WebviewConnection::perform(RecheckCli&) {
  if (!current_.empty()) PARLANCE_CO_TRY_DO(hub_.submit_at_once(current_, hub::StopTurn{}));
  if (const hub::Conversation* const row = current_row()) static_cast<void>(hub_.let_go(row->agent));
  PARLANCE_CO_TRY_DO(co_await hub_.look_for_agents());
  send_state(std::nullopt);
  const State state = webview_state(hub_.snapshot(), current_, settings_.agent);
  send({CliStatus{.available = state.cli_available, .diagnostics = state.cli_diagnostics}});
  co_return Result<void>{};
}

// ---- files -----------------------------------------------------------------------------------------------------------------

// A network client may name unopened folders in `workspaceFolders` and `setWorkspaceFolder`. Such folders only set the folder of
// a new conversation; reads begin with the conversation.
WebviewFiles::Folders WebviewConnection::folders_here() const {
  const hub::Conversation* const row = current_row();
  WebviewFiles::Folders here{.of_conversation = row != nullptr};
  std::vector<std::string>& folders = here.paths;
  if (row != nullptr) {
    if (row->place || !check_files()) return here;
    folders.push_back(row->folder);
    folders.insert(folders.end(), row->folders.begin(), row->folders.end());
  } else if (peer_ == WebviewPeer::network) {
    folders.push_back(settings_.default_folder);
  } else {
    folders.push_back(folder_for_new());
    folders.insert(folders.end(), workspace_folders_.begin(), workspace_folders_.end());
  }
  return here;
}

Result<void> WebviewConnection::check_files() const {
  const hub::Conversation* const row = current_row();
  if (row == nullptr || hub_.may(*row, hub::Permission::prompt)) return {};
  return fail(
      Errc::denied,
      "you may only read this conversation, so its files are closed to you: ask its user to open the conversation for the team");
}

Result<void> WebviewConnection::check_editor(std::string_view what) const {
  if (peer_ == WebviewPeer::this_machine) return {};
  return fail(Errc::denied, std::string(what) +
                                " is accepted only from an editor on the gateway's own machine, with the token of this machine: "
                                "begin a conversation in the folder to use its files");
}

// A relay with an editor answers these itself.
Task<Result<void>> WebviewConnection::perform(PickFiles&) {
  send({FilesPicked{}});
  co_return fail(Errc::unknown_method,
                 std::string(no_editor) + " and cannot open a file picker: `searchFiles` finds the files of the folder");
}
Task<Result<void>> WebviewConnection::perform(OpenFile&) {
  co_return fail(Errc::unknown_method, std::string(no_editor) + " and cannot open a file");
}

// For a conversation on a runner: searches the runner. This machine never replaces the runner for searches or reads.
Task<Result<void>> WebviewConnection::find_files(std::string query) {
  PARLANCE_CO_TRY_DO(check_files());
  if (const hub::Conversation* const row = current_row(); row != nullptr && row->place) {
    PARLANCE_CO_TRY(there, co_await hub_.find_files_of(row->id, {.typed = query}));
    send({WorkspaceFiles{.query = std::move(query), .files = std::move(there.paths), .all = there.all}});
    co_return Result<void>{};
  }
  PARLANCE_CO_TRY(found, co_await names_.find({.folders = folders_here().paths}, query));
  send({WorkspaceFiles{.query = std::move(query), .files = std::move(found.paths), .all = found.all}});
  co_return Result<void>{};
}
Task<Result<void>> WebviewConnection::perform(ListWorkspaceFiles& m) { return find_files(std::move(m.query)); }
Task<Result<void>> WebviewConnection::perform(SearchFiles& m) { return find_files(std::move(m.query)); }

Task<Result<void>> WebviewConnection::perform(ReadFiles& m) {
  PARLANCE_CO_TRY_DO(check_files());
  auto contents = co_await files_.read(std::move(m.paths), folders_here());
  send({FileContents{.files = std::move(contents)}});
  co_return Result<void>{};
}

// ---- messages --------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewConnection::perform(SendMessage& m) {
  std::string text = std::move(m.prompt).value_or(std::move(m.content).value_or(""));
  if (trim(text).empty() && m.attached_files.value_or(std::vector<AttachedFile>{}).empty())
    co_return fail(Errc::invalid_params, "$.prompt: the message is empty");
  PARLANCE_CO_TRY_DO(check_files());
  PARLANCE_CO_TRY(files,
                  co_await files_.attach(std::move(m.attached_files).value_or(std::vector<AttachedFile>{}), folders_here()));
  if (m.workspace_files && !m.workspace_files->empty()) {
    hub::Attachment list{.about = {.media_type = std::string(hub::file_list_type), .name = "Workspace Files"}};
    for (const std::string& name : *m.workspace_files) list.data += name + "\n";
    files.attachments.push_back(std::move(list));
  }
  if (current_row() == nullptr) {
    PARLANCE_CO_TRY(made, co_await begin("", folder_for_new()));
    co_await show(made);
  }
  hub::ConversationChanges changes{.model = std::move(m.model), .think = m.think};
  if (m.mode) changes.mode = to_hub(*m.mode);
  PARLANCE_CO_TRY_DO(co_await set(std::move(changes)));
  for (std::string& one : files.warnings) send_chunk({chunk::Warning{std::move(one)}});
  using Told = wire::Nullable<IdeContext>::State;
  std::vector<hub::PromptContext> context;
  if (m.ide_context.state == Told::absent) context = to_context(context_);
  if (m.ide_context.state == Told::value) context = to_context(m.ide_context.value);
  co_return co_await send_prompt(std::move(text), std::move(files.attachments), std::move(context));
}

Task<Result<void>> WebviewConnection::send_prompt(std::string text, std::vector<hub::Attachment> attachments,
                                                  std::vector<hub::PromptContext> context) {
  own_.push_back(text);
  const auto prompted = co_await hub_.submit(
      current_, hub::SendPrompt{.text = text, .attachments = std::move(attachments), .context = std::move(context)});
  if (!prompted || prompted->turn.empty())  // queued: reported with the begin of its turn
    if (const auto own = std::ranges::find(own_, text); own != own_.end()) own_.erase(own);
  if (!prompted) co_return std::unexpected(prompted.error());
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(CancelCurrent&) {
  if (current_.empty()) co_return Result<void>{};
  co_return hub_.submit_at_once(current_, hub::StopTurn{});
}

// ---- answers ---------------------------------------------------------------------------------------------------------------

Result<hub::Ask> WebviewConnection::asked(webview::RequestId request) const {
  const auto known = requests_.find(request);
  const hub::Ask* const ask = known == requests_.end() ? nullptr : hub_.find_ask(known->second);
  if (ask == nullptr) return fail(Errc::not_found, "$.requestId: this request is no longer open");
  return *ask;
}

// Requests an orphaned ask again, so the answer applies to the current call.
Task<Result<void>> WebviewConnection::give(const hub::Ask& ask, WebviewAnswer answer) {
  if (ask.state == hub::AskState::orphaned) {
    PARLANCE_CO_TRY_DO(co_await hub_.submit(ask.conversation, hub::RepeatRequest{.request = ask.id}));
    send_chunk({chunk::Warning{"A restart interrupted this request; the agent asks again."}});
    co_return Result<void>{};
  }
  const std::string conversation = ask.conversation;
  if (answer.given.option || !answer.given.answers.empty())
    PARLANCE_CO_TRY_DO(
        co_await hub_.submit(ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = std::move(answer.given)}));
  if (answer.mode_after) PARLANCE_CO_TRY_DO(co_await hub_.submit(conversation, hub::ChangeSettings{{.mode = answer.mode_after}}));
  if (answer.stop) co_return hub_.submit_at_once(conversation, hub::StopTurn{});
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(ToolApproval& m) {
  PARLANCE_CO_TRY(ask, asked(m.request_id));
  PARLANCE_CO_TRY(answer, approval_of(ask, m.outcome.value_or("")));
  co_return co_await give(ask, std::move(answer));
}

Task<Result<void>> WebviewConnection::perform(QuestionAnswer& m) {
  PARLANCE_CO_TRY(ask, asked(m.request_id));
  if (ask.kind != hub::AskKind::question) co_return fail(Errc::invalid_params, "$.requestId: this request is not a question");
  PARLANCE_CO_TRY(answer, answers_of(ask, m.answers));
  co_return co_await give(ask, std::move(answer));
}

Task<Result<void>> WebviewConnection::perform(PlanAnswer& m) {
  PARLANCE_CO_TRY(option, plan_option_of(m));
  if (m.request_id == synthetic_request) co_return co_await answer_synthetic(option, std::move(m.feedback).value_or(""));
  PARLANCE_CO_TRY(ask, asked(m.request_id));
  if (ask.kind != hub::AskKind::plan) co_return fail(Errc::invalid_params, "$.requestId: this request is not a plan");
  PARLANCE_CO_TRY(answer, plan_answer_of(ask, option, m.feedback.value_or("")));
  co_return co_await give(ask, std::move(answer));
}

// No request of the agent waits: the answer starts another turn, or none.
Task<Result<void>> WebviewConnection::answer_synthetic(PlanOption option, std::string feedback) {
  const hub::Conversation* const row = current_row();
  if (!synthetic_open_ || row == nullptr) co_return fail(Errc::not_found, "$.requestId: this plan is no longer open");
  if (option == PlanOption::feedback && trim(feedback).empty())
    co_return fail(Errc::invalid_params, "$.feedback: describe the wanted changes");
  synthetic_open_ = false;
  kept_plan_ = current_ + "/" + std::to_string(row->last_seq);
  if (option == PlanOption::keep) co_return Result<void>{};
  if (option == PlanOption::feedback) co_return co_await send_prompt(std::move(feedback), {}, {});
  const hub::Mode mode = option == PlanOption::smart ? hub::Mode::smart : hub::Mode::default_;
  PARLANCE_CO_TRY_DO(co_await hub_.submit(current_, hub::ChangeSettings{{.mode = mode}}));
  co_return co_await send_prompt(adapter::execution_message(settings_.language), {}, {});
}

// ---- conversations -----------------------------------------------------------------------------------------------------------

// The workspace folder of the active file, else the first.
std::string WebviewConnection::folder_for_new() const {
  if (!wanted_folder_.empty()) return wanted_folder_;
  if (context_.active_file.state == wire::Nullable<ActiveFile>::State::value)
    for (const std::string& folder : workspace_folders_)
      if (is_within(context_.active_file.value.path, folder)) return folder;
  return workspace_folders_.empty() ? settings_.default_folder : workspace_folders_.front();
}

Task<Result<std::string>> WebviewConnection::begin(std::string agent, std::string folder) {
  const hub::Conversation* const row = current_row();
  const std::vector<hub::AgentInfo> agents = hub_.agents();
  const std::string chosen = !agent.empty() ? agent : settings_.agent;
  const hub::AgentInfo* const by = webview_agent(agents, !chosen.empty() ? chosen : row != nullptr ? row->agent : "");
  if (by == nullptr) co_return fail(Errc::not_found, "no agent is installed");
  if (!agent.empty() && by->id != agent) co_return fail(Errc::not_found, "$.agent: no such agent: " + agent);
  if (!chosen.empty() && by->id != chosen)
    co_return fail(
        Errc::not_found,
        "the agent " + chosen + " of the setting default-agent is not installed: install the agent, or change the setting");
  hub::NewConversation wanted{.agent = by->id,
                              .mode = wanted_.mode.value_or(hub::Mode::default_),
                              .model = wanted_.model.value_or(""),
                              .think = wanted_.think.value_or(false)};
  PARLANCE_CO_TRY(at, co_await folder_check_.resolve_for(agents, by->id, std::move(folder)));
  wanted.folder = std::move(at);
  for (const std::string& one : std::vector(workspace_folders_)) {
    PARLANCE_CO_TRY(another, co_await folder_check_.resolve_for(agents, by->id, one));
    if (another != wanted.folder) wanted.folders.push_back(std::move(another));
  }
  PARLANCE_CO_TRY(made, co_await hub_.create(std::move(wanted)));
  wanted_ = {};
  wanted_folder_.clear();
  co_return made.id;
}

Task<Result<void>> WebviewConnection::perform(NewConversation& m) {
  PARLANCE_CO_TRY(made, co_await begin(std::move(m.agent).value_or(""), folder_for_new()));
  co_await show(made);
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(SwitchConversation& m) {
  if (hub_.find(m.conversation_id) == nullptr)
    co_return fail(Errc::not_found, "$.conversationId: no such conversation: " + m.conversation_id);
  co_await show(std::move(m.conversation_id));
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(DeleteConversation& m) {
  PARLANCE_CO_TRY_DO(co_await hub_.submit(m.conversation_id, hub::RemoveConversation{}));
  if (m.conversation_id == current_) co_await show(newest());
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(ClearConversation&) {
  if (current_.empty()) co_return fail(Errc::not_found, std::string(none_shown));
  co_return co_await hub_.submit(current_, hub::ClearConversation{});
}

// A conversation without messages can still change its folder: a new one replaces it.
Task<Result<void>> WebviewConnection::perform(SetWorkspaceFolder& m) {
  const std::string by = current_row() == nullptr ? "" : current_row()->agent;
  PARLANCE_CO_TRY(folder, co_await folder_check_.resolve_for(hub_.agents(), by, std::move(m.folder)));
  const hub::Conversation* const row = current_row();
  if (row == nullptr) {
    wanted_folder_ = std::move(folder);
    co_return Result<void>{};
  }
  if (row->folder == folder) co_return Result<void>{};
  if (row->last_seq != 0)
    co_return fail(Errc::invalid_request,
                   "this conversation works in " + row->folder + " and cannot move: begin a new conversation for " + folder);
  const hub::Conversation before = *row;
  wanted_ = {.mode = before.mode, .model = before.model, .think = before.think};
  PARLANCE_CO_TRY(made, co_await begin(before.agent, std::move(folder)));
  co_await show(made);
  co_return co_await hub_.submit(before.id, hub::RemoveConversation{});
}

// ---- settings -----------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewConnection::set(hub::ConversationChanges changes) {
  if (current_row() == nullptr) {
    if (changes.mode) wanted_.mode = changes.mode;
    if (changes.model) wanted_.model = std::move(changes.model);
    if (changes.think) wanted_.think = changes.think;
    co_return Result<void>{};
  }
  if (!changes.mode && !changes.model && !changes.think) co_return Result<void>{};
  PARLANCE_CO_TRY_DO(co_await hub_.submit(current_, hub::ChangeSettings{std::move(changes)}));
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(SetMode& m) { return set({.mode = to_hub(m.mode)}); }
Task<Result<void>> WebviewConnection::perform(SetModel& m) { return set({.model = std::move(m.model)}); }
Task<Result<void>> WebviewConnection::perform(SetThink& m) {
  const auto think = m.think ? m.think : m.enabled;
  if (!think) co_return fail(Errc::invalid_params, "$.think: true or false");
  co_return co_await set({.think = think});
}

// ---- editor -------------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewConnection::perform(IdeContextChanged& m) {
  context_ = std::move(m.context);
  if (context_.selection.state == wire::Nullable<Selection>::State::value) {
    std::string& text = context_.selection.value.text;
    text.resize(utf8_prefix(text, adapter::prompt_selection_bytes).size());  // sent back as a prompt would contain it
  }
  if (ready_) send({ContextTold{.context = context_}});
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(PickedFiles& m) {
  PARLANCE_CO_TRY_DO(check_editor("a list of picked files"));
  files_.picked(m.files);
  if (ready_) send({FilesPicked{.files = std::move(m.files)}});
  co_return Result<void>{};
}

Task<Result<void>> WebviewConnection::perform(WorkspaceFolders& m) {
  PARLANCE_CO_TRY_DO(check_editor("a list of open folders"));
  if (m.folders.size() > limits::webview_files) m.folders.resize(limits::webview_files);
  workspace_folders_ = std::move(m.folders);
  if (ready_) send_state(std::nullopt);
  co_return Result<void>{};
}

}  // namespace parlance::face
