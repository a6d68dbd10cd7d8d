// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/hub_over_webview.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/webview/answers.h"
#include "parlance/face/webview/editor.h"
#include "parlance/face/webview/output.h"
#include "parlance/face/webview/permissions.h"
#include "parlance/face/webview/shown_conversation.h"
#include "parlance/face/webview/state.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::string_view none_shown = "no conversation is open yet: send a message, or `newConversation`";

// The type of an unreadable message, so the webview knows the failed message.
std::string type_in(BytesView frame) {
  if (!is_valid_utf8(frame)) return "";
  const auto value = json::parse(frame);
  return value ? std::string(value->text_or("type", "")) : "";
}

// Read-only messages with separate answers: later messages do not depend on them.
template <class Message>
constexpr bool only_looks = std::same_as<Message, ListWorkspaceFiles> || std::same_as<Message, SearchFiles> ||
                            std::same_as<Message, ReadFiles> || std::same_as<Message, RecheckCli>;

}  // namespace

// Reads a webview's messages and executes its requests. Messages take effect in order of arrival; only read-only requests run in
// parallel.
class WebviewServer::Connection {
 public:
  Connection(WebviewServer& server, hub::UserHub hub, WebviewPeer peer, std::unique_ptr<Frames> frames)
      : server_(server),
        hub_(std::move(hub)),
        frames_(std::move(frames)),
        folder_check_(server.loop_, server.settings_.home),
        shown_(server.loop_, hub_, server.settings_, *frames_),
        editor_(server.loop_, hub_, peer, server.settings_, shown_, *frames_),
        scope_(server.loop_) {}

  Task<void> read_all();

 private:
  using Done = Task<Result<void>>;

  Task<void> take(BytesView frame);
  template <class Message>
  Task<void> answer(Message message);
  void fail_message(std::string_view of, const Error& error);

  // WebviewEditor performs all other requests.
  Done perform(webview::Ready& m);
  Done perform(webview::RecheckCli& m);
  Done perform(webview::SendMessage& m);
  Done perform(webview::ToolApproval& m);
  Done perform(webview::QuestionAnswer& m);
  Done perform(webview::PlanAnswer& m);
  Done perform(webview::CancelCurrent& m);
  Done perform(webview::NewConversation& m);
  Done perform(webview::SwitchConversation& m);
  Done perform(webview::DeleteConversation& m);
  Done perform(webview::ClearConversation& m);
  Done perform(webview::SetMode& m);
  Done perform(webview::SetThink& m);
  Done perform(webview::SetModel& m);
  Done perform(webview::SetWorkspaceFolder& m);

  Done set(hub::ConversationChanges changes);
  Done give(const hub::Ask& ask, WebviewAnswer answer);
  Task<Result<std::string>> begin(std::string agent, std::string folder);

  WebviewServer& server_;
  hub::UserHub hub_;
  std::unique_ptr<Frames> frames_;
  workspace::FolderCheck folder_check_;
  ShownConversation shown_;
  WebviewEditor editor_;
  hub::ConversationChanges wanted_;  // settings of the first conversation
  Scope scope_;                      // destroyed first
};

WebviewServer::WebviewServer(Loop& loop, WebviewSettings settings) : loop_(loop), settings_(std::move(settings)), scope_(loop) {}

WebviewServer::~WebviewServer() = default;

void WebviewServer::serve(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer) {
  scope_.start(run(std::move(frames), std::move(hub), peer));
}

Task<void> WebviewServer::run(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer) {
  struct Present {
    std::size_t& count;
    explicit Present(std::size_t& of) : count(of) { ++count; }
    ~Present() { --count; }
  };
  const Present present(statistics_.webviews);
  Connection connection(*this, std::move(hub), peer, std::move(frames));
  co_await connection.read_all();
}

// ---- input -------------------------------------------------------------------------------------------------------------

Task<void> WebviewServer::Connection::read_all() {
  for (;;) {
    const auto batch = co_await read_frames(*frames_);
    if (!batch || batch->empty()) co_return;
    for (const BytesView frame : *batch) co_await take(frame);
  }
}

template <class Message>
Task<void> WebviewServer::Connection::answer(Message message) {
  Result<void> done = hub_.check(WebviewPermissions::of<Message>());
  if (!done) {
    fail_message(Message::tag, done.error());
    co_return;
  }
  if (!shown_.started() && !std::same_as<Message, webview::Ready> && !std::same_as<Message, IdeContextChanged> &&
      !std::same_as<Message, WorkspaceFolders> && !std::same_as<Message, PickedFiles>)
    done = fail(Errc::invalid_request, "`ready` comes first");
  else if constexpr (requires { editor_.perform(message); }) done = co_await editor_.perform(message);
  else done = co_await perform(message);
  if (!done) fail_message(Message::tag, done.error());
}

Task<void> WebviewServer::Connection::take(BytesView frame) {
  while (frames_->congested()) co_await frames_->drained().wait();
  ++server_.statistics_.messages;
  auto message = json::from_text<PageMessage>(frame);
  if (!message) {
    ++server_.statistics_.malformed;
    fail_message(type_in(frame), message.error());
    co_return;
  }
  std::optional<Task<void>> in_order = std::visit(
      [this]<class Message>(Message& m) -> std::optional<Task<void>> {
        if constexpr (std::same_as<Message, wire::Other>) {
          ++server_.statistics_.malformed;
          fail_message(type_in(m.raw.json),
                       {.code = Errc::unknown_method, .message = "$.type: unknown message; reload the page"});
        } else if constexpr (only_looks<Message>) {
          scope_.start(answer(std::move(m)));
        } else {
          return answer(std::move(m));
        }
        return std::nullopt;
      },
      message->value);
  if (in_order) co_await std::move(*in_order);
}

void WebviewServer::Connection::fail_message(std::string_view of, const Error& error) {
  send(*frames_, {Failed{.of = std::string(of), .code = std::string(to_string(error.code)), .message = error.message}});
}

// ---- state -----------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewServer::Connection::perform(webview::Ready& m) {
  shown_.start(m.code_chunks.value_or(false));
  const std::string wanted = m.conversation_id.value_or(shown_.id());
  co_await shown_.show(hub_.find(wanted) != nullptr ? wanted : "");
  send(*frames_, {ContextUpdated{.context = editor_.context()}});
  co_return Result<void>{};
}

// Ends the agent and searches all programs again: the next message starts the current program.
Task<Result<void>> WebviewServer::Connection::perform(RecheckCli&) {
  if (!shown_.id().empty()) PARLANCE_CO_TRY_DO(hub_.submit_at_once(shown_.id(), hub::StopTurn{}));
  if (const hub::Conversation* const row = shown_.conversation()) static_cast<void>(hub_.close_agents(row->agent));
  PARLANCE_CO_TRY_DO(co_await hub_.look_for_agents());
  shown_.send_state();
  const State state = webview_state(hub_, shown_.id(), server_.settings_.agent);
  send(*frames_, {CliStatus{.available = state.cli_available, .diagnostics = state.cli_diagnostics}});
  co_return Result<void>{};
}

// ---- messages --------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewServer::Connection::perform(SendMessage& m) {
  std::string text = std::move(m.prompt).value_or(std::move(m.content).value_or(""));
  if (trim(text).empty() && m.attached_files.value_or(std::vector<AttachedFile>{}).empty())
    co_return fail(Errc::invalid_params, "$.prompt: the message is empty");
  PARLANCE_CO_TRY(files, co_await editor_.attach(std::move(m.attached_files).value_or(std::vector<AttachedFile>{})));
  if (m.workspace_files && !m.workspace_files->empty()) {
    hub::Attachment list{.about = {.media_type = std::string(hub::file_list_type), .name = "Workspace Files"}};
    for (const std::string& name : *m.workspace_files) list.data += name + "\n";
    files.attachments.push_back(std::move(list));
  }
  if (shown_.conversation() == nullptr) {
    PARLANCE_CO_TRY(made, co_await begin("", editor_.folder_for_new()));
    co_await shown_.show(made);
  }
  hub::ConversationChanges changes{.model = std::move(m.model), .think = m.think};
  if (m.mode) changes.mode = to_hub(*m.mode);
  PARLANCE_CO_TRY_DO(co_await set(std::move(changes)));
  for (std::string& warning : files.warnings) shown_.send_chunk({chunk::Warning{std::move(warning)}});
  using ContextState = wire::Nullable<IdeContext>::State;
  std::vector<hub::PromptContext> context;
  if (m.ide_context.state == ContextState::absent) context = to_context(editor_.context());
  if (m.ide_context.state == ContextState::value) context = to_context(m.ide_context.value);
  co_return co_await shown_.prompt(std::move(text), std::move(files.attachments), std::move(context));
}

Task<Result<void>> WebviewServer::Connection::perform(CancelCurrent&) {
  if (shown_.id().empty()) co_return Result<void>{};
  co_return hub_.submit_at_once(shown_.id(), hub::StopTurn{});
}

// ---- answers ---------------------------------------------------------------------------------------------------------------

// Requests an orphaned ask again, so the answer applies to the current call.
Task<Result<void>> WebviewServer::Connection::give(const hub::Ask& ask, WebviewAnswer answer) {
  if (ask.state == hub::AskState::orphaned) {
    PARLANCE_CO_TRY_DO(co_await hub_.submit(ask.conversation, hub::RepeatRequest{.request = ask.id}));
    shown_.send_chunk({chunk::Warning{"A restart interrupted this request; the agent asks again."}});
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

Task<Result<void>> WebviewServer::Connection::perform(ToolApproval& m) {
  PARLANCE_CO_TRY(ask, shown_.ask_of(m.request_id));
  PARLANCE_CO_TRY(answer, approval_of(ask, m.outcome.value_or("")));
  co_return co_await give(ask, std::move(answer));
}

Task<Result<void>> WebviewServer::Connection::perform(QuestionAnswer& m) {
  PARLANCE_CO_TRY(ask, shown_.ask_of(m.request_id));
  if (ask.kind != hub::AskKind::question) co_return fail(Errc::invalid_params, "$.requestId: this request is not a question");
  PARLANCE_CO_TRY(answer, answers_of(ask, m.answers));
  co_return co_await give(ask, std::move(answer));
}

Task<Result<void>> WebviewServer::Connection::perform(PlanAnswer& m) {
  PARLANCE_CO_TRY(option, plan_option_of(m));
  if (m.request_id == synthetic_request) co_return co_await shown_.answer_plan(option, std::move(m.feedback).value_or(""));
  PARLANCE_CO_TRY(ask, shown_.ask_of(m.request_id));
  if (ask.kind != hub::AskKind::plan) co_return fail(Errc::invalid_params, "$.requestId: this request is not a plan");
  PARLANCE_CO_TRY(answer, plan_answer_of(ask, option, m.feedback.value_or("")));
  co_return co_await give(ask, std::move(answer));
}

// ---- conversations -----------------------------------------------------------------------------------------------------------

Task<Result<std::string>> WebviewServer::Connection::begin(std::string agent, std::string folder) {
  const hub::Conversation* const row = shown_.conversation();
  const std::vector<hub::AgentInfo> agents = hub_.agents();
  const std::string chosen = !agent.empty() ? agent : server_.settings_.agent;
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
  for (const std::string& workspace_folder : std::vector(shown_.workspace_folders())) {
    PARLANCE_CO_TRY(another, co_await folder_check_.resolve_for(agents, by->id, workspace_folder));
    if (another != wanted.folder) wanted.folders.push_back(std::move(another));
  }
  PARLANCE_CO_TRY(made, co_await hub_.create(std::move(wanted)));
  wanted_ = {};
  editor_.choose_folder("");
  co_return made.id;
}

Task<Result<void>> WebviewServer::Connection::perform(NewConversation& m) {
  PARLANCE_CO_TRY(made, co_await begin(std::move(m.agent).value_or(""), editor_.folder_for_new()));
  co_await shown_.show(made);
  co_return Result<void>{};
}

Task<Result<void>> WebviewServer::Connection::perform(SwitchConversation& m) {
  if (hub_.find(m.conversation_id) == nullptr)
    co_return fail(Errc::not_found, "$.conversationId: no such conversation: " + m.conversation_id);
  co_await shown_.show(std::move(m.conversation_id));
  co_return Result<void>{};
}

Task<Result<void>> WebviewServer::Connection::perform(DeleteConversation& m) {
  PARLANCE_CO_TRY_DO(co_await hub_.submit(m.conversation_id, hub::RemoveConversation{}));
  if (m.conversation_id == shown_.id()) co_await shown_.show("");
  co_return Result<void>{};
}

Task<Result<void>> WebviewServer::Connection::perform(ClearConversation&) {
  if (shown_.id().empty()) co_return fail(Errc::not_found, std::string(none_shown));
  co_return co_await hub_.submit(shown_.id(), hub::ClearConversation{});
}

// A conversation without messages can still change its folder: a new one replaces it.
Task<Result<void>> WebviewServer::Connection::perform(SetWorkspaceFolder& m) {
  const std::string by = shown_.conversation() == nullptr ? "" : shown_.conversation()->agent;
  PARLANCE_CO_TRY(folder, co_await folder_check_.resolve_for(hub_.agents(), by, std::move(m.folder)));
  const hub::Conversation* const row = shown_.conversation();
  if (row == nullptr) {
    editor_.choose_folder(std::move(folder));
    co_return Result<void>{};
  }
  if (row->folder == folder) co_return Result<void>{};
  if (row->last_seq != 0)
    co_return fail(Errc::invalid_request,
                   "this conversation works in " + row->folder + " and cannot move: begin a new conversation for " + folder);
  const hub::Conversation before = *row;
  wanted_ = {.mode = before.mode, .model = before.model, .think = before.think};
  PARLANCE_CO_TRY(made, co_await begin(before.agent, std::move(folder)));
  co_await shown_.show(made);
  co_return co_await hub_.submit(before.id, hub::RemoveConversation{});
}

// ---- settings -----------------------------------------------------------------------------------------------------------------

Task<Result<void>> WebviewServer::Connection::set(hub::ConversationChanges changes) {
  if (shown_.conversation() == nullptr) {
    if (changes.mode) wanted_.mode = changes.mode;
    if (changes.model) wanted_.model = std::move(changes.model);
    if (changes.think) wanted_.think = changes.think;
    co_return Result<void>{};
  }
  if (!changes.mode && !changes.model && !changes.think) co_return Result<void>{};
  PARLANCE_CO_TRY_DO(co_await hub_.submit(shown_.id(), hub::ChangeSettings{std::move(changes)}));
  co_return Result<void>{};
}

Task<Result<void>> WebviewServer::Connection::perform(SetMode& m) { return set({.mode = to_hub(m.mode)}); }
Task<Result<void>> WebviewServer::Connection::perform(SetModel& m) { return set({.model = std::move(m.model)}); }
Task<Result<void>> WebviewServer::Connection::perform(SetThink& m) {
  const auto think = m.think ? m.think : m.enabled;
  if (!think) co_return fail(Errc::invalid_params, "$.think: true or false");
  co_return co_await set({.think = think});
}

}  // namespace parlance::face
