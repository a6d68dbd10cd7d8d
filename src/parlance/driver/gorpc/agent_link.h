// SPDX-License-Identifier: Apache-2.0
// The gateway's connection to an agent on its socket: connects when it is first needed, waits for an agent that is still starting,
// connects again after it went away. A call that was on its way when the connection broke fails and is not repeated here: MemoryStore is not
// idempotent, and Chat only under a name that the agent keeps (KeptChat). Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "parlance/agent/backend.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/driver/gorpc/chat_places.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::driver {

class AgentLink {
 public:
  enum class State { down, connecting, ready };
  using OnChange = std::function<void(State, const std::string& detail)>;

  // `peers`: whose agent it may be; nothing is said to a program of anybody else.
  AgentLink(Loop& loop, std::string address, OnChange on_change = {}, SocketPeers peers = {});
  ~AgentLink();

  void keep_connected();  // From now on, connect without waiting for a call.

  // Errors: deadline_exceeded "timeout waiting for agent at PATH" after `patience`; denied at once, where somebody else's program
  // listens there; whatever the call itself gives.
  template <class P, class R>
  Task<Result<R>> call(const wire::Call<P, R>& method, P parameters, Within time = {}, Duration patience = limits::agent_wait) {
    PARLANCE_CO_TRY(peer, co_await connected(patience));
    std::string name = service_ + "." + std::string(method.method);
    // A Chat has its whole history with it: nothing is copied once the name is known, and the question for the abilities, which comes
    // first on every connection, makes it known.
    if (service_known_ || service_ != gorpc::seed_service)
      co_return co_await peer->call_named(name, method, std::move(parameters), time);
    Result<R> reply = co_await peer->call_named(name, method, parameters, time);
    service_known_ = reply || !reply.error().message.starts_with("rpc: can't find service");
    if (service_known_) co_return reply;
    // Programs of either generation: RPCService first, then Agent. The name was refused, so nothing has run.
    service_ = gorpc::deployed_service;
    name = service_ + "." + std::string(method.method);
    co_return co_await peer->call_named(name, method, std::move(parameters), time);
  }

  // After a call that failed with the connection: waits until that is given up and a new one is there, and known. False: none is in
  // limits::agent_wait.
  Task<bool> comes_back();

  // What the agent says of itself; asked at the beginning of a connection. One that does not know the question can do none of it.
  Task<gorpc::AbilitiesReply> abilities();
  // … as far as the answer is there already; `on_change` is called when it has come.
  const std::optional<gorpc::AbilitiesReply>& known_abilities() const { return abilities_; }
  void ask_abilities_again();  // they have changed

  // Tells the agent that nobody waits for this Chat any more. Returns at once; nothing if the agent is gone.
  void cancel_chat(std::string stream);
  // From now on it does not: the program ends, and the next one comes back to the Chats that are kept.
  void leave_chats() { leaving_ = true; }

  // ChatBackend::set_parameters; empty when there are none.
  using ParametersOfConversations = std::map<std::string, agent::ModelParameters>;
  ParametersOfConversations& parameters() { return parameters_; }

  ChatPlaces& places() { return places_; }  // of the agent at the other end, for all who chat with it

  State state() const { return state_; }
  Loop& loop() const { return loop_; }
  const std::string& address() const { return address_; }

 private:
  Task<Result<std::shared_ptr<Peer>>> connected(Duration patience);
  Task<void> maintain();
  Task<void> learn_abilities();
  Task<void> tell_cancelled(std::string stream);
  void become(State state, std::string detail);

  Loop& loop_;
  std::string address_;
  OnChange on_change_;
  SocketPeers peers_;
  std::optional<Error> refused_;  // the last connection reached somebody whom we do not talk to
  std::string service_{gorpc::seed_service};
  bool service_known_ = false;  // on this connection
  ChatPlaces places_;
  ParametersOfConversations parameters_;
  State state_ = State::down;
  std::shared_ptr<Peer> peer_;
  std::optional<gorpc::AbilitiesReply> abilities_;  // of this connection
  bool maintaining_ = false;
  bool leaving_ = false;
  Signal changed_;
  Scope scope_;
};

}  // namespace parlance::driver
