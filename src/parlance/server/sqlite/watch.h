// SPDX-License-Identifier: Apache-2.0
// Watches subscribed databases once a second for changes by other connections, of this program or another. A change notifies all
// addresses of the database, because the changed tables are unknown. Loop thread only; the engine outlives this object.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/sqlite/engine.h"

namespace parlance::server {

class SqliteWatch final : private Timer {
 public:
  SqliteWatch(sqlite::Engine& engine, std::chrono::milliseconds pause, std::function<void(const std::string& uri)> changed);
  ~SqliteWatch();

  void begin(const std::string& uri, const std::string& database);
  void end(const std::string& uri, const std::string& database);
  void look_now(const std::string& database);  // after a write to the database
  std::size_t databases() const { return databases_.size(); }

 private:
  // State between two looks: the opening of the file, and SQLite's state value.
  struct Seen {
    std::uint64_t opening = 0;
    std::int64_t version = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  struct Watched {
    std::set<std::string> uris{};
    std::optional<Seen> seen{};
    bool looked = false;   // at least once
    bool looking = false;  // just now
    bool again = false;    // … and once more afterwards
  };
  void on_timer() override;
  void look(const std::string& database, const std::shared_ptr<Watched>& watched);
  Task<void> look_at(std::string database, std::shared_ptr<Watched> watched);

  sqlite::Engine& engine_;
  const std::chrono::milliseconds pause_;
  std::function<void(const std::string&)> changed_;
  std::map<std::string, std::shared_ptr<Watched>> databases_;
  Scope scope_;
};

}  // namespace parlance::server
