// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parlance/async/parallel.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/schema.h"
#include "parlance/store/hub_pg/search_parts.h"
#include "parlance/store/hub_pg/team_rows.h"
#include "parlance/wire_form/command_forms.h"
#include "parlance/wire_form/event_tables.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::store {
namespace {

// Writes the outcome of a command unless already written: parameters are its id and `outcome_text`.
constexpr const char* end_if_open = "UPDATE commands SET outcome = $2, body = '' WHERE id = $1 AND outcome IS NULL RETURNING 1";
constexpr const char* all_rules = "SELECT body, scope, conversation, user_id FROM rules ORDER BY number DESC";
constexpr const char* spending_limits = "SELECT body FROM settings WHERE name = 'spending_limits'";

std::int64_t bounded(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); }

Result<std::vector<hub::Event>> events_of(const std::string& conversation, const pg::Rows& rows) {
  std::vector<hub::Event> events;
  events.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PARLANCE_TRY(event, event_of(conversation, rows.text(i, 0)));
    events.push_back(std::move(event));
  }
  return events;
}

Result<std::vector<hub::Rule>> rules_of(const pg::Rows& rows) {
  std::vector<hub::Rule> rules;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PARLANCE_TRY(rule, rule_from_text(rows.text(i, 0), rows.text(i, 1), rows.text_or_null(i, 2)));
    rule.user = user_at(rows, i, 3);
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<hub::SpendingLimits> limits_of(const pg::Rows& rows) {
  if (rows.empty()) return hub::SpendingLimits{};
  return json::from_text<hub::SpendingLimits>(rows.text(0, 0));
}

}  // namespace

Result<pg::Rows> Reader::rows(const char* sql, std::vector<pg::Parameter> parameters) {
  return session_.read({.sql = sql, .parameters = std::move(parameters)});
}

Result<void> Reader::migrate() {
  pg::ConnectSettings patient = settings_;
  patient.silence = limits::migration;
  auto own = pg::Connection::open(patient, interrupt_);
  if (!own) return std::unexpected(pg::error_of(own.error()));
  return migrate_hub(**own);
}

namespace {

struct LoadedConversations {
  std::vector<hub::PackedConversation> conversations{};
  Revisions revisions{};
};

Result<void> read_conversations_of(const pg::Rows& rows, LoadedConversations& loaded) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PARLANCE_TRY(conversation, conversation_at(rows, i));
    loaded.revisions.emplace_back(conversation.id, rows.integer(i, 7));
    loaded.conversations.emplace_back(conversation);
  }
  return {};
}

constexpr std::size_t before_conversations = 2;
constexpr std::size_t behind_conversations = 5;

// `most`: at least the number of conversations; later ones come with the last statement.
std::vector<pg::Statement> statements_to_load(std::size_t most) {
  std::vector<pg::Statement> statements{{.sql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
                                        {.sql = "DECLARE loaded NO SCROLL CURSOR FOR SELECT " +
                                                std::string(conversation_columns) + ", c.revision FROM conversations AS c"}};
  for (std::size_t fetched = 0; fetched < most; fetched += limits::loaded_rows)
    statements.push_back({.sql = "FETCH " + std::to_string(limits::loaded_rows) + " FROM loaded"});
  for (const char* sql :
       {"FETCH ALL FROM loaded",
        "SELECT body, answers, expires_at FROM asks WHERE state IN ('open','orphaned') ORDER BY id COLLATE \"C\"", all_rules,
        spending_limits, settings_version_of_all, "COMMIT"})
    statements.push_back({.sql = sql});
  return statements;
}

}  // namespace

// A consistent snapshot: a conversation and its asks belong together. Other threads convert the rows that have arrived, while the
// server sends the next.
Result<Reader::Loaded> Reader::load() {
  PARLANCE_TRY(last, rows("SELECT coalesce(max(number), 0) FROM conversations"));  // a count would read all rows once more
  const std::vector<pg::Statement> statements = statements_to_load(static_cast<std::size_t>(last.integer(0, 0)));
  Parallel<LoadedConversations> conversations;
  std::vector<pg::Rows> rest;
  const auto here = session_.connection();
  if (!here) return std::unexpected(pg::error_of(here.error()));
  const auto done = (*here)->run(statements, [&](std::size_t statement, pg::Rows rows) {
    if (statement + behind_conversations >= statements.size()) rest.push_back(std::move(rows));
    else if (statement >= before_conversations)
      conversations.add([rows = std::move(rows)](LoadedConversations& loaded) { return read_conversations_of(rows, loaded); });
  });
  if (!done) return std::unexpected(pg::error_of(done.error()));
  PARLANCE_TRY(arrived, conversations.take());
  Loaded loaded{.settings_version = static_cast<std::uint64_t>(rest[3].integer(0, 0))};
  hub::Stored& stored = loaded.stored;
  for (LoadedConversations& part : arrived) {
    std::ranges::move(part.revisions, std::back_inserter(loaded.revisions));
    std::ranges::move(part.conversations, std::back_inserter(stored.conversations));
  }
  for (std::size_t i = 0; i < rest[0].size(); ++i) {
    PARLANCE_TRY(ask, ask_at(rest[0], i));
    stored.asks.push_back(std::move(ask));
  }
  PARLANCE_TRY(rules, rules_of(rest[1]));
  stored.rules = std::move(rules);
  PARLANCE_TRY(limits, limits_of(rest[2]));
  stored.limits = std::move(limits);
  return loaded;
}

Result<hub::SettingsSnapshot> Reader::settings_snapshot() {
  PARLANCE_TRY(all, session_.read({{.sql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
                                   {.sql = settings_version_of_all},
                                   {.sql = all_rules},
                                   {.sql = spending_limits},
                                   {.sql = all_users},
                                   {.sql = all_tokens},
                                   {.sql = "COMMIT"}}));
  PARLANCE_TRY(found, rules_of(all[2]));
  PARLANCE_TRY(limits, limits_of(all[3]));
  return hub::SettingsSnapshot{.version = static_cast<std::uint64_t>(all[1].integer(0, 0)),
                               .rules = std::move(found),
                               .limits = std::move(limits),
                               .team = std::make_shared<const hub::Team>(team_of(all[4], all[5]))};
}

Result<std::uint64_t> Reader::settings_version() {
  PARLANCE_TRY(found, rows(settings_version_of_all));
  return static_cast<std::uint64_t>(found.integer(0, 0));
}

Result<std::vector<hub::ReplicatedConversation>> Reader::read_conversations(const std::vector<std::string>& conversations) {
  PARLANCE_TRY(seen, read_replicated([this](const std::vector<pg::Statement>& statements) { return session_.read(statements); },
                                     conversations, hub_, lease_));
  std::vector<hub::ReplicatedConversation> found;
  for (ReplicatedRow& row : seen) found.push_back(std::move(row.conversation));
  return found;
}

Result<std::vector<std::string>> Reader::continuing(const std::string& agent_session) {
  PARLANCE_TRY(found, rows("SELECT id FROM conversations WHERE native_session = $1 AND native_how = 'resume'", {agent_session}));
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < found.size(); ++i) ids.emplace_back(found.text(i, 0));
  return ids;
}

Result<pg::Rows> Reader::newest_rows(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                     std::size_t limit) {
  const pg::Parameter most = limit == 0 ? pg::Parameter(std::nullopt) : pg::Parameter(bounded(limit));
  return rows(
      "SELECT body, seq FROM (SELECT seq, body FROM events "
      "WHERE conversation = (SELECT number FROM conversations WHERE id = $1) AND seq > $2 AND seq < $3 "
      "ORDER BY seq DESC LIMIT $4) AS newest ORDER BY seq",
      {conversation, bounded(after), bounded(before), most});
}

Result<std::vector<hub::Event>> Reader::events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t limit) {
  PARLANCE_TRY(found, newest_rows(conversation, after, before, limit));
  return events_of(conversation, found);
}

Result<std::vector<hub::EventText>> Reader::event_texts(const std::string& conversation, std::uint64_t after,
                                                        std::uint64_t before, std::size_t limit) {
  PARLANCE_TRY(found, newest_rows(conversation, after, before, limit));
  std::vector<hub::EventText> texts;
  texts.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    PARLANCE_TRY(text, event_text_of(conversation, static_cast<std::uint64_t>(found.integer(i, 1)), found.text(i, 0)));
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<std::vector<hub::Event>> Reader::events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                                     std::size_t most_bytes) {
  PARLANCE_TRY(found,
               rows("SELECT body FROM (SELECT seq, body, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes "
                    "FROM (SELECT seq, body FROM events WHERE conversation = (SELECT number FROM conversations WHERE id = $1) "
                    "AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $5) AS next) AS counted "
                    "WHERE bytes <= $4 OR bytes = octet_length(body) ORDER BY seq",
                    {conversation, bounded(after), bounded(last), bounded(most_bytes), limits::read_rows}));
  return events_of(conversation, found);
}

Result<hub::LogParts> Reader::parts_with(const std::string& words, std::uint64_t before, std::size_t limit) {
  std::vector<pg::Statement> statements{parts_statement(words, before, limit)};
  if (before == 0) statements.insert(statements.begin(), open_parts_statement());
  PARLANCE_TRY(all, session_.read(statements));
  hub::LogParts found;
  for (const pg::Rows& rows : all)
    for (std::size_t i = 0; i < rows.size(); ++i)
      found.parts.push_back({.conversation = std::string(rows.text(i, 0)),
                             .first = static_cast<std::uint64_t>(rows.integer(i, 1)),
                             .last = static_cast<std::uint64_t>(rows.integer(i, 2))});
  const pg::Rows& indexed = all.back();
  if (indexed.size() == limit) found.before = static_cast<std::uint64_t>(indexed.integer(indexed.size() - 1, 3));
  return found;
}

Result<std::optional<hub::Ask>> Reader::ask(const std::string& id) {
  PARLANCE_TRY(found, rows("SELECT body, answers, expires_at FROM asks WHERE id = $1", {id}));
  if (found.empty()) return std::nullopt;
  PARLANCE_TRY(ask, ask_at(found, 0));
  return ask;
}

Result<std::optional<hub::Attachment>> Reader::attachment(const std::string& id) {
  PARLANCE_TRY(found, rows("SELECT body, data, conversation FROM attachments WHERE id = $1", {id}));
  if (found.empty()) return std::nullopt;
  PARLANCE_TRY(about, json::from_text<hub::AttachmentInfo>(found.text(0, 0)));
  return hub::Attachment{.about = std::move(about), .data = found.bytes(0, 1), .conversation = std::string(found.text(0, 2))};
}

Result<std::vector<hub::SpentOn>> Reader::spent(const std::string& since) {
  PARLANCE_TRY(found, rows("SELECT day, conversation, body FROM spent WHERE day COLLATE \"C\" >= $1 "
                           "ORDER BY day COLLATE \"C\", conversation COLLATE \"C\"",
                           {since}));
  std::vector<hub::SpentOn> sums;
  for (std::size_t i = 0; i < found.size(); ++i) {
    PARLANCE_TRY(more, json::from_text<hub::Spent>(found.text(i, 2)));
    if (sums.empty() || sums.back().day != found.text(i, 0) || sums.back().conversation != found.text(i, 1))
      sums.push_back({.day = std::string(found.text(i, 0)), .conversation = std::string(found.text(i, 1))});
    sums.back().spent += more;
  }
  return sums;
}

Result<hub::Spent> Reader::spent_in(const std::string& conversation) {
  PARLANCE_TRY(found, rows("SELECT body FROM spent WHERE conversation = $1", {conversation}));
  hub::Spent sum;
  for (std::size_t i = 0; i < found.size(); ++i) {
    PARLANCE_TRY(more, json::from_text<hub::Spent>(found.text(i, 0)));
    sum += more;
  }
  return sum;
}

// ---- commands ----------------------------------------------------------------------------------------------------------------

// Idempotent: a frontend repeats the command after a lost answer.
Result<bool> Reader::send(const hub::Submission& command) {
  PARLANCE_TRY_DO(
      rows("INSERT INTO commands(id, conversation, user_id, body) SELECT $1, number, $4, $3 FROM conversations WHERE id = $2 "
           "ON CONFLICT(id) DO NOTHING",
           {command.id, command.conversation, wire_form::command_text(command), command.user}));
  PARLANCE_TRY(found, rows("SELECT 1 FROM commands WHERE id = $1", {command.id}));
  return !found.empty();
}

Result<std::optional<hub::CommandOutcome>> Reader::outcome(const std::string& command) {
  PARLANCE_TRY(found, rows("SELECT outcome FROM commands WHERE id = $1", {command}));
  if (found.empty()) return fail(Errc::not_found, "the conversation is gone");
  if (found.is_null(0, 0)) return std::nullopt;
  PARLANCE_TRY(outcome, wire_form::outcome_from_text(found.text(0, 0)));
  return outcome;
}

// Either the owner or this hub writes the outcome first, and the other reads it.
Result<std::optional<hub::CommandOutcome>> Reader::withdraw_command(const std::string& command) {
  const hub::CommandOutcome timed_out{
      .error = Error{.code = Errc::deadline_exceeded, .message = "the owner did not carry out the command in time"}};
  PARLANCE_TRY(written, rows(end_if_open, {command, wire_form::outcome_text(timed_out)}));
  if (!written.empty()) return std::nullopt;
  return outcome(command);
}

Result<std::vector<hub::Submission>> Reader::commands(const std::string& conversation) {
  PARLANCE_TRY(
      found, rows("SELECT id, body, user_id FROM commands WHERE conversation = (SELECT number FROM conversations WHERE id = $1) "
                  "AND outcome IS NULL ORDER BY number",
                  {conversation}));
  std::vector<hub::Submission> commands;
  for (std::size_t i = 0; i < found.size(); ++i) {
    PARLANCE_TRY(command, wire_form::command_from_text(found.text(i, 1)));
    command.id = found.text(i, 0);
    command.conversation = conversation;
    command.user = found.text(i, 2);
    commands.push_back(std::move(command));
  }
  return commands;
}

Result<void> Reader::done(const hub::CommandDone& command) {
  PARLANCE_TRY_DO(rows(end_if_open, {command.id, wire_form::outcome_text(command.outcome)}));
  return {};
}

}  // namespace parlance::store
