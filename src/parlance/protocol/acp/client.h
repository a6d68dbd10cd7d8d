// SPDX-License-Identifier: Apache-2.0
// The client of an ACP agent: connects to it (a program on stdio, a WebSocket, HTTP, or any frames), sends requests and answers
// requests. Loop thread only. The handler must outlive the client. Do not destroy the client from inside a handler.
//
//   connecting -> initializing -> [signing_in] -> ready -> closed
//
// A session runs a single prompt; further prompts wait here in order. At the end of the connection, every waiting request fails
// with its reason, and sending ends.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/acp/client_handler.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/protocol/acp/prompt_queue.h"
#include "parlance/protocol/acp/version.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::acp {

enum class ConnectionState : std::uint8_t { connecting, initializing, signing_in, ready, closed };
constexpr auto wire_names(ConnectionState) { return wire::names("connecting", "initializing", "signing_in", "ready", "closed"); }

struct ClientSettings {
  Flavour flavour = Flavour::standard;
  // iFlow over WebSocket sends //ready first; not on stdio.
  bool waits_for_ready = false;
  std::chrono::milliseconds ready_timeout = limits::ready;
  std::chrono::milliseconds request_timeout = limits::request;
  // Content of initialize. The client sets the version.
  InitializeParams initialize{};
  // Login for agents with a required login. Absent: iFlow's own login with iFlow; with other agents an error with the methods.
  std::optional<Authenticate> sign_in{};
  // Command for a login in a terminal. `spawn` sets it.
  std::vector<std::string> command{};
  std::function<void(BytesView line)> on_stderr_line{};
};

class Client final {
 public:
  Client(Loop& loop, std::unique_ptr<Frames> frames, ClientHandler& handler, ClientSettings settings = {});
  // A program with the protocol on its stdin and stdout. Errors: as ChildProcess::start.
  static Result<std::unique_ptr<Client>> spawn(Loop& loop, ChildSettings program, ClientHandler& handler,
                                               ClientSettings settings = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Reads until the end of the connection; the owner starts it once. The error has the reason of the end.
  Task<Error> run();

  // ---- the connection
  // Sends initialize, and logs in if the agent requires a login at once. Call once, before all else. Errors: failed (another
  // version; missing login), and those of any call.
  Task<Result<void>> connect();
  Task<Result<Authenticated>> authenticate(Authenticate how);
  Task<Result<EmptyReply>> logout();
  void close() { peer_->close(); }  // Ends the connection at once.
  // Ends the connection in an orderly way: closes stdin, then as ChildProcess::stop. Without a program, a brief wait follows for
  // the answer to the end.
  Task<std::optional<ExitStatus>> stop();
  ConnectionState state() const { return state_; }
  const InitializeResult& agent() const { return agent_; }  // The agent's description of itself.
  const AgentCapabilities& can() const { return capabilities_; }

  // ---- sessions. An agent that answers that it wants a sign-in gets one, if `sign_in` says how, and is asked once more.
  Task<Result<SessionState>> new_session(NewSession what);
  Task<Result<SessionState>> load_session(LoadSession what);    // unknown_method: the agent lacks the method.
  Task<Result<SessionState>> resume_session(LoadSession what);  // As above.
  Task<Result<SessionList>> list_sessions(ListSessions what = {});
  Task<Result<EmptyReply>> close_session(std::string session);
  Task<Result<EmptyReply>> delete_session(std::string session);

  // ---- in a session
  Task<Result<PromptResult>> prompt(Prompt what);  // Runs the turn after earlier prompts of the session.
  // Ends waiting prompts with `cancelled`, and the running prompt after the agent's answer. Open permissions are answered
  // `cancelled`.
  void cancel(const std::string& session);
  Task<Result<ModeSet>> set_mode(std::string session, std::string mode);
  Task<Result<ModelSet>> set_model(std::string session, std::string model);
  Task<Result<ConfigOptions>> set_config_option(SetConfigOption what);
  Task<Result<iflow::ThinkSet>> set_think(std::string session, bool think, iflow::ThinkLevel level = iflow::ThinkLevel::think);
  // Any other method, unchanged: `_vendor/…`.
  Task<Result<wire::Raw>> request(std::string name, wire::Raw parameters);

  ChildProcess* child() { return child_.get(); }
  PeerStats stats() const { return peer_->stats(); }

 private:
  template <class P, class R>
  Task<Result<R>> ask(const wire::Call<P, R>& what, P parameters);
  template <class P, class R>
  Task<Result<R>> ask_signed_in(const wire::Call<P, R>& what, P parameters);
  Task<Result<void>> sign_in();
  Task<void> wait_for_ready();
  Task<Result<void>> end_of_run();
  Error with_ways_to_sign_in(Error error) const;
  void serve();
  void serve_terminals();
  void serve_iflow();

  Loop& loop_;
  ClientHandler& handler_;
  ClientSettings settings_;
  ConnectionState state_ = ConnectionState::connecting;
  InitializeResult agent_;
  AgentCapabilities capabilities_;
  bool is_ready_ = false;  // Reported by the agent.
  Signal ready_;
  PromptQueues prompts_;
  std::uint64_t legacy_calls_ = 0;
  Router router_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<Peer> peer_;
};

// True: the address is an agent to connect to, not a command: ws://, wss://, http://, https://.
bool is_agent_address(std::string_view text);
// The frames of an agent behind ws://, wss:// (errors: those of connect_websocket), http:// or https:// (http_frames.h).
Task<Result<std::unique_ptr<Frames>>> connect_to_agent(Loop& loop, std::string url, std::vector<HttpHeader> headers = {});

// A value of a session's option: text of a select, "true" or "false" of a boolean.
SetConfigOption choose_option(std::string session, const ConfigOption& option, std::string_view value);

}  // namespace parlance::acp
