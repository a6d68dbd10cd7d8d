// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/hub_over_acp.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/acp/attachment.h"
#include "parlance/face/acp/options.h"
#include "parlance/face/acp/served.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

constexpr std::size_t listed_at_once = 50;

// `why`: the agent's error text. Empty: the hub did not ask the agent.
Error no_session(const std::string& id, const std::string& reason = {}) {
  json::Object data;
  data.set("uri", id);
  if (!reason.empty() && !reason.starts_with("Resource not found")) data.set("reason", reason);
  return jsonrpc::with_code(acp::code::not_found, "Resource not found: " + id, json::to_text(json::Value(std::move(data))));
}

// Errors of the sessions, with the session's id.
Error of_session(Error error, const std::string& id) {
  return error.code == Errc::not_found ? no_session(id, error.message) : std::move(error);
}

wire::Raw null() { return {.json = "null"}; }

}  // namespace

class AcpFrontend::Connection {
 public:
  Connection(AcpFrontend& frontend, AcpSessions& sessions, std::unique_ptr<Frames> frames, acp::Flavour flavour,
             AcpExtension* extension)
      : frontend_(frontend),
        sessions_(sessions),
        peer_(frontend.loop_, std::move(frames), acp::dialect(acp::Side::agent, flavour), router_),
        client_{.peer = peer_, .flavour = flavour, .alone = frontend.settings_.alone},
        scope_(frontend.loop_) {
    serve_connection();
    if (extension != nullptr) extension->serve(router_, client_);
    if (extension != nullptr) scope_.start(extension->begin(peer_));
    serve_sessions();
    serve_turns();
    serve_choices();
    frontend_.connections_.insert(this);
  }
  ~Connection() { frontend_.connections_.erase(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Task<Error> run() { return peer_.run(); }
  void cancel_all() {
    for (auto& [id, attachment] : attached_) attachment->cancel();
  }

 private:
  using State = Result<acp::SessionState>;

  template <wire::FixedText Name, class F>
  void serve(F handler) {
    serve_permitted<Name>(router_, sessions_, std::move(handler));
  }
  void serve_connection();
  void serve_sessions();
  void serve_turns();
  void serve_choices();

  Result<acp::InitializeResult> initialize(const acp::InitializeParams& asked);
  acp::AgentCapabilities capabilities() const;
  Task<Result<AcpSessionRequest>> requested_session(std::string agent, std::string cwd, std::vector<std::string> folders,
                                                    std::vector<acp::McpServer> servers,
                                                    const std::optional<acp::IflowSettings>& settings);
  // Considers only the agents of the client's user: the answer reveals no runners of other users.
  Task<Result<std::string>> check_folder(std::string agent, std::string folder) {
    if (frontend_.settings_.check_folder) return frontend_.settings_.check_folder(std::move(agent), std::move(folder));
    return frontend_.folders_.resolve_for(sessions_.agents(), std::move(agent), std::move(folder));
  }
  Task<State> begin(acp::NewSession request);
  Task<State> load(acp::LoadSession request, bool history);
  // `servers`: the names of the client's MCP servers.
  Task<State> attach(AcpSessionPtr session, bool history, const std::optional<acp::IflowSettings>& settings,
                     std::vector<std::string> servers);
  Task<Result<acp::SessionList>> list(acp::ListSessions request);
  Task<Result<acp::EmptyReply>> close(std::string id);
  Task<Result<acp::EmptyReply>> remove(std::string id);
  Task<Result<acp::PromptResult>> prompt(acp::Prompt request);
  Task<Result<void>> change(std::string id, hub::ConversationChanges changes);
  Task<Result<acp::ConfigOptions>> set_option(acp::SetConfigOption request);
  // The client's end of a session. Null: the client has no session with this id.
  std::shared_ptr<AcpAttachment> find(const std::string& id) const {
    const auto found = attached_.find(id);
    return found == attached_.end() ? nullptr : found->second;
  }
  void cancel(const std::string& id) {
    if (const auto attachment = find(id)) attachment->cancel();
  }

  AcpFrontend& frontend_;
  AcpSessions& sessions_;
  Router router_;
  Peer peer_;
  AcpClient client_;
  bool initialized_ = false;
  // Shared with the tasks of an attachment: a closed session lives until the tasks end.
  std::map<std::string, std::shared_ptr<AcpAttachment>> attached_;
  Scope scope_;  // destroyed first
};

// ---- the connection ----------------------------------------------------------------------------------------------------------

void AcpFrontend::Connection::serve_connection() {
  router_.on_unknown([](std::string_view method) { return acp::unknown_method(method); });
  serve<"initialize">([this](const acp::InitializeParams& asked, Context&) { return initialize(asked); });
  serve<"authenticate">([this](const acp::Authenticate& asked, Context&) -> Result<acp::Authenticated> {
    if (client_.iflow()) return acp::Authenticated{.method_id = asked.method_id};
    return fail(Errc::invalid_params, "this server has no sign-in: the agent behind this connection uses its own account");
  });
}

acp::AgentCapabilities AcpFrontend::Connection::capabilities() const {
  const acp::Supported yes;
  acp::AgentCapabilities all{.load_session = true};
  all.prompt = acp::PromptCapabilities{.image = takes_pictures(sessions_.agent()), .embedded_context = true};
  all.mcp = acp::McpCapabilities{.http = sessions_.takes_servers(), .sse = sessions_.takes_servers()};
  all.session = acp::SessionCapabilities{.list = yes, .remove = yes, .additional_directories = yes, .resume = yes, .close = yes};
  return all;
}

Result<acp::InitializeResult> AcpFrontend::Connection::initialize(const acp::InitializeParams& asked) {
  if (std::exchange(initialized_, true))
    return fail(jsonrpc::with_code(acp::code::invalid_request, "Initialize not allowed on existing connection"));
  const acp::ClientCapabilities can = asked.capabilities.value_or(acp::ClientCapabilities{});
  if (asked.client && !asked.client->name.empty()) client_.name = asked.client->name;
  client_.shows.forms = can.elicitation && can.elicitation->form;
  client_.shows.notices = can.session && can.session->notices;
  client_.shows.boolean_options = can.session && can.session->config_options && can.session->config_options->boolean;
  client_.files.reads = can.fs && can.fs->read_text_file;
  client_.files.writes = can.fs && can.fs->write_text_file;
  if (can.terminal) log(LogLevel::info, "commands run on this host, not in terminals of the client", {{"client", client_.name}});
  for (const auto& [member, value] : {std::pair("hooks", &asked.hooks), {"commands", &asked.commands}, {"agents", &asked.agents}})
    if (!value->json.empty() && value->json != "null" && value->json != "[]" && value->json != "{}")
      log(LogLevel::warn, "a member of initialize has no effect", {{"client", client_.name}, {"member", member}});
  acp::InitializeResult result{
      .protocol_version = static_cast<std::int64_t>(acp::answered_version(asked.protocol_version)),
      .capabilities = capabilities(),
      .agent = acp::Implementation{.name = "parlance", .title = "Parlance", .version = frontend_.settings_.version}};
  if (client_.iflow()) result.is_authenticated = true;
  return result;
}

// ---- sessions ------------------------------------------------------------------------------------------------------------------

void AcpFrontend::Connection::serve_sessions() {
  serve<"session/new">([this](acp::NewSession& request, Context&) { return begin(std::move(request)); });
  serve<"session/load">([this](acp::LoadSession& request, Context&) { return load(std::move(request), true); });
  serve<"session/resume">([this](acp::LoadSession& request, Context&) { return load(std::move(request), false); });
  serve<"session/list">([this](acp::ListSessions& request, Context&) { return list(std::move(request)); });
  serve<"session/close">([this](acp::OfSession& request, Context&) { return close(std::move(request.session_id)); });
  serve<"session/delete">([this](acp::OfSession& request, Context&) { return remove(std::move(request.session_id)); });
}

Task<Result<AcpSessionRequest>> AcpFrontend::Connection::requested_session(std::string agent, std::string cwd,
                                                                           std::vector<std::string> folders,
                                                                           std::vector<acp::McpServer> servers,
                                                                           const std::optional<acp::IflowSettings>& settings) {
  AcpSessionRequest wanted{.agent = std::move(agent), .servers = std::move(servers)};
  // A client without the permission `create` can only open existing conversations, in their stored folders.
  // The frontend skips the folder check, because the result reveals which folders exist.
  if (!sessions_.check(hub::Permission::create)) {
    wanted.folder = std::move(cwd);
    co_return wanted;
  }
  if (!cwd.starts_with('/')) co_return fail(Errc::invalid_params, "$.cwd: an absolute path is needed, not \"" + cwd + "\"");
  auto folder = co_await check_folder(wanted.agent, std::move(cwd));
  if (!folder) co_return fail(Errc::invalid_params, "$.cwd: " + folder.error().message);
  wanted.folder = *std::move(folder);
  if (settings && settings->add_dirs) folders.insert(folders.end(), settings->add_dirs->begin(), settings->add_dirs->end());
  for (std::string& extra : folders) {
    if (!extra.starts_with('/'))
      co_return fail(Errc::invalid_params, "$.additionalDirectories: an absolute path is needed, not \"" + extra + "\"");
    auto more = co_await check_folder(wanted.agent, std::move(extra));
    if (!more) co_return fail(Errc::invalid_params, "$.additionalDirectories: " + more.error().message);
    wanted.folders.push_back(*std::move(more));
  }
  if (settings) wanted.mode = mode_of(*settings);
  if (settings && settings->disallowed_tools) wanted.disallowed_tools = *settings->disallowed_tools;
  co_return wanted;
}

Task<AcpFrontend::Connection::State> AcpFrontend::Connection::begin(acp::NewSession request) {
  std::vector<std::string> servers = names_of(request.mcp_servers);
  PARLANCE_CO_TRY(wanted,
                  co_await requested_session(agent_in(request.meta), std::move(request.cwd),
                                             std::move(request.additional_directories).value_or(std::vector<std::string>{}),
                                             std::move(request.mcp_servers), request.settings));
  PARLANCE_CO_TRY(session, co_await sessions_.create(std::move(wanted)));
  const std::string id = session->id;
  PARLANCE_CO_TRY(state, co_await attach(std::move(session), false, request.settings, std::move(servers)));
  state.session_id = id;
  co_return state;
}

Task<AcpFrontend::Connection::State> AcpFrontend::Connection::load(acp::LoadSession request, bool history) {
  std::vector<std::string> servers = names_of(request.mcp_servers);
  PARLANCE_CO_TRY(wanted,
                  co_await requested_session(agent_in(request.meta), std::move(request.cwd),
                                             std::move(request.additional_directories).value_or(std::vector<std::string>{}),
                                             std::move(request.mcp_servers), request.settings));
  const std::string folder = wanted.folder;
  const std::vector<std::string> folders = wanted.folders;
  auto session = co_await sessions_.open(request.session_id, std::move(wanted));
  if (!session) co_return std::unexpected(of_session(std::move(session).error(), request.session_id));
  attached_.erase(request.session_id);  // loading replaces the attachment
  const hub::Conversation* const row = (*session)->hub.find((*session)->conversation);
  const std::string own = row == nullptr ? folder : row->folder;
  const std::vector<std::string> more = row == nullptr ? folders : row->folders;
  // An iFlow client reads a replayed history as the answer to the next prompt, and iFlow itself replays no history.
  auto state = co_await attach(*std::move(session), history && !client_.iflow(), request.settings, std::move(servers));
  if (state && client_.iflow()) state->session_id = request.session_id;  // as iFlow does
  if (const auto attachment = find(request.session_id); state && attachment) {
    if (own != folder) attachment->remark("This session works in " + own + ", not in " + folder + ".");
    for (const std::string& extra : folders)
      if (extra != own && std::ranges::find(more, extra) == more.end())
        attachment->remark("This session does not work in " + extra + ": a session keeps its first folders.");
  }
  co_return state;
}

Task<AcpFrontend::Connection::State> AcpFrontend::Connection::attach(AcpSessionPtr session, bool history,
                                                                     const std::optional<acp::IflowSettings>& settings,
                                                                     std::vector<std::string> servers) {
  const bool lost = !servers.empty() && !session->takes_servers;
  std::erase_if(servers, [&](const std::string& server) {
    return !session->takes_servers || std::ranges::find(session->servers, server) != session->servers.end();
  });
  const std::string id = session->id;
  const auto attachment = std::make_shared<AcpAttachment>(frontend_.loop_, client_, std::move(session));
  attached_[id] = attachment;
  if (settings) attachment->set_prompt_options(options_of(*settings));
  if (settings && settings->allowed_tools)
    attachment->remark(
        "allowed_tools disables no tool of this host. The session begins in the mode default or plan, where calls need approval.");
  if (settings && settings->disallowed_tools && *settings->disallowed_tools != attachment->session().disallowed_tools)
    attachment->remark("disallowed_tools has no effect: an open session keeps its tools.");
  if (lost)
    attachment->remark("MCP servers of a client do not reach agents of this host: name these servers in its parlance.toml.");
  for (const std::string& server : servers)
    attachment->remark("The MCP server " + server + " does not reach this session: an open session keeps its MCP servers.");
  const auto begun = co_await attachment->begin(history);
  if (!begun) {
    attached_.erase(id);
    co_return std::unexpected(of_session(begun.error(), id));
  }
  co_return attachment->state();
}

// The cursor is the number of sessions on earlier pages. A new session appears at the front, so a client may receive a session
// twice.
Task<Result<acp::SessionList>> AcpFrontend::Connection::list(acp::ListSessions request) {
  std::size_t from = 0;
  if (request.cursor) {
    const auto number = parse_number<std::size_t>(*request.cursor);
    if (!number) co_return fail(Errc::invalid_params, "invalid $.cursor: take the cursor from the previous page");
    from = *number;
  }
  PARLANCE_CO_TRY(all, co_await sessions_.list(std::move(request.cwd)));
  acp::SessionList page;
  for (std::size_t i = from; i < all.size() && i < from + listed_at_once; ++i) page.sessions.push_back(std::move(all[i]));
  if (from + listed_at_once < all.size()) page.next_cursor = std::to_string(from + listed_at_once);
  co_return page;
}

Task<Result<acp::EmptyReply>> AcpFrontend::Connection::close(std::string id) {
  const auto attachment = find(id);
  if (!attachment) co_return fail(no_session(id));
  attachment->cancel(AcpAttachment::Whose::own);
  attached_.erase(id);
  AcpSession& session = attachment->session();
  if (session.clients == 1) co_await sessions_.closed(attachment->shared_session());
  co_return acp::EmptyReply{};
}

Task<Result<acp::EmptyReply>> AcpFrontend::Connection::remove(std::string id) {
  if (const auto attachment = find(id)) attachment->cancel(AcpAttachment::Whose::own);
  attached_.erase(id);
  // A missing session is no error: the session is already removed.
  if (auto removed = co_await sessions_.remove(id); !removed && removed.error().code != Errc::not_found)
    co_return std::unexpected(of_session(std::move(removed).error(), id));
  co_return acp::EmptyReply{};
}

// ---- turns -----------------------------------------------------------------------------------------------------------------------

void AcpFrontend::Connection::serve_turns() {
  serve<"session/prompt">([this](acp::Prompt& request, Context&) { return prompt(std::move(request)); });
  serve<"session/cancel">([this](const acp::OfSession& request, Context&) { cancel(request.session_id); });
  serve<"session/cancel (request)">([this](const acp::OfSession& request, Context&) -> Result<wire::Raw> {
    cancel(request.session_id);
    return null();
  });
}

Task<Result<acp::PromptResult>> AcpFrontend::Connection::prompt(acp::Prompt request) {
  const auto attachment = find(request.session_id);
  if (!attachment) co_return fail(no_session(request.session_id));
  PARLANCE_CO_TRY(said, acp_prompt(request.prompt));
  co_return co_await attachment->prompt(std::move(said));
}

// ---- choices ---------------------------------------------------------------------------------------------------------------------

Task<Result<void>> AcpFrontend::Connection::change(std::string id, hub::ConversationChanges changes) {
  const auto attachment = find(id);
  if (!attachment) co_return fail(no_session(id));
  AcpSession& session = attachment->session();
  PARLANCE_CO_TRY_DO(co_await session.hub.submit(session.conversation, hub::ChangeSettings{std::move(changes)}));
  co_return Result<void>{};
}

Task<Result<acp::ConfigOptions>> AcpFrontend::Connection::set_option(acp::SetConfigOption request) {
  const auto attachment = find(request.session_id);
  const hub::Conversation* const row = attachment ? attachment->conversation() : nullptr;
  if (row == nullptr) co_return fail(no_session(request.session_id));
  AcpSession& session = attachment->session();
  PARLANCE_CO_TRY(choice, acp_choice(attachment->agent(), *row, request.config_id, request.value.json));
  if (const auto* option = std::get_if<AgentOptionChosen>(&choice)) {
    PARLANCE_CO_TRY_DO(
        co_await session.hub.submit(session.conversation, hub::SetOption{.option = option->id, .value = option->value}));
  } else {
    PARLANCE_CO_TRY_DO(co_await session.hub.submit(session.conversation,
                                                   hub::ChangeSettings{std::get<hub::ConversationChanges>(std::move(choice))}));
  }
  co_return acp::ConfigOptions{.config_options = attachment->options()};
}

void AcpFrontend::Connection::serve_choices() {
  serve<"session/set_mode">([this](acp::SetMode& request, Context&) -> Task<Result<acp::ModeSet>> {
    const auto attachment = find(request.session_id);
    if (!attachment) co_return fail(no_session(request.session_id));
    PARLANCE_CO_TRY(mode, acp_mode_choice(attachment->agent(), request.mode_id));
    PARLANCE_CO_TRY_DO(co_await change(request.session_id, {.mode = mode}));
    if (!client_.iflow()) co_return acp::ModeSet{};
    co_return acp::ModeSet{.success = true, .current_mode_id = request.mode_id};
  });
  serve<"session/set_model">([this](acp::SetModel& request, Context&) -> Task<Result<acp::ModelSet>> {
    const auto attachment = find(request.session_id);
    if (!attachment) co_return fail(no_session(request.session_id));
    PARLANCE_CO_TRY(model, acp_model_choice(attachment->agent(), request.model_id));
    PARLANCE_CO_TRY_DO(co_await change(request.session_id, {.model = std::move(model)}));
    if (!client_.iflow()) co_return acp::ModelSet{};
    co_return acp::ModelSet{.success = true, .current_model_id = request.model_id};
  });
  serve<"session/set_config_option">([this](acp::SetConfigOption& request, Context&) { return set_option(std::move(request)); });
  // Agents of the hub choose the amount of thinking themselves: each of iFlow's three words means yes.
  serve<"session/set_think">([this](acp::iflow::SetThink& request, Context&) -> Task<Result<acp::iflow::ThinkSet>> {
    PARLANCE_CO_TRY_DO(co_await change(request.session_id, {.think = request.think_enabled}));
    co_return acp::iflow::ThinkSet{
        .success = true, .current_think_enabled = request.think_enabled, .current_think_config = request.think_config};
  });
}

// ---- the frontend ----------------------------------------------------------------------------------------------------------------

AcpFrontend::AcpFrontend(Loop& loop, AcpSessions& sessions, AcpFrontendSettings settings)
    : loop_(loop), sessions_(sessions), settings_(std::move(settings)), folders_(loop, settings_.home) {}

AcpFrontend::~AcpFrontend() = default;

Task<void> AcpFrontend::serve(std::unique_ptr<Frames> frames, acp::Flavour flavour) {
  return serve(std::move(frames), std::shared_ptr<AcpSessions>(std::shared_ptr<void>(), &sessions_), flavour);
}

Task<void> AcpFrontend::serve(std::unique_ptr<Frames> frames, std::shared_ptr<AcpSessions> sessions, acp::Flavour flavour) {
  Connection connection(*this, *sessions, std::move(frames), flavour, nullptr);
  const Error end = co_await connection.run();
  log(LogLevel::debug, "a client has disconnected", {{"why", end.message}});
}

Task<Error> AcpFrontend::serve(std::unique_ptr<Frames> frames, acp::Flavour flavour, AcpExtension* extension) {
  Connection connection(*this, sessions_, std::move(frames), flavour, extension);
  co_return co_await connection.run();
}

void AcpFrontend::cancel_all() {
  for (Connection* connection : connections_) connection->cancel_all();
}

}  // namespace parlance::face
