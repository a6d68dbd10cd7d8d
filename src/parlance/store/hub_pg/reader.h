// SPDX-License-Identifier: Apache-2.0
// Reads the stored data of hubs in PostgreSQL. Blocking; one thread at a time, except `interrupt`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/session.h"
#include "parlance/store/hub_pg/feed.h"
#include "parlance/store/hub_pg/replicated_rows.h"
#include "parlance/store/hub_pg/runner_rows.h"

namespace parlance::store {

class Reader {
 public:
  // `read_conversations` and `runners` need the id of the reading hub and the lease, an interval.
  Reader(pg::ConnectSettings settings, const pg::Interrupt& interrupt, std::string hub = {}, std::string lease = {})
      : settings_(settings),
        interrupt_(interrupt),
        hub_(std::move(hub)),
        lease_(std::move(lease)),
        session_(std::move(settings), interrupt),
        runners_(session_, hub_, lease_) {}

  // On a connection of its own, with the patience of limits::migration, because other hubs may migrate at the same time.
  Result<void> migrate();
  struct Loaded {
    hub::Stored stored{};
    Revisions revisions{};
    std::uint64_t settings_version = 0;  // the version of rules and limits
  };
  // A consistent snapshot of all conversations, open requests, rules and limits.
  Result<Loaded> load();
  // The reads of hub::Store, as blocking functions with the contract of store.h. Each is tried again on a new connection after a
  // loss.
  Result<std::vector<hub::Event>> events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                         std::size_t limit);
  Result<std::vector<hub::EventText>> event_texts(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit);
  // At most limits::read_rows events.
  Result<std::vector<hub::Event>> events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                               std::size_t most_bytes);
  // By the index of search_parts.h.
  Result<hub::LogParts> parts_with(const std::string& words, std::uint64_t before, std::size_t limit);
  Result<std::optional<hub::Ask>> ask(const std::string& id);
  Result<std::optional<hub::Attachment>> attachment(const std::string& id);
  // Adds up the rows of each day and conversation, since commits only insert them.
  Result<std::vector<hub::SpentOn>> spent(const std::string& since);
  Result<hub::Spent> spent_in(const std::string& conversation);

  // The reads of hub::SharedStore, with the contract of shared_store.h.
  Result<std::vector<hub::ReplicatedConversation>> read_conversations(const std::vector<std::string>& conversations);
  // Reads all rows, because an index of sessions would cost each commit more than the few calls.
  Result<std::vector<std::string>> continuing(const std::string& agent_session);
  // One row.
  Result<std::uint64_t> settings_version();
  // One consistent snapshot, with all users and tokens.
  Result<hub::SettingsSnapshot> settings_snapshot();

  // Stores a command; false: no such conversation.
  Result<bool> send(const hub::Submission& command);
  // No value: not executed yet. not_found: the conversation has been removed.
  Result<std::optional<hub::CommandOutcome>> outcome(const std::string& command);
  // Ends a command with the outcome deadline_exceeded. No value: the command had no outcome, and will not run now.
  Result<std::optional<hub::CommandOutcome>> withdraw_command(const std::string& command);
  // Without an outcome, in the order of their arrival.
  Result<std::vector<hub::Submission>> commands(const std::string& conversation);
  // Does nothing if the command has an outcome.
  Result<void> done(const hub::CommandDone& command);

  // On the same connection, for the reading thread.
  RunnerRows& runners() { return runners_; }

 private:
  // Columns body and seq, in ascending order; `limit` 0: all.
  Result<pg::Rows> newest_rows(const std::string& conversation, std::uint64_t after, std::uint64_t before, std::size_t limit);
  // Runs one repeatable statement, twice if the connection was lost.
  Result<pg::Rows> rows(const char* sql, std::vector<pg::Parameter> parameters = {});
  pg::ConnectSettings settings_;
  const pg::Interrupt& interrupt_;
  std::string hub_;
  std::string lease_;
  pg::Session session_;
  RunnerRows runners_;
};

}  // namespace parlance::store
