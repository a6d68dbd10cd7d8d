// SPDX-License-Identifier: Apache-2.0
// The gateway's connection to an agent's socket: connects on first use, waits for a starting agent, and reconnects after a loss.
// A call in progress during a loss fails without a repetition: MemoryStore is not idempotent, and Chat only with a name kept by
// the agent (KeptChat). Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "parlance/agent/backend.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/driver/gorpc/chat_slots.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::driver {

class AgentLink {
 public:
  enum class State { down, connecting, ready };
  using OnChange = std::function<void(State, const std::string& detail)>;

  // `peers`: the permitted owner of the agent; the link sends no data to another user's program.
  AgentLink(Loop& loop, std::string address, OnChange on_change = {}, SocketPeers peers = {});
  ~AgentLink();

  void keep_connected();  // connects from now on without waiting for a call.
  // For the owner of the agent's program, which has ended for good: present and later calls fail with this error at once.
  void agent_ended(Error why);

  // Errors: deadline_exceeded "timeout waiting for agent at PATH" after `patience`; denied at once for another user's program;
  // those of the call.
  template <class P, class R>
  Task<Result<R>> call(const wire::Call<P, R>& method, P parameters, Within time = {}, Duration patience = limits::agent_wait) {
    PARLANCE_CO_TRY(peer, co_await connected(patience));
    std::string name = service_ + "." + std::string(method.method);
    // A Chat contains its whole history, so the call avoids a copy once the service name is known. The first call of every
    // connection, for the abilities, determines the name.
    if (service_known_ || service_ != gorpc::seed_service)
      co_return co_await peer->call_named(name, method, std::move(parameters), time);
    Result<R> reply = co_await peer->call_named(name, method, parameters, time);
    service_known_ = reply || !reply.error().message.starts_with("rpc: can't find service");
    if (service_known_) co_return reply;
    // Supports programs of both generations: RPCService first, then Agent. The refused name proves that no call has run.
    service_ = gorpc::deployed_service;
    name = service_ + "." + std::string(method.method);
    co_return co_await peer->call_named(name, method, std::move(parameters), time);
  }

  // After a call failed with its connection: waits for the next connection, with its abilities. False: none within
  // limits::agent_wait.
  Task<bool> comes_back();

  // The agent's abilities, requested at the begin of a connection. An agent without this method has none.
  Task<gorpc::AbilitiesReply> abilities();
  // … if already received; `on_change` is called on arrival.
  const std::optional<gorpc::AbilitiesReply>& known_abilities() const { return abilities_; }
  void ask_abilities_again();  // after a change at the agent

  // Cancels a Chat at the agent. Returns at once; no effect without a connection.
  void cancel_chat(std::string stream);
  // From now on destroyed Chats keep running: the program ends, and its successor resumes the kept Chats.
  void detach_chats() { leaving_ = true; }

  // ChatBackend::set_parameters; may be empty.
  using ParametersOfConversations = std::map<std::string, agent::ModelParameters>;
  ParametersOfConversations& parameters() { return parameters_; }

  ChatSlots& slots() { return slots_; }  // the agent's slots, shared by all its chats

  State state() const { return state_; }
  Loop& loop() const { return loop_; }
  const std::string& address() const { return address_; }

 private:
  Task<Result<std::shared_ptr<Peer>>> connected(Duration patience);
  Task<void> maintain();
  Task<void> learn_abilities();
  Task<void> notify_cancelled(std::string stream);
  void become(State state, std::string detail);

  Loop& loop_;
  std::string address_;
  OnChange on_change_;
  SocketPeers peers_;
  std::optional<Error> refused_;  // the last connection reached another user's program
  std::optional<Error> ended_;    // the agent has ended for good
  std::string service_{gorpc::seed_service};
  bool service_known_ = false;  // for this connection
  ChatSlots slots_;
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
