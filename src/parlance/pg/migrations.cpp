// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/migrations.h"

#include <string>

namespace parlance::pg {
namespace {

// Any number, unused by other locks in our databases.
constexpr std::string_view lock_migrations = "SELECT pg_advisory_xact_lock(1886547058)";

struct Known {
  int version = 0;
  int least_reader = 0;
};

class Migrating {
 public:
  Migrating(Connection& connection, const Migrations& migrations) : connection_(connection), all_(migrations) {}

  Result<Known> known_version() {
    const auto there = connection_.run({.sql = "SELECT to_regclass($1) IS NOT NULL", .parameters = {all_.version_table}});
    if (!there) return refused(there.error());
    if (!there->truth(0, 0)) return Known{};
    const auto rows = connection_.run({.sql = "SELECT version, least_reader FROM " + table()});
    if (!rows) return refused(rows.error());
    if (rows->empty()) return Known{};
    return Known{.version = static_cast<int>(rows->integer(0, 0)), .least_reader = static_cast<int>(rows->integer(0, 1))};
  }

  int last() const { return all_.first + static_cast<int>(all_.steps.size()) - 1; }

  Result<void> refuse_foreign(const Known& known) const {
    if (known.version > 0 && known.version < all_.first)
      return fail(Errc::failed, "cannot open the tables of " + std::string(all_.whose) +
                                    " in this database: a version before the first release made them (schema " +
                                    std::to_string(known.version) + ", this program reads from " + std::to_string(all_.first) +
                                    " on). The tables are unchanged: use another database");
    if (known.least_reader <= last()) return {};
    return fail(Errc::failed, "a newer parlance made this database (schema " + std::to_string(known.version) + ", read from " +
                                  std::to_string(known.least_reader) + " on; this program knows " + std::to_string(last()) +
                                  "): use that version, or another database");
  }

  // Under the lock, so that a single program takes the step and the others find the result.
  Result<void> take_next_step(const Known& known) {
    const int next = known.version == 0 ? all_.first : known.version + 1;
    const Step& step = all_.steps[static_cast<std::size_t>(next - all_.first)];
    const std::string taken = std::to_string(next);
    std::string sql = "BEGIN; " + std::string(lock_migrations) + "; ";
    // In the transaction of the first step: a refused database has no table of ours.
    if (known.version == 0)
      sql += "CREATE TABLE IF NOT EXISTS " + table() + "(version int NOT NULL, least_reader int NOT NULL); INSERT INTO " +
             table() + " SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM " + table() + "); ";
    sql += "DO $step$ BEGIN IF (SELECT version FROM " + table() + ") <> " + std::to_string(known.version) +
           " THEN RAISE EXCEPTION 'taken' USING ERRCODE = 'PF002'; END IF; END $step$;";
    if (all_.refuse_older != nullptr && known.version > 0 && step.least_reader > known.least_reader)
      sql += all_.refuse_older(step.least_reader);
    for (const std::string_view text : step.sql) sql += text;
    sql += "UPDATE " + table() + " SET version = " + taken + ", least_reader = " + std::to_string(step.least_reader) + "; COMMIT";
    const auto done = connection_.run_script(sql);
    if (!done && done.error().sqlstate == "PF002") return {};  // another program was faster
    if (!done && done.error().sqlstate == older_one_works)
      return fail(
          Errc::failed,
          "cannot upgrade the tables to schema " + taken +
              ": running gateways of an older version read the removed parts. Stop these, then start this gateway again (" +
              done.error().message + ")");
    return said(done);
  }

 private:
  std::string table() const { return std::string(all_.version_table); }
  std::unexpected<Error> refused(const Failure& failure) const {
    return std::unexpected(error_of(failure).in("the tables of " + std::string(all_.whose)));
  }
  Result<void> said(const Outcome<void>& outcome) const {
    if (outcome) return {};
    return refused(outcome.error());
  }

  Connection& connection_;
  const Migrations& all_;
};

}  // namespace

Result<void> check_version(Connection& connection, const Migrations& migrations) {
  Migrating work(connection, migrations);
  PARLANCE_TRY(known, work.known_version());
  return work.refuse_foreign(known);
}

Result<void> migrate(Connection& connection, const Migrations& migrations) {
  Migrating work(connection, migrations);
  for (;;) {
    PARLANCE_TRY(known, work.known_version());
    PARLANCE_TRY_DO(work.refuse_foreign(known));
    if (known.version >= work.last()) return {};
    PARLANCE_TRY_DO(work.take_next_step(known));
  }
}

}  // namespace parlance::pg
