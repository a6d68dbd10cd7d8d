// Reads what hubs keep in PostgreSQL. Blocking; one thread at a time, but for `interrupt`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/store/hub_pg/session.h"

namespace parlance::store {

class Reader {
 public:
  Reader(pg::ConnectSettings settings, const pg::Interrupt& interrupt)
      : settings_(settings), interrupt_(interrupt), session_(std::move(settings), interrupt) {}

  Result<void> migrate();
  Result<hub::Stored> load();
  Result<std::vector<hub::Event>> events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                         std::size_t limit);
  Result<std::vector<hub::Event>> events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                               std::size_t most_bytes);
  Result<std::optional<hub::Ask>> ask(const std::string& id);
  Result<std::optional<hub::Attachment>> attachment(const std::string& id);
  Result<std::vector<hub::SpentOn>> spent(const std::string& since);
  Result<hub::StoreCounts> counts();

  // Leaves a command; false: no such conversation.
  Result<bool> send(const hub::Command& command);
  Result<std::optional<std::string>> outcome(const std::string& command);
  Result<std::vector<hub::Command>> commands(const std::string& conversation);

  Result<void> done(const std::string& command, const std::string& outcome);

 private:
  Result<pg::Rows> rows(const char* sql, std::vector<pg::Parameter> parameters = {});
  pg::ConnectSettings settings_;
  const pg::Interrupt& interrupt_;
  Session session_;
};

}  // namespace parlance::store
