// SPDX-License-Identifier: Apache-2.0
// The client of an ACP agent: reaches it (a program on stdio, a WebSocket, HTTP, any frames), asks it, answers it. Loop thread only. The handler
// outlives the client. Not to be destroyed from inside a handler.
//
//   connecting -> initializing -> [signing_in] -> ready -> closed
//
// A session has one prompt at a time: further ones wait here, in order. Every request that waits when the connection ends fails with the
// reason, and nothing is sent on a connection that has ended.
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
  // iFlow over WebSocket says //ready first; on stdio it does not.
  bool waits_for_ready = false;
  std::chrono::milliseconds ready_timeout = limits::ready;
  std::chrono::milliseconds request_timeout = limits::request;
  // What goes with initialize; the version is ours to say.
  InitializeParams initialize{};
  // How to sign in when the agent wants it. Absent: iFlow's own way with iFlow, and an error that tells the ways with any other.
  std::optional<Authenticate> sign_in{};
  // How a person starts the agent in a terminal, to sign in there; `spawn` knows it.
  std::vector<std::string> command{};
  std::function<void(BytesView line)> on_stderr_line{};
};

class Client final {
 public:
  Client(Loop& loop, std::unique_ptr<Frames> frames, ClientHandler& handler, ClientSettings settings = {});
  // A program that speaks on its stdin and stdout. Errors: those of ChildProcess::start.
  static Result<std::unique_ptr<Client>> spawn(Loop& loop, ChildSettings program, ClientHandler& handler,
                                               ClientSettings settings = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Reads until the connection ends; started once, by the owner. The error says how it ended.
  Task<Error> run();

  // ---- the connection
  // initialize, and a sign-in where the agent asks for one at once. Once, before all else. Errors: failed (another version; how to sign
  // in), and those of any call.
  Task<Result<void>> connect();
  Task<Result<Authenticated>> authenticate(Authenticate how);
  Task<Result<EmptyReply>> logout();
  void close() { peer_->close(); }  // at once
  // In good order: stdin closed, then the ladder of ChildProcess::stop; without a program a goodbye that is waited for a moment.
  Task<std::optional<ExitStatus>> stop();
  ConnectionState state() const { return state_; }
  const InitializeResult& agent() const { return agent_; }  // what it told of itself
  const AgentCapabilities& can() const { return capabilities_; }

  // ---- sessions. An agent that answers that it wants a sign-in gets one, if `sign_in` says how, and is asked once more.
  Task<Result<SessionState>> new_session(NewSession what);
  Task<Result<SessionState>> load_session(LoadSession what);    // unknown_method: it cannot
  Task<Result<SessionState>> resume_session(LoadSession what);  // the same
  Task<Result<SessionList>> list_sessions(ListSessions what = {});
  Task<Result<EmptyReply>> close_session(std::string session);
  Task<Result<EmptyReply>> delete_session(std::string session);

  // ---- in a session
  Task<Result<PromptResult>> prompt(Prompt what);  // the turn; waits for those before it
  // Prompts that wait end with `cancelled`, the running one when the agent says so; open permissions are answered `cancelled`.
  void cancel(const std::string& session);
  Task<Result<ModeSet>> set_mode(std::string session, std::string mode);
  Task<Result<ModelSet>> set_model(std::string session, std::string model);
  Task<Result<ConfigOptions>> set_config_option(SetConfigOption what);
  Task<Result<iflow::ThinkSet>> set_think(std::string session, bool think, iflow::ThinkLevel level = iflow::ThinkLevel::think);
  // Any other, as it stands: `_vendor/…`.
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
  bool is_ready_ = false;  // it said so
  Signal ready_;
  PromptQueues prompts_;
  std::uint64_t legacy_calls_ = 0;
  Router router_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<Peer> peer_;
};

// Whether an agent is to be reached there and not started: ws://, wss://, http://, https://.
bool is_agent_address(std::string_view text);
// The frames of an agent behind ws://, wss:// (errors: those of connect_websocket), http:// or https:// (http_frames.h).
Task<Result<std::unique_ptr<Frames>>> connect_to_agent(Loop& loop, std::string url, std::vector<HttpHeader> headers = {});

// A value of one of the session's options: text of a select, "true" or "false" of a boolean.
SetConfigOption choose_option(std::string session, const ConfigOption& option, std::string_view value);

}  // namespace parlance::acp
