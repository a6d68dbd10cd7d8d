// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/watch.h"

namespace parlance::server {

SqliteWatch::SqliteWatch(sqlite::Engine& engine, std::chrono::milliseconds pause, std::function<void(const std::string&)> changed)
    : engine_(engine), pause_(pause), changed_(std::move(changed)), scope_(engine.loop()) {}

SqliteWatch::~SqliteWatch() { scope_.cancel(); }

void SqliteWatch::begin(const std::string& uri, const std::string& database) {
  auto& watched = databases_[database];
  if (!watched) watched = std::make_shared<Watched>();
  watched->uris.insert(uri);
  look(database, watched);  // the initial state, read before the client receives the subscription
  if (!running()) start(engine_.loop(), engine_.loop().now() + pause_);
}

void SqliteWatch::end(const std::string& uri, const std::string& database) {
  const auto found = databases_.find(database);
  if (found == databases_.end()) return;
  found->second->uris.erase(uri);
  if (found->second->uris.empty()) databases_.erase(found);
}

void SqliteWatch::look_now(const std::string& database) {
  const auto all = databases_;  // a notified client may end its subscription
  for (const auto& [path, watched] : all)
    if (const auto resolved = engine_.resolve(path); resolved && *resolved == database) look(path, watched);
}

void SqliteWatch::on_timer() {
  if (databases_.empty()) return;
  const auto all = databases_;
  for (const auto& [path, watched] : all)
    if (!watched->looking) look(path, watched);
  start(engine_.loop(), engine_.loop().now() + pause_);
}

void SqliteWatch::look(const std::string& database, const std::shared_ptr<Watched>& watched) {
  if (watched->looking) watched->again = true;
  else scope_.start(look_at(database, watched));
}

Task<void> SqliteWatch::look_at(std::string database, std::shared_ptr<Watched> watched) {
  watched->looking = true;
  do {
    watched->again = false;
    const auto seen = co_await engine_.on_worker<Seen>(
        database, engine_.ticket(), [](sqlite::Session& session, sqlite::Run& run) -> sqlite::Outcome<Seen> {
          PARLANCE_TRY(connection, session.reader(run));
          const sqlite::Connection::Using under(*connection, run, sqlite::Gate::Mode::own);
          PARLANCE_TRY(statement, connection->own("PRAGMA data_version"));
          if (!statement.row()) return sqlite::fail(sqlite::Fault::sql_error, "no data_version");
          return Seen{.opening = session.opening(), .version = statement.integer(0)};
        });
    using sqlite::Fault;
    const bool gone = !seen && (seen.error().fault == Fault::open_failed || seen.error().fault == Fault::path_not_allowed);
    if (!seen && !gone) continue;  // busy or out of time: the state of the file is unknown
    const std::optional<Seen> now = seen ? std::optional(*seen) : std::nullopt;
    const bool differs = watched->looked && now != watched->seen;
    watched->looked = true;
    watched->seen = now;
    if (!differs) continue;
    const std::set<std::string> uris = watched->uris;  // a notified client may end its subscription
    for (const std::string& uri : uris) changed_(uri);
  } while (watched->again);
  watched->looking = false;
}

}  // namespace parlance::server
