// SPDX-License-Identifier: Apache-2.0
// A store of several hubs: each conversation has at most one owner, and only its owner commits. The other hubs follow the
// conversation, and leave commands for the owner. Called on the loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/log/runner_connection.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

class ReplicatedLog;  // log/replicated_log.h

// The permanent error of `write` and `remove_conversation` for a conversation of another hub.
Error not_owner(std::string message);
bool is_not_owner(const Error& error);

// The error of `write` for a commit with the outcome of a command that has an outcome already: its sender has withdrawn it.
Error command_ended();
bool is_command_ended(const Error& error);

// Hub and store repeat an operation that the database refuses, such as with a full disk, for this time. Callers get the refusal
// within 5 s.
inline constexpr auto refusal_patience = std::chrono::seconds(3);

struct AuditEntry;              // team/audit.h
struct Conversation;            // conversation/conversation.h
struct NewConversation;         // conversation/new_conversation.h
struct ReplicatedConversation;  // log/replication_update.h
struct ReplicationUpdate;       // log/replication_update.h
struct SettingsSnapshot;        // log/replication_update.h

class SharedStore : public Store {
 public:
  // Never null here: parts of the hub use the result to recognize a shared store.
  SharedStore* shared() final { return this; }
  // The other side of the store checks permissions: its caller may read each row and may send each command. False: UserHub checks.
  virtual bool checks_permissions() const { return false; }
  // A store that creates conversations at their owner: creates one, or adopts the agent's `session`. No value: the hub creates it.
  virtual Task<Result<std::optional<Conversation>>> create_at_owner(NewConversation& request, std::string session);
  // A frontend follows the conversation: `next_update` should report its events soon, as long as the log has listeners.
  virtual void followed(const std::string&, const std::shared_ptr<ReplicatedLog>&) {}

  // Takes ownership, unless a live hub owns the conversation: false. All writes of the previous owner are visible then.
  virtual Task<Result<bool>> claim(std::string conversation) = 0;
  // Returns the lease, so that any hub can claim the conversation at once. Succeeds if this hub is not the owner.
  virtual Task<Result<void>> release(std::string conversation) = 0;

  // Like remove_conversation, with an audit entry.
  virtual Task<Result<void>> remove_audited(std::string conversation, AuditEntry entry) = 0;

  // The stored state of these conversations, without the deleted ones.
  virtual Task<Result<std::vector<ReplicatedConversation>>> read_conversations(std::vector<std::string> conversations) = 0;
  // Ids of the stored conversations that continue this agent session, of any agent, hidden ones included.
  virtual Task<Result<std::vector<std::string>>> continuing(std::string agent_session) = 0;
  // Changes since `load` or the previous call. Waits a limited time for a change and returns an empty value without one. One call
  // at a time. After an error the next call repeats the changes.
  virtual Task<Result<ReplicationUpdate>> next_update() = 0;
  // Increases with each change of rules, limits, users or tokens: cheaper than a read of all settings, and read before a
  // rule allows an action.
  virtual Task<Result<std::uint64_t>> settings_version() = 0;
  // All settings in one consistent read.
  virtual Task<Result<SettingsSnapshot>> settings_snapshot() = 0;

  // A hub without renewal for this time is considered dead.
  virtual Duration lease() const = 0;

  // Stores a command for the owner; returns its outcome. not_found: no such conversation. Waits without a time limit: use
  // with_deadline.
  virtual Task<Result<CommandOutcome>> send(Submission command) = 0;
  // Withdraws a command: from now on, the store refuses a commit with its outcome. If it was executed already, returns its outcome.
  virtual Task<Result<std::optional<CommandOutcome>>> withdraw_command(std::string command) = 0;
  // Commands without an outcome, oldest first.
  virtual Task<Result<std::vector<Submission>>> commands(std::string conversation) = 0;
  // Stores an outcome. Does nothing if a commit contained the outcome, or after a withdrawal.
  virtual Task<Result<void>> done(CommandDone command) = 0;

  // Registers a runner's connection to this hub and removes its connection to other hubs. Returns the registered state.
  virtual Task<Result<RunnerConnection>> runner_connected(std::string runner, std::string body, std::string user) = 0;
  // Records the end of a runner's connection. Does nothing after a newer connection.
  virtual Task<Result<void>> runner_disconnected(std::string runner, std::uint64_t connection) = 0;
  virtual Task<Result<std::optional<RunnerConnection>>> find_runner(std::string runner) = 0;  // no value: unknown runner
};

}  // namespace parlance::hub
