// SPDX-License-Identifier: Apache-2.0
// A store that several hubs share: each conversation has at most one owner, and only its owner commits. The others follow it, and leave
// commands for the owner. Called on the loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/command.h"
#include "parlance/hub/log/place.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/team/team.h"

namespace parlance::hub {

// What `write` and `remove_conversation` fail with, for ever, when another hub has the conversation now.
Error not_owner(std::string message);
bool is_not_owner(const Error& error);

// A store that refuses every write for so long does not recover at once. Callers hear of the refusal within 5 s.
inline constexpr auto refusal_patience = std::chrono::seconds(3);

// A conversation as it is in the store.
struct SeenConversation {
  Conversation row{};
  std::vector<Ask> asks{};  // open and orphaned
  bool has_owner = false;   // a hub that lives
  bool is_ours = false;     // this hub owns the row
};

// What became of conversations that others have; of our own some may be among them.
struct News {
  struct Longer {
    std::string id{};
    std::uint64_t last_seq = 0;
  };
  struct Left {
    std::string id{};
    bool has_commands = false;
  };
  std::vector<Longer> longer{};             // there are events, and nothing else is new
  std::vector<SeenConversation> changed{};  // new ones too
  std::vector<std::string> removed{};
  std::vector<Left> left{};  // nobody who lives has it, and a turn runs there, or commands wait, or its owner went just now
  std::vector<std::string> commands{};           // conversations of ours where commands wait
  bool standing = false;                         // rules, limits, users or tokens have changed
  std::optional<std::vector<PlaceAt>> places{};  // all of them, when something of them has changed
};

// What holds in all conversations.
struct Standing {
  std::uint64_t version = 0;
  std::vector<Rule> rules{};  // newest first
  SpendingLimits limits{};
  TeamPtr team{};
};

class SharedStore : public Store {
 public:
  SharedStore* shared() final { return this; }

  // Makes a conversation ours, unless a hub that lives has it: false. What its last owner wrote is there to be looked at then.
  virtual Task<Result<bool>> claim(std::string conversation) = 0;
  virtual Task<Result<void>> release(std::string conversation) = 0;

  // As remove_conversation, and what is left of it says who wanted that.
  virtual Task<Result<void>> remove_told(std::string conversation, AuditEntry told) = 0;

  // Those that are there, as they are now.
  virtual Task<Result<std::vector<SeenConversation>>> look(std::vector<std::string> conversations) = 0;
  // What is new since `load`, or since the call before; waits a while for something, and comes back empty when there is nothing. One call
  // at a time. What failed is told by the next one.
  virtual Task<Result<News>> news() = 0;
  virtual Task<Result<Spent>> spent_in(std::string conversation) = 0;
  virtual Task<Result<std::uint64_t>> standing_version() = 0;
  virtual Task<Result<Standing>> standing() = 0;

  // After that long at the latest a hub that says nothing is taken for dead.
  virtual Duration lease() const = 0;

  // Leaves a command for the owner; returns what came of it. not_found: no such conversation, or not any more. Waits as long as nobody
  // does it: with_deadline.
  virtual Task<Result<CommandOutcome>> send(Command command) = 0;
  // Nobody is to do it any more; unless it was done: what came of it.
  virtual Task<Result<std::optional<CommandOutcome>>> give_up(std::string command) = 0;
  virtual Task<Result<std::vector<Command>>> commands(std::string conversation) = 0;  // that nobody has done, oldest first
  virtual Task<Result<void>> done(CommandDone command) = 0;  // nothing, when its commit has said so already

  // A machine elsewhere is connected to this hub, and to no other any more: as what it is known from now on.
  virtual Task<Result<PlaceAt>> place_connected(std::string place, std::string body, std::string user) = 0;
  virtual Task<Result<void>> place_gone(std::string place, std::uint64_t connection) = 0;  // nothing, when it has connected since
  virtual Task<Result<std::optional<PlaceAt>>> place(std::string place) = 0;               // nothing: never heard of it
};

}  // namespace parlance::hub
