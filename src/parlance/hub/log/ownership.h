// SPDX-License-Identifier: Apache-2.0
// The owner of a conversation in a shared store, from the view of a single hub. Only the owner writes. In a store of a single hub,
// each conversation stays `local`. The transitions form a table, so that no combination of flags can be wrong. Loop thread only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace parlance::hub {

class Ownership {
 public:
  enum class State : std::uint8_t {
    local,       // this hub writes, and executes commands
    acquiring,   // this hub asks the store for the lease
    recovering,  // this hub writes the end of an interrupted turn; commands wait
    releasing,   // this hub closes the agent and returns the lease
    losing,      // another hub has the lease; this hub closes the agent and writes nothing
    remote,      // another live hub has the lease
    orphaned,    // no live hub has the lease, by the last report of the store
  };
  enum class Event : std::uint8_t {
    claim,       // work in the conversation begins in this hub
    denied,      // another live hub has the lease
    granted,     // this hub has the lease, and has read the conversation
    failed,      // the takeover failed; a later attempt begins with the state in the store
    recovered,   // the end of an interrupted turn is in the store
    release,     // the conversation is at rest, or its runner is connected to another hub
    released,    // the lease is returned
    lost,        // the store refused a write, because another hub has the lease
    left,        // the agent of a lost conversation is closed
    owner_seen,  // the store reports a live owner
    owner_gone,  // the store reports the end of the owner
  };
  struct Transition {
    State from;
    Event event;
    State to;
  };
  static constexpr std::array<Transition, 16> transitions{{
      {State::orphaned, Event::claim, State::acquiring},
      {State::remote, Event::claim, State::acquiring},
      {State::acquiring, Event::denied, State::remote},
      {State::acquiring, Event::granted, State::recovering},
      {State::acquiring, Event::failed, State::orphaned},
      {State::recovering, Event::recovered, State::local},
      {State::recovering, Event::failed, State::orphaned},
      {State::recovering, Event::lost, State::losing},
      {State::local, Event::release, State::releasing},
      {State::local, Event::lost, State::losing},
      {State::releasing, Event::released, State::orphaned},
      {State::losing, Event::left, State::remote},
      {State::orphaned, Event::owner_seen, State::remote},
      {State::orphaned, Event::owner_gone, State::orphaned},
      {State::remote, Event::owner_seen, State::remote},
      {State::remote, Event::owner_gone, State::orphaned},
  }};

  explicit Ownership(State state) : state_(state) {}

  // False: the event has no transition from this state, and changes nothing.
  bool apply(Event event) {
    const auto found = std::ranges::find_if(
        transitions, [&](const Transition& transition) { return transition.from == state_ && transition.event == event; });
    if (found == transitions.end()) return false;
    state_ = found->to;
    return true;
  }

  // For decisions between `remote` and `orphaned`; all others use the questions below.
  State state() const { return state_; }
  // This hub executes commands; `may_write` also covers the recovery before.
  bool is_owner() const { return state_ == State::local; }
  bool may_write() const { return state_ == State::local || state_ == State::recovering; }
  // The state of this hub may be old; the store has the newest state.
  bool is_follower() const { return state_ == State::remote || state_ == State::orphaned; }
  // A takeover, a release or a loss is at work: callers wait for ConversationRuntime::idle.
  bool is_changing() const { return !is_owner() && !is_follower(); }

 private:
  State state_;
};

}  // namespace parlance::hub
