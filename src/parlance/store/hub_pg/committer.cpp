// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/committer.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/store/hub/unused_sessions.h"
#include "parlance/store/hub_pg/audit_rows.h"
#include "parlance/store/hub_pg/commit_group.h"
#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/schema.h"

namespace parlance::store {
namespace {

constexpr std::string_view unique_violation = "23505";

// The server did not wait for its standby: the commit is stored, and may be lost with this server.
bool did_not_wait(const pg::Failure& warning) { return warning.sqlstate.starts_with("57"); }

std::int64_t number_of(const pg::Rows& created, const std::string& conversation) {
  for (std::size_t row = 0; row < created.size(); ++row)
    if (created.text(row, 0) == conversation) return created.integer(row, 1);
  return 0;
}

Error not_ours(const std::string& conversation) {
  return hub::not_owner("another gateway owns the conversation " + conversation);
}

}  // namespace

Committer::Committer(Settings settings, const pg::Interrupt& interrupt)
    : settings_(std::move(settings)), interrupt_(interrupt), session_(settings_.connect, interrupt) {}

// ---- commits -----------------------------------------------------------------------------------------------------------------

std::vector<Result<void>> Committer::commit(std::span<const hub::CommitPtr> changes) {
  std::vector<Result<void>> outcomes(changes.size());
  std::vector<hub::CommitPtr> good;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string& id = conversation_of(*changes[i]);
    outcomes[i] = given_up_.contains(id) ? std::unexpected(not_ours(id)) : check_commit(*changes[i], held_);
    if (!outcomes[i]) continue;
    good.push_back(changes[i]);
    places.push_back(i);
  }
  if (good.empty()) return outcomes;
  std::vector<Result<void>> done = commit_group(good);
  for (std::size_t i = 0; i < done.size(); ++i) outcomes[places[i]] = std::move(done[i]);
  return outcomes;
}

// A refused commit rolls the whole group back: then each commit runs alone.
std::vector<Result<void>> Committer::commit_group(std::span<const hub::CommitPtr> group) {
  bool uncertain = false;
  for (;;) {
    const Attempt tried = attempt(group);
    if (tried.outcome) return std::vector<Result<void>>(group.size());
    if (!tried.outcome.error().unknown()) break;
    uncertain = uncertain || tried.sent;
    if (!pause_while_alive()) return std::vector<Result<void>>(group.size(), not_known(tried.outcome.error(), uncertain));
  }
  std::vector<Result<void>> outcomes;
  for (const hub::CommitPtr& change : group) outcomes.push_back(commit_alone(change, uncertain));
  return outcomes;
}

Result<void> Committer::commit_alone(const hub::CommitPtr& change, bool uncertain) {
  for (;;) {
    const Attempt tried = attempt({&change, 1});
    if (tried.outcome) return {};
    const pg::Failure& failure = tried.outcome.error();
    uncertain = uncertain || (tried.sent && failure.unknown());
    if (!is_worth_a_retry(failure)) return decide(change, failure, uncertain);
    session_.drop();
    if (!pause_while_alive()) return not_known(failure, uncertain);
  }
}

bool Committer::is_worth_a_retry(const pg::Failure& failure) {
  if (failure.unknown()) return true;
  if (!pg::is_refusal(failure.sqlstate)) return pg::is_passing(failure.sqlstate);
  const TimePoint now = Clock::now();
  if (!refused_since_) refused_since_ = now;
  return now - *refused_since_ < settings_.refusal_patience;
}

Result<void> Committer::decide(const hub::CommitPtr& change, const pg::Failure& failure, bool uncertain) {
  const std::string& id = conversation_of(*change);
  const auto known = held_.find(id);
  const bool is_refused = pg::is_refusal(failure.sqlstate);
  if (failure.sqlstate == command_ended) return std::unexpected(hub::command_ended());
  const Error refused = pg::error_of(failure).in("nothing was saved");
  if (is_refused && !uncertain) return std::unexpected(refused);
  const bool is_new = known == held_.end();
  const bool may_be_there = uncertain && (is_refused || (is_new && failure.sqlstate == unique_violation));
  if (failure.sqlstate != fenced_off && !may_be_there) return std::unexpected(pg::error_of(failure));
  // The expected row after the first of two attempts.
  Held expected = is_new ? Held{.epoch = 1, .revision = 0} : known->second;
  ++expected.revision;
  PARLANCE_TRY(row, read_row_state(id, expected));
  if (row == RowState::uncommitted && is_refused) return std::unexpected(refused);
  if (row != RowState::committed) {
    give_up(id);
    return std::unexpected(not_ours(id));
  }
  std::int64_t number = 0;
  if (is_new) {
    PARLANCE_TRY(rows, until_known({.sql = "SELECT number FROM conversations WHERE id = $1", .parameters = {id}}));
    number = rows.empty() ? 0 : rows.integer(0, 0);
  }
  note_committed(*change, number, held_);
  return {};
}

// Locks the row, so an earlier attempt has ended; writes the row, so the standby has it too.
Result<Committer::RowState> Committer::read_row_state(const std::string& conversation, const Held& expected) {
  PARLANCE_TRY(
      rows,
      until_known({.sql = "SELECT owner IS NOT DISTINCT FROM $2, epoch, revision FROM conversations WHERE id = $1 FOR UPDATE",
                   .parameters = {conversation, settings_.hub}}));
  if (rows.empty()) return expected.revision == 1 ? RowState::uncommitted : RowState::lost;
  const std::int64_t revision = rows.integer(0, 2);
  check_for_regression(conversation, expected, revision);
  if (!rows.truth(0, 0) || rows.integer(0, 1) != expected.epoch) return RowState::lost;
  return revision == expected.revision       ? RowState::committed
         : revision + 1 == expected.revision ? RowState::uncommitted
                                             : RowState::lost;
}

// Revisions only grow. A smaller revision than that of the last commit: another server without this commit took over.
void Committer::check_for_regression(const std::string& conversation, const Held& expected, std::int64_t revision) const {
  if (revision < expected.revision - 1 && settings_.regressed) settings_.regressed(conversation);
}

// For idempotent statements.
Result<pg::Rows> Committer::until_known(const pg::Statement& statement) {
  for (;;) {
    Result<pg::Rows> rows = until_refused(statement);
    if (rows || rows.error().code != Errc::overloaded || !pause_while_alive()) return rows;
  }
}

Result<pg::Rows> Committer::until_refused(const pg::Statement& statement) {
  for (;;) {
    auto rows = run(std::span(&statement, 1));
    if (rows) return std::move(rows->front());
    const pg::Failure& failure = rows.error();
    if (!is_worth_a_retry(failure)) return std::unexpected(pg::error_of(failure));
    session_.drop();
    if (!pause_while_alive()) return std::unexpected(not_known(failure, true).error());
  }
}

Committer::Attempt Committer::attempt(std::span<const hub::CommitPtr> group) {
  const auto here = session_.connection();
  if (!here) return {.outcome = std::unexpected(here.error())};
  const auto ended = ended_parts(**here, group);
  if (!ended) return {.outcome = std::unexpected(ended.error())};
  const GroupStatements wanted = statements_of(group, held_, settings_.hub, *ended);
  const auto rows = run(wanted.statements);
  if (!rows) return {.outcome = std::unexpected(rows.error()), .sent = true};
  refused_since_.reset();
  for (const hub::CommitPtr& change : group)
    note_committed(*change, wanted.created == 0 ? 0 : number_of((*rows)[wanted.created], conversation_of(*change)), held_);
  return {};
}

pg::Outcome<std::vector<pg::Rows>> Committer::run(std::span<const pg::Statement> statements) {
  const auto here = session_.connection();
  if (!here) return std::unexpected(here.error());
  auto rows = (*here)->run(statements);
  const bool waited = std::ranges::none_of((*here)->take_warnings(), did_not_wait);
  if (rows && !waited) {
    session_.drop();
    return std::unexpected(pg::Failure{.message = "the server did not wait for its standby"});
  }
  return rows;
}

bool Committer::pause_while_alive() {
  return settings_.alive() && !interrupt_.wait_ms(static_cast<int>(limits::store_reconnect.count())) && settings_.alive();
}

// The lease has expired and ends this hub: the next owner finds the outcome in the log.
Result<void> Committer::not_known(const pg::Failure& failure, bool uncertain) const {
  if (!uncertain) return std::unexpected(pg::error_of(failure));
  return std::unexpected(hub::not_owner("the lease was over before it was known: " + failure.message));
}

void Committer::give_up(const std::string& conversation) {
  held_.erase(conversation);
  given_up_.insert(conversation);
}

void Committer::give_up_removed(const std::string& conversation) {
  give_up(conversation);
  removed_.push_back(conversation);
  if (removed_.size() <= limits::removed_kept) return;
  given_up_.erase(removed_.front());
  removed_.pop_front();
}

// ---- ownership ---------------------------------------------------------------------------------------------------------------

Result<void> Committer::remove(const std::string& conversation, const std::optional<hub::AuditEntry>& entry) {
  if (held_.contains(conversation)) PARLANCE_TRY_DO(delete_held(conversation, entry));
  PARLANCE_TRY(left, until_known({.sql = "SELECT 1 FROM conversations WHERE id = $1", .parameters = {conversation}}));
  if (!left.empty()) {
    give_up(conversation);
    return std::unexpected(not_ours(conversation));
  }
  give_up_removed(conversation);
  return {};
}

Result<void> Committer::delete_held(const std::string& conversation, const std::optional<hub::AuditEntry>& entry) {
  const Held& held = held_.at(conversation);
  // As text: the JSON functions of PostgreSQL refuse \u0000. Quotes inside of strings are escaped, so only a member matches.
  const std::string adopts = R"("via":")" + std::string(hub::via_adoption) + '"';
  std::vector<pg::Statement> statements{
      {.sql = "BEGIN"},
      {.sql = "SELECT fence($1, $2, $3, $4, 0, 0, 0, '')", .parameters = {held.number, settings_.hub, held.epoch, held.revision}},
      {.sql = "DELETE FROM rules WHERE conversation = $1", .parameters = {conversation}},
      {.sql = "UPDATE rules_version SET version = version + 1"},
      {.sql = "INSERT INTO settings(name, body) SELECT $2 || place || '/' || native_session, '' FROM conversations "
              "WHERE id = $1 AND place <> '' AND native_session <> '' AND position($3 IN body) = 0 "
              "ON CONFLICT DO NOTHING",
       .parameters = {conversation, std::string(unused_session_prefix), adopts}},
      {.sql = "DELETE FROM conversations WHERE id = $1", .parameters = {conversation}}};
  if (entry) statements.push_back(audit_statement(*entry));
  statements.push_back({.sql = "COMMIT"});
  for (bool uncertain = false;;) {
    const auto done = run(statements);
    // The fence failed because the row is gone: an earlier attempt succeeded.
    if (done || done.error().sqlstate == fenced_off) return {};
    const pg::Failure& failure = done.error();
    uncertain = uncertain || failure.unknown();
    const bool is_open = uncertain && pg::is_refusal(failure.sqlstate);  // an earlier attempt may have deleted the row
    if (!is_open && !is_worth_a_retry(failure)) return std::unexpected(pg::error_of(failure).in("nothing was deleted"));
    session_.drop();
    if (!pause_while_alive()) return not_known(failure, true);
  }
}

Result<bool> Committer::claim(const std::string& conversation) {
  if (held_.contains(conversation)) return true;
  PARLANCE_TRY_DO(until_refused({.sql = "SELECT claim(number, $2, $3::interval) FROM conversations WHERE id = $1",
                                 .parameters = {conversation, settings_.hub, settings_.lease}}));
  refused_since_.reset();
  PARLANCE_TRY(rows,
               until_known({.sql = "SELECT number, epoch, revision, last_seq FROM conversations WHERE id = $1 AND owner = $2",
                            .parameters = {conversation, settings_.hub}}));
  if (rows.empty()) return false;
  given_up_.erase(conversation);
  held_[conversation] = {.number = rows.integer(0, 0),
                         .epoch = rows.integer(0, 1),
                         .revision = rows.integer(0, 2),
                         .last_seq = static_cast<std::uint64_t>(rows.integer(0, 3))};
  return true;
}

Result<void> Committer::release(const std::string& conversation) {
  const auto known = held_.find(conversation);
  if (known == held_.end()) return {};
  const Held held = known->second;
  give_up(conversation);
  PARLANCE_TRY_DO(until_known(
      {.sql = "UPDATE conversations SET owner = NULL, revision = revision + 1 WHERE number = $1 AND owner = $2 AND epoch = $3",
       .parameters = {held.number, settings_.hub, held.epoch}}));
  return {};
}

}  // namespace parlance::store
