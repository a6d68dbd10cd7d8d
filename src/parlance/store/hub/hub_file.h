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

  Result<hub::Stored> load();
  Result<void> commit(const hub::Commit& change);
  Result<std::vector<hub::Event>> events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                         std::size_t limit);
  Result<std::vector<hub::EventText>> event_texts(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit);
  Result<std::vector<hub::Event>> events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                               std::size_t most_bytes);
  Result<hub::LogParts> parts_with(const std::string& words, std::uint64_t before, std::size_t limit);
  Result<std::optional<hub::Ask>> ask(const std::string& id);
  Result<std::optional<hub::Attachment>> attachment(const std::string& id);
  Result<void> remove_conversation(const std::string& id);
  Result<std::vector<std::string>> unused_sessions(const std::string& runner);
  Result<void> forget_unused_session(const std::string& runner, const std::string& session);
  Result<std::vector<hub::SpentOn>> spent(const std::string& since);
  Result<hub::StoreCounts> counts();

 private:
  Result<void> open();
  Result<void> lock();  // Waits for a second at most.
  Result<void> write(const hub::Commit& change);
  Result<void> write_conversation(const hub::Conversation& conversation);
  Result<void> write_events(const std::string& conversation, const std::vector<hub::Event>& events);
  Result<void> remove_rows(const char* sql, const std::vector<std::string>& ids);
  Result<void> write_attachment(const std::string& conversation, const hub::Attachment& attachment);
  Result<void> write_ask(const hub::Ask& ask);
  Result<void> write_rule(const hub::Rule& rule);
  Result<void> write_uses(const hub::Rule& rule);

  std::string folder_;
  int lock_ = -1;
  std::unique_ptr<sqlite::Database> db_;
};

}  // namespace parlance::store
