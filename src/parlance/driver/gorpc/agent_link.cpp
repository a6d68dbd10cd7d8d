// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/agent_link.h"

#include "parlance/async/notified.h"
#include "parlance/base/log.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;

// A starting agent answers within a few milliseconds: retries begin fast, and then slow down to the pace of the deployed gateway.
constexpr auto first_retry = 2ms;

// The limit of a cancel call: without an answer the agent is gone, and the Chat with it.
constexpr auto cancel_timeout = 5s;

// The agent answers from memory.
constexpr auto abilities_timeout = 5s;

}  // namespace

AgentLink::AgentLink(Loop& loop, std::string address, OnChange on_change, SocketPeers peers)
    : loop_(loop),
      address_(std::move(address)),
      on_change_(std::move(on_change)),
      peers_(std::move(peers)),
      slots_(loop),
      changed_(loop),
      scope_(loop) {}

AgentLink::~AgentLink() { scope_.cancel(); }

void AgentLink::keep_connected() {
  if (!std::exchange(maintaining_, true)) scope_.start(maintain());
}

void AgentLink::agent_ended(Error why) {
  ended_ = std::move(why);
  changed_.notify_all();
}

void AgentLink::become(State state, std::string detail) {
  const bool changed = state != state_;
  state_ = state;
  changed_.notify_all();
  if (changed && on_change_) on_change_(state, detail);
}

Task<void> AgentLink::maintain() {
  Duration wait = first_retry;
  for (;;) {
    become(State::connecting, "connecting to " + address_);
    auto stream = co_await connect_to(loop_, address_, peers_);
    refused_ = !stream && stream.error().code == Errc::denied ? std::optional(stream.error()) : std::nullopt;
    if (!stream) {
      if (refused_ || wait >= limits::agent_retry) become(State::down, stream.error().message);
      co_await sleep_for(loop_, wait);
      wait = std::min<Duration>(wait * 2, limits::agent_retry);
      continue;
    }
    auto peer = co_await gorpc::connect(loop_, std::move(*stream));
    if (!peer) {
      co_await sleep_for(loop_, limits::agent_retry);
      continue;
    }
    wait = first_retry;
    peer_ = std::move(*peer);
    become(State::ready, address_);
    scope_.start(learn_abilities());
    const Error end = co_await peer_->run();
    log(LogLevel::info, "the agent's connection ended", {{"reason", end.message}});
    peer_.reset();
    service_known_ = false;
    abilities_.reset();
    become(State::down, end.message);
  }
}

Task<void> AgentLink::learn_abilities() {
  auto reply = co_await call(gorpc::abilities, {}, within(abilities_timeout));
  if (reply) abilities_ = *std::move(reply);
  else if (reply.error().code == Errc::disconnected || reply.error().code == Errc::deadline_exceeded) co_return;
  else abilities_.emplace();
  if (on_change_) on_change_(state_, address_);
}

// Waiting callers see the failure before the link drops the connection: only then a different connection can follow.
Task<bool> AgentLink::comes_back() {
  const TimePoint deadline = loop_.now() + limits::agent_wait;
  do co_await sleep_for(loop_, first_retry);
  while ((peer_ == nullptr || !abilities_) && !ended_ && loop_.now() < deadline);
  co_return peer_&& abilities_;
}

Task<gorpc::AbilitiesReply> AgentLink::abilities() {
  if (!abilities_) co_await learn_abilities();
  co_return abilities_.value_or(gorpc::AbilitiesReply{});
}

void AgentLink::ask_abilities_again() { scope_.start(learn_abilities()); }

void AgentLink::cancel_chat(std::string stream) {
  if (peer_ != nullptr && !leaving_) scope_.start(notify_cancelled(std::move(stream)));
}

Task<void> AgentLink::notify_cancelled(std::string stream) {
  static_cast<void>(co_await call(gorpc::chat_cancel, {.stream = std::move(stream)}, within(cancel_timeout), Duration::zero()));
}

Task<Result<std::shared_ptr<Peer>>> AgentLink::connected(Duration patience) {
  if (!ended_) keep_connected();
  const TimePoint deadline = loop_.now() + patience;
  while (peer_ == nullptr) {
    if (ended_ || refused_) co_return fail(ended_ ? *ended_ : *refused_);
    if (!co_await notified(changed_, deadline) && peer_ == nullptr)
      co_return fail(Errc::deadline_exceeded, std::string(gorpc::timeout_waiting_for_agent) + " at " + address_);
  }
  co_return peer_;
}

}  // namespace parlance::driver
