// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/client.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/http_frames.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/http/websocket_client.h"
#include "parlance/transport/joined_lines.h"

namespace parlance::acp {
namespace {

constexpr std::string_view iflow_sign_in = "iflow";

// Updates come by the ten thousand: no coroutine for each, only where the handler has no room.
class UpdateHandler final : public Handler {
 public:
  explicit UpdateHandler(ClientHandler& to) : to_(to) {}
  Result<Task<void>> begin(const Body* body, RunningCall&, const std::function<std::unique_ptr<RunningCall>()>&) override {
    SessionUpdate update;
    PARLANCE_TRY_DO(parlance::detail::read_parameters(body, update));
    to_.on_update(std::move(update));
    return to_.congested() ? to_.wait_writable() : Task<void>{};
  }

 private:
  ClientHandler& to_;
};

Error cannot(std::string_view what, const InitializeResult& agent) {
  const std::string name = agent.agent ? agent.agent->name : "the agent";
  return {.code = Errc::unknown_method, .message = name + " does not offer " + std::string(what)};
}

bool is_http(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

}  // namespace

Client::Client(Loop& loop, std::unique_ptr<Frames> frames, ClientHandler& handler, ClientSettings settings)
    : loop_(loop), handler_(handler), settings_(std::move(settings)), ready_(loop), prompts_(loop) {
  serve();
  serve_terminals();
  serve_iflow();
  PeerSettings peer{.call_timeout = settings_.request_timeout};
  peer.explain_end = [this](Error error) -> Task<Error> {
    if (child_) error = co_await child_->why_it_ended();
    state_ = ConnectionState::closed;
    ready_.notify_all();
    co_return error;
  };
  peer_ = std::make_unique<Peer>(loop, std::move(frames), dialect(Side::client, settings_.flavour), router_, std::move(peer));
}

Result<std::unique_ptr<Client>> Client::spawn(Loop& loop, ChildSettings program, ClientHandler& handler,
                                              ClientSettings settings) {
  program.on_stderr_line = std::move(settings.on_stderr_line);
  settings.command = program.command;
  PARLANCE_TRY(child, ChildProcess::start(loop, std::move(program)));
  auto client = std::make_unique<Client>(
      loop, framed_stream(loop, child->take_stream(), joined_line_framing(limits::message_bytes)), handler, std::move(settings));
  client->child_ = std::move(child);
  return client;
}

Client::~Client() {
  peer_.reset();  // handlers go first
  child_.reset();
}

Task<Error> Client::run() {
  Error end = co_await peer_->run();
  state_ = ConnectionState::closed;
  ready_.notify_all();
  co_return end;
}

Task<Result<void>> Client::end_of_run() {
  while (state_ != ConnectionState::closed) co_await ready_.wait();
  co_return Result<void>{};
}

// ---- requests of the agent
// --------------------------------------------------------------------------------------------------------

void Client::serve() {
  router_.on_unknown(unknown_method);
  router_.on_notice(std::string(method::update.method), std::make_unique<UpdateHandler>(handler_));
  router_.on(method::request_permission, [this](RequestPermission& asked, Context&) -> Task<Result<PermissionReply>> {
    PromptQueues::Place* const turn = prompts_.running(asked.session_id);
    if (turn == nullptr) co_return co_await handler_.request_permission(std::move(asked));
    auto answer = co_await under(turn->cancelled(), handler_.request_permission(std::move(asked)));
    if (!answer && answer.error().code == Errc::cancelled) co_return not_selected();
    co_return answer;
  });
  router_.on(method::read_text_file,
             [this](ReadTextFile& request, Context&) { return handler_.read_text_file(std::move(request)); });
  router_.on(method::write_text_file,
             [this](WriteTextFile& request, Context&) { return handler_.write_text_file(std::move(request)); });
  router_.on(method::elicit, [this](CreateElicitation& request, Context&) { return handler_.elicit(std::move(request)); });
  router_.on(method::elicitation_complete,
             [this](const ElicitationComplete& request, Context&) { handler_.elicitation_complete(request); });
}

void Client::serve_terminals() {
  router_.on(method::create_terminal,
             [this](CreateTerminal& request, Context&) { return handler_.create_terminal(std::move(request)); });
  router_.on(method::terminal_output, [this](const OfTerminal& request, Context&) { return handler_.terminal_output(request); });
  router_.on(method::wait_for_exit, [this](OfTerminal& request, Context&) { return handler_.wait_for_exit(std::move(request)); });
  router_.on(method::kill_terminal, [this](const OfTerminal& request, Context&) { return handler_.kill_terminal(request); });
  router_.on(method::release_terminal,
             [this](const OfTerminal& request, Context&) { return handler_.release_terminal(request); });
}

void Client::serve_iflow() {
  if (settings_.flavour != Flavour::iflow) return;
  router_.on(method::iflow_ready, [this](const wire::Nothing&, Context&) {
    is_ready_ = true;
    ready_.notify_all();
  });
  router_.on(method::iflow_questions,
             [this](iflow::Questions& request, Context&) { return handler_.questions(std::move(request)); });
  router_.on(method::iflow_plan_exit,
             [this](iflow::PlanExit& request, Context&) { return handler_.plan_exit(std::move(request)); });
  // From before ACP: answered, so that the agent continues; updates carry the same data.
  router_.on(method::push_tool_call, [this](const wire::Raw&, Context&) -> Result<iflow::LegacyCall> {
    return iflow::LegacyCall{.id = "tool_" + std::to_string(++legacy_calls_)};
  });
  const auto nothing = [](const wire::Raw&, Context&) -> Result<wire::Raw> { return wire::Raw{"null"}; };
  router_.on(method::update_tool_call, nothing);
  router_.on(method::notify_task_finish, nothing);
}

// ---- the connection ----------------------------------------------------------------------------------------------------------------

Task<void> Client::wait_for_ready() {
  const auto said = [](Client& client) -> Task<Result<void>> {
    while (!client.is_ready_ && client.state_ != ConnectionState::closed) co_await client.ready_.wait();
    co_return Result<void>{};
  };
  // An agent without this message is used all the same.
  static_cast<void>(co_await with_deadline(loop_, loop_.now() + settings_.ready_timeout, said(*this)));
}

Task<Result<void>> Client::connect() {
  if (settings_.waits_for_ready) co_await wait_for_ready();
  if (state_ != ConnectionState::closed) state_ = ConnectionState::initializing;
  InitializeParams what = settings_.initialize;
  what.protocol_version = highest_version;
  PARLANCE_CO_TRY(agent, co_await ask(method::initialize, std::move(what)));
  if (!agreed(agent.protocol_version)) {
    close();
    co_return fail(Errc::failed, "the agent speaks version " + std::to_string(agent.protocol_version) +
                                     " of the Agent Client Protocol, and this program " + std::to_string(highest_version));
  }
  agent_ = std::move(agent);
  capabilities_ = agent_.capabilities.value_or(AgentCapabilities{});
  if (agent_.is_authenticated == false) PARLANCE_CO_TRY_DO(co_await sign_in());
  state_ = ConnectionState::ready;
  co_return Result<void>{};
}

Task<Result<void>> Client::sign_in() {
  std::optional<Authenticate> how = settings_.sign_in;
  if (!how && settings_.flavour == Flavour::iflow) how = Authenticate{.method_id = std::string(iflow_sign_in)};
  if (!how) co_return fail(with_ways_to_sign_in(auth_required("the agent wants a sign-in")));
  state_ = ConnectionState::signing_in;
  const auto done = co_await ask(method::authenticate, *std::move(how));
  if (!done) co_return fail(Error(done.error()).in("signing in"));
  state_ = ConnectionState::ready;
  co_return Result<void>{};
}

namespace {

// The terminal command for a sign-in.
std::string in_terminal(const AuthMethod& method, const std::vector<std::string>& command) {
  std::string line;
  for (const auto& [name, value] : method.env) line += name + "=" + shell_word(value) + " ";
  if (command.empty()) line += "(the agent)";
  for (const std::string& word : command) line += (&word == command.data() ? "" : " ") + shell_word(word);
  for (const std::string& word : method.args) line += " " + shell_word(word);
  return line;
}

}  // namespace

// Adds the ways to sign in to the message, for people.
Error Client::with_ways_to_sign_in(Error error) const {
  if (agent_.auth_methods.empty()) return error;
  error.message += ". It offers:";
  for (const AuthMethod& auth_method : agent_.auth_methods) {
    error.message += " " + auth_method.id + " (" + auth_method.name;
    if (auth_method.type == "terminal") error.message += ": in a terminal, run " + in_terminal(auth_method, settings_.command);
    error.message += ")";
  }
  return error;
}

Task<Result<Authenticated>> Client::authenticate(Authenticate how) { return ask(method::authenticate, std::move(how)); }
Task<Result<EmptyReply>> Client::logout() {
  if (!capabilities_.auth || !capabilities_.auth->logout) co_return fail(cannot(method::logout.method, agent_));
  co_return co_await ask(method::logout, Logout{});
}

Task<std::optional<ExitStatus>> Client::stop() {
  if (!child_) {
    peer_->finish();
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + limits::goodbye, end_of_run()));
    peer_->close();
    co_return std::nullopt;
  }
  co_return co_await child_->stop();
}

// ---- sessions ------------------------------------------------------------------------------------------------------------------------

template <class P, class R>
Task<Result<R>> Client::ask(const wire::Call<P, R>& what, P parameters) {
  co_return co_await peer_->call(what, std::move(parameters));
}

template <class P, class R>
Task<Result<R>> Client::ask_signed_in(const wire::Call<P, R>& what, P parameters) {
  auto answer = co_await peer_->call(what, parameters);
  if (answer || !is_auth_required(answer.error())) co_return answer;
  if (!settings_.sign_in && settings_.flavour == Flavour::standard)
    co_return fail(with_ways_to_sign_in(std::move(answer).error()));
  PARLANCE_CO_TRY_DO(co_await sign_in());
  co_return co_await peer_->call(what, std::move(parameters));
}

Task<Result<SessionState>> Client::new_session(NewSession what) {
  PARLANCE_CO_TRY(begun, co_await ask_signed_in(method::new_session, std::move(what)));
  if (!begun.session_id || begun.session_id->empty()) co_return fail(Errc::failed, "the agent began a session without a name");
  co_return begun;
}

Task<Result<SessionState>> Client::load_session(LoadSession what) {
  // iFlow loads sessions without declaring the capability.
  if (!capabilities_.load_session && settings_.flavour != Flavour::iflow)
    co_return fail(cannot(method::load_session.method, agent_));
  co_return co_await ask_signed_in(method::load_session, std::move(what));
}

Task<Result<SessionState>> Client::resume_session(LoadSession what) {
  if (!capabilities_.session || !capabilities_.session->resume) co_return fail(cannot(method::resume_session.method, agent_));
  co_return co_await ask_signed_in(method::resume_session, std::move(what));
}

Task<Result<SessionList>> Client::list_sessions(ListSessions what) {
  if (!capabilities_.session || !capabilities_.session->list) co_return fail(cannot(method::list_sessions.method, agent_));
  co_return co_await ask_signed_in(method::list_sessions, std::move(what));
}

Task<Result<EmptyReply>> Client::close_session(std::string session) {
  if (!capabilities_.session || !capabilities_.session->close) co_return fail(cannot(method::close_session.method, agent_));
  co_return co_await ask(method::close_session, OfSession{.session_id = std::move(session)});
}

Task<Result<EmptyReply>> Client::delete_session(std::string session) {
  if (!capabilities_.session || !capabilities_.session->remove) co_return fail(cannot(method::delete_session.method, agent_));
  co_return co_await ask(method::delete_session, OfSession{.session_id = std::move(session)});
}

// ---- in a session ----------------------------------------------------------------------------------------------------------------------

Task<Result<PromptResult>> Client::prompt(Prompt what) {
  PromptQueues::Place place(prompts_, what.session_id);
  if (!co_await place.mine()) co_return PromptResult{.stop_reason = {.value = StopReason::cancelled}};
  co_return co_await peer_->call(method::prompt, std::move(what), no_deadline);
}

void Client::cancel(const std::string& session) {
  if (!prompts_.cancel(session)) return;
  static_cast<void>(peer_->notify(method::cancel, OfSession{.session_id = session}));  // iFlow takes the notice, too
}

Task<Result<ModeSet>> Client::set_mode(std::string session, std::string mode) {
  return ask(method::set_mode, SetMode{.session_id = std::move(session), .mode_id = std::move(mode)});
}
Task<Result<ModelSet>> Client::set_model(std::string session, std::string model) {
  return ask(method::set_model, SetModel{.session_id = std::move(session), .model_id = std::move(model)});
}
Task<Result<ConfigOptions>> Client::set_config_option(SetConfigOption what) {
  return ask(method::set_config_option, std::move(what));
}
Task<Result<iflow::ThinkSet>> Client::set_think(std::string session, bool think, iflow::ThinkLevel level) {
  iflow::SetThink what{.session_id = std::move(session), .think_enabled = think};
  if (think) what.think_config = wire::Open<iflow::ThinkLevel>{.value = level};
  return ask(method::set_think, std::move(what));
}

Task<Result<wire::Raw>> Client::request(std::string name, wire::Raw parameters) {
  co_return co_await peer_->call_named(name, wire::any_call(), std::move(parameters));
}

SetConfigOption choose_option(std::string session, const ConfigOption& option, std::string_view value) {
  const bool is_boolean = option.type == "boolean";
  return {.session_id = std::move(session),
          .config_id = option.id,
          .type = is_boolean ? std::optional<std::string>(option.type) : std::nullopt,
          .value = {is_boolean ? std::string(value == "true" ? "true" : "false") : json::to_text(json::Value(value))}};
}

bool is_agent_address(std::string_view text) { return is_http(text) || text.starts_with("ws://") || text.starts_with("wss://"); }

Task<Result<std::unique_ptr<Frames>>> connect_to_agent(Loop& loop, std::string url, std::vector<HttpHeader> headers) {
  if (is_http(url)) co_return http_frames(loop, std::move(url), std::move(headers));
  PARLANCE_CO_TRY(
      socket,
      co_await connect_websocket(
          loop, {.url = std::move(url), .headers = std::move(headers), .message_bytes = limits::message_bytes, .gathers = true}));
  co_return std::unique_ptr<Frames>(std::move(socket));
}

}  // namespace parlance::acp
