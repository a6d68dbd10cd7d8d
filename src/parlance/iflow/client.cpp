// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/client.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/iflow/attachments.h"
#include "parlance/iflow/errors.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance::iflow {
namespace {

parlance::LogLevel level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return parlance::LogLevel::debug;
    case LogLevel::info: return parlance::LogLevel::info;
    case LogLevel::warn: return parlance::LogLevel::warn;
    case LogLevel::error: return parlance::LogLevel::error;
  }
  return parlance::LogLevel::info;
}

Error not_connected() { return make_error(ErrorKind::connection, "Not connected. Call connect() first."); }

bool is_local(std::string_view url) {
  return std::ranges::any_of(std::array{"ws://localhost:", "ws://127.0.0.1:", "ws://[::1]:"},
                             [url](std::string_view start) { return url.starts_with(start); });
}

// Kinds of a start failure, each with its own remedy.
ErrorKind start_kind(const Error& error) {
  if (error.code == Errc::not_found) return ErrorKind::not_installed;
  if (error.code == Errc::overloaded) return ErrorKind::port_not_available;
  return ErrorKind::process;
}

acp::Raw servers_json(const std::vector<McpServer>& servers) {
  if (servers.empty()) return {};
  std::string out = "[";
  for (const McpServer& server : servers) out += (out.size() > 1 ? "," : "") + json::to_text(server);
  return {out + "]"};
}

void say(const Options& options, LogLevel level, const std::string& text) {
  if (level >= options.log_level) parlance::log(level_of(level), "iflow: " + text);
}

acp::ClientSettings protocol_settings(const Options& options) {
  acp::ClientSettings out{
      .flavour = acp::Flavour::iflow, .waits_for_ready = options.waits_for_ready, .request_timeout = options.timeout};
  out.initialize.capabilities = acp::ClientCapabilities{
      .fs = acp::FileSystemCapabilities{.read_text_file = options.file_access,
                                        .write_text_file = options.file_access && !options.file_read_only}};
  out.initialize.mcp_servers = servers_json(options.mcp_servers);
  out.initialize.hooks = hooks_json(options.hooks);
  out.initialize.commands = commands_json(options.commands);
  out.initialize.agents = agents_json(options.agents);
  out.sign_in = acp::Authenticate{.method_id = options.auth_method_id, .method_info = options.auth_method_info};
  return out;
}

bool approves_itself(const Options& options, const acp::RequestPermission& asked) {
  if (options.permission_mode == PermissionMode::automatic) return true;
  if (options.permission_mode != PermissionMode::selective) return false;
  const auto listed = [&options](std::string_view word) {
    return std::ranges::find(options.auto_approve_types, word) != options.auto_approve_types.end();
  };
  const acp::ToolCallUpdate& call = asked.tool_call;
  if (call.kind && call.kind->unknown.empty() && listed(wire::name_of(call.kind->value))) return true;
  return call.type && listed(*call.type);
}

}  // namespace

Client::Client(Loop& loop, Options options)
    : loop_(loop), options_(std::move(options)), folder_(folder_of(options_)), queue_(loop), pending_(loop), scope_(loop) {}

Client::~Client() { drop(); }

Worker& Client::file_worker() {
  if (!file_worker_) file_worker_ = std::make_unique<Worker>(loop_, "iflow-files");
  return *file_worker_;
}

// ---- the connection ---------------------------------------------------------------------------------------------------------------

Task<Result<void>> Client::connect() {
  if (connected_) {
    say(options_, LogLevel::warn, "it is connected already");
    co_return Result<void>{};
  }
  co_await disconnect();  // closes the rest of a broken connection
  Result<void> opened = co_await open();
  if (!opened) {
    co_await disconnect();
    co_return fail(std::move(opened).error().in("Failed to connect"));
  }
  say(options_, LogLevel::info, "connected, session " + session_id_);
  co_return opened;
}

Task<Result<void>> Client::open() {
  PARLANCE_CO_TRY_DO(check(options_));
  if (options_.file_access)
    file_access_ = std::make_shared<FileAccess>(FileAccessSettings{.cwd = folder_,
                                                                   .read_only = options_.file_read_only,
                                                                   .max_size = options_.file_max_size,
                                                                   .allowed_dirs = options_.file_allowed_dirs});
  PARLANCE_CO_TRY(frames, co_await reach());
  std::unique_ptr<Frames> seen = wrapped(std::move(frames));
  frames_ = seen.get();
  end_reported_ = false;
  mapper_ = {};
  acp_ =
      std::make_unique<acp::Client>(loop_, std::move(seen), static_cast<acp::ClientHandler&>(*this), protocol_settings(options_));
  queue_.begin();
  scope_.start(listen());
  if (const auto ready = co_await acp_->connect(); !ready) {
    const bool signing_in = acp_->state() == acp::ConnectionState::signing_in;
    co_return fail(as_kind(signing_in ? ErrorKind::authentication : kind_of(ready.error()), ready.error()));
  }
  PARLANCE_CO_TRY(session, co_await begin_session());
  session_id_ = std::move(session);
  connected_ = true;
  co_return Result<void>{};
}

Task<Result<std::unique_ptr<Frames>>> Client::reach() {
  url_.clear();
  if (options_.transport) co_return co_await options_.transport();
  std::string url = options_.url;
  if (options_.auto_start_process && is_local(url) && !co_await driver::answers_websocket(loop_, url)) {
    PARLANCE_CO_TRY(started, co_await start_program());
    url = std::move(started);
  }
  WebSocketClientSettings settings{.url = url, .connect_timeout = options_.timeout, .message_bytes = acp::limits::message_bytes};
  auto socket = co_await connect_websocket(loop_, std::move(settings));
  if (!socket) {
    const ErrorKind kind = socket.error().code == Errc::deadline_exceeded ? ErrorKind::timeout : ErrorKind::connection;
    co_return fail(as_kind(kind, std::move(socket).error()));
  }
  url_ = std::move(url);
  co_return std::unique_ptr<Frames>(*std::move(socket));
}

Task<Result<std::string>> Client::start_program() {
  say(options_, LogLevel::info, options_.url + " does not answer: iFlow is started");
  processes_ = std::make_unique<driver::ProcessManager>(loop_, options_.installation);
  const auto info = co_await processes_->resolve_start_mode(options_.node_path, options_.process_start_port);
  auto starting = info ? processes_->start(*info, folder_) : processes_->start_alone(options_.process_start_port, folder_);
  Result<driver::StartedIflow> started = co_await std::move(starting);
  if (!started) {
    const ErrorKind kind = start_kind(started.error());
    co_return fail(as_kind(kind, std::move(started).error()));
  }
  co_return started->url;
}

Task<Result<std::string>> Client::begin_session() {
  auto begun = co_await acp_->new_session({.cwd = folder_,
                                           .mcp_servers = options_.mcp_servers,
                                           .settings = options_.session_settings,
                                           .hooks = hooks_json(options_.hooks),
                                           .commands = commands_json(options_.commands),
                                           .agents = agents_json(options_.agents)});
  if (!begun) {
    const ErrorKind kind = begun.error().code == Errc::deadline_exceeded ? ErrorKind::timeout : ErrorKind::protocol;
    co_return fail(as_kind(kind, std::move(begun).error().in("session/new failed")));
  }
  co_return *begun->session_id;
}

Task<void> Client::listen() {
  const Error end = co_await acp_->run();
  if (connected_) push_failure(end);
  connected_ = false;
  pending_.give_up();
  queue_.end();
  on_end();
}

// The end of the connection is reported once, for any number of waiters.
void Client::push_failure(Error error) {
  if (acp_->state() == acp::ConnectionState::closed) {
    if (std::exchange(end_reported_, true)) return;
    error.code = Errc::disconnected;
  }
  say(options_, LogLevel::error, error.message);
  queue_.push(MessageMapper::failed(error));
}

// At once, without the program.
void Client::drop() {
  const bool was_there = acp_ != nullptr;
  connected_ = false;
  scope_.cancel();
  frames_ = nullptr;
  acp_.reset();
  session_id_.clear();
  queue_.end();
  if (was_there) on_end();
}

Task<void> Client::disconnect() {
  drop();
  if (processes_) co_await processes_->stop();
  processes_.reset();
}

// ---- messages -----------------------------------------------------------------------------------------------------------------------

Task<Result<void>> Client::send_message(std::string text, std::vector<std::string> files) {
  if (!connected_) co_return fail(not_connected());
  acp::Prompt prompt{.prompt = {acp::text(std::move(text))}};
  if (!files.empty()) {
    AttachedContent attached =
        co_await file_worker().run([files = std::move(files), folder = folder_] { return attach(files, folder); });
    for (const std::string& why : attached.left_out) say(options_, LogLevel::warn, why);
    for (acp::Content& block : attached.blocks) prompt.prompt.push_back(std::move(block));
    if (!connected_) co_return fail(not_connected());  // the connection may have ended meanwhile
  }
  prompt.session_id = session_id_;
  scope_.start(run_turn(std::move(prompt)));
  co_return Result<void>{};
}

Task<void> Client::run_turn(acp::Prompt prompt) {
  const auto result = co_await acp_->prompt(std::move(prompt));
  mapper_.turn_ended();
  if (result) queue_.push(MessageMapper::finished(*result));
  else push_failure(result.error());
}

Task<Result<void>> Client::load_session(std::string session_id) {
  if (!connected_) co_return fail(not_connected());
  const auto loaded =
      co_await acp_->load_session({.session_id = session_id, .cwd = folder_, .mcp_servers = options_.mcp_servers});
  if (!loaded && loaded.error().code == Errc::unknown_method)
    co_return fail(make_error(ErrorKind::protocol, "session/load is not supported by this agent: begin a new session instead"));
  if (!loaded) co_return fail(as_kind(ErrorKind::protocol, Error(loaded.error()).in("session/load failed")));
  session_id_ = std::move(session_id);
  co_return Result<void>{};
}

Result<void> Client::interrupt() {
  if (!connected_) return fail(not_connected());
  acp_->cancel(session_id_);
  pending_.give_up();
  return {};
}

Result<void> Client::send_raw(std::string_view frame) {
  if (frames_ == nullptr) return fail(not_connected());
  const auto sent = frames_->send(frame);
  if (!sent) return fail(as_kind(ErrorKind::transport, sent.error()));
  return {};
}

void Client::on_update(acp::SessionUpdate update) {
  if (std::optional<Message> message = mapper_.map(update)) queue_.push(*std::move(message));
}

// ---- requests of the agent
// -----------------------------------------------------------------------------------------------------------

Task<Result<acp::PermissionReply>> Client::request_permission(acp::RequestPermission asked) {
  const RequestNumber number = pending_.next();
  ToolCallMessage message = mapper_.asking(asked, number);
  std::vector<adapter::OfferedOption> offered = message.confirmation->options;
  if (options_.permission_mode != PermissionMode::interactive) {
    const adapter::PermissionChoice choice =
        approves_itself(options_, asked) ? adapter::approve_smallest(offered) : adapter::PermissionChoice{};
    co_return choice.option ? acp::selected(choice.option->id) : acp::not_selected();
  }
  auto waiting = pending_.permission(number, message.id, std::move(offered));
  queue_.push(std::move(message));
  co_return co_await std::move(waiting);
}

Task<Result<acp::iflow::Answers>> Client::questions(acp::iflow::Questions asked) {
  const RequestNumber number = pending_.next();
  std::set<std::string> lists;
  for (const acp::iflow::Question& question : asked.questions)
    if (question.multi_select) lists.insert(question.header);
  queue_.push(MessageMapper::asking(asked, number));
  co_return co_await pending_.questions(number, lists, options_.question_timeout);
}

Task<Result<acp::iflow::PlanDecision>> Client::plan_exit(acp::iflow::PlanExit asked) {
  const RequestNumber number = pending_.next();
  queue_.push(MessageMapper::asking(asked, number));
  co_return co_await pending_.plan(number);  // a person may read the plan without a time limit
}

Task<Result<acp::FileText>> Client::read_text_file(acp::ReadTextFile what) {
  if (!file_access_) co_return fail(Errc::failed, "File system access not configured");
  Result<std::string> text = co_await file_worker().run(
      [files = file_access_, what = std::move(what)] { return files->read(what.path, what.line, what.limit); });
  if (!text) co_return fail(std::move(text).error());
  co_return acp::FileText{.content = *std::move(text)};
}

Task<Result<acp::FileWritten>> Client::write_text_file(acp::WriteTextFile what) {
  if (!file_access_) co_return fail(Errc::failed, "File system access not configured");
  const Result<void> written = co_await file_worker().run(
      [files = file_access_, what = std::move(what)] { return files->write(what.path, what.content); });
  if (!written) co_return fail(written.error());
  co_return acp::FileWritten{.success = true};
}

// ---- answers of the person
// -----------------------------------------------------------------------------------------------------------

Result<adapter::PermissionChoice> Client::approve_tool_call(PermissionName request, ToolCallConfirmationOutcome outcome) {
  const auto* tool_id = std::get_if<std::string_view>(&request);
  const std::optional<RequestNumber> number = tool_id == nullptr ? std::get<RequestNumber>(request) : pending_.of_tool(*tool_id);
  if (!number) return fail(make_error(ErrorKind::validation, "Unknown tool call: " + std::string(*tool_id)));
  return pending_.choose(*number, outcome);
}

}  // namespace parlance::iflow
