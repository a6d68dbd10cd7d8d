// SPDX-License-Identifier: Apache-2.0
// The hub's database, blocking. One thread at a time. Opens itself at the first call; a failed opening is tried again at the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/sqlite/database.h"

namespace parlance::hub {
struct Conversation;
}

namespace parlance::store {

class HubFile {
 public:
  explicit HubFile(std::string state_folder);
  ~HubFile();
  HubFile(const HubFile&) = delete;
  HubFile& operator=(const HubFile&) = delete;

  // At the first call: checks, locks and migrates the file. Does nothing afterwards. Errors: those of SQLite, failed (another
  // program uses the folder).
  Result<void> open();
  // The operations of hub::Store, as blocking functions with the contract of store.h: `commit` is its `write`. Further errors:
  // those of `open`.
  Result<hub::Stored> load();
  // One transaction. Errors also for a gap in the log (internal) and an unknown conversation (not_found): nothing is stored
  // then.
  Result<void> commit(const hub::Commit& change);
  Result<std::vector<hub::Event>> events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                         std::size_t limit);
  Result<std::vector<hub::EventText>> event_texts(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit);
  Result<std::vector<hub::Event>> events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                               std::size_t most_bytes);
  // By the index of search_rows.h.
  Result<hub::LogParts> parts_with(const std::string& words, std::uint64_t before, std::size_t limit);
  Result<std::optional<hub::Ask>> ask(const std::string& id);
  Result<std::optional<hub::Attachment>> attachment(const std::string& id);
  // One transaction, with the note of the agent session for a runner.
  Result<void> remove_conversation(const std::string& id);
  // Both are in unused_sessions.h.
  Result<std::vector<std::string>> unused_sessions(const std::string& runner);
  Result<void> forget_unused_session(const std::string& runner, const std::string& session);
  Result<std::vector<hub::SpentOn>> spent(const std::string& since);
  Result<hub::Spent> spent_in(const std::string& conversation);

 private:
  Result<void> lock();  // Waits for a second at most.
  // The parts of `commit`, inside its transaction.
  Result<void> write(const hub::Commit& change);
  // Inserts or replaces the row, except the position of its log.
  Result<void> write_conversation(const hub::Conversation& conversation);
  // Checks the numbers, inserts the events, updates the index, and moves the position of the log.
  Result<void> write_events(const std::string& conversation, const std::vector<hub::Event>& events);
  // Runs the statement once for each id; unknown ids are no error.
  Result<void> remove_rows(const char* sql, const std::vector<std::string>& ids);
  // Inserts attachments and rules; replaces the earlier state of a request.
  Result<void> write_attachment(const std::string& conversation, const hub::Attachment& attachment);
  Result<void> write_ask(const hub::Ask& ask);
  Result<void> write_rule(const hub::Rule& rule);
  // Replaces the rule's row; a revoked rule stays absent.
  Result<void> write_uses(const hub::Rule& rule);

  std::string folder_;
  int lock_ = -1;
  std::unique_ptr<sqlite::Database> db_;
};

}  // namespace parlance::store
