#include "parlance/store/hub_pg/reader.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/store/hub/event_tables.h"
#include "parlance/store/hub/spending_tables.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/schema.h"

namespace parlance::store {
namespace {

std::int64_t bounded(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); }

Result<hub::Conversation> conversation_at(const pg::Rows& rows, std::size_t row) {
  PARLANCE_TRY(conversation, json::from_text<hub::Conversation>(rows.text(row, 0)));
  conversation.last_seq = static_cast<std::uint64_t>(rows.integer(row, 1));
  conversation.turn = rows.text(row, 2);
  conversation.native_session = {.id = std::string(rows.text(row, 3)), .how = session_use(rows.text(row, 4))};
  return conversation;
}

Result<std::vector<hub::Event>> events_of(const std::string& conversation, const pg::Rows& rows) {
  std::vector<hub::Event> events;
  events.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PARLANCE_TRY(event, event_of(conversation, rows.text(i, 0)));
    events.push_back(std::move(event));
  }
  return events;
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

// Of one moment: a conversation and its asks belong together.
Result<hub::Stored> Reader::load() {
  PARLANCE_TRY(all, session_.read({{.sql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
                                   {.sql = "SELECT body, last_seq, turn, native_session, native_how FROM conversations "
                                           "ORDER BY updated_at COLLATE \"C\" DESC"},
                                   {.sql = "SELECT body, answers, expires_at FROM asks WHERE state IN ('open','orphaned') "
                                           "ORDER BY id COLLATE \"C\""},
                                   {.sql = "SELECT body, scope, conversation FROM rules ORDER BY number DESC"},
                                   {.sql = "SELECT body FROM settings WHERE name = 'spending_limits'"},
                                   {.sql = "COMMIT"}}));
  hub::Stored stored;
  for (std::size_t i = 0; i < all[1].size(); ++i) {
    PARLANCE_TRY(conversation, conversation_at(all[1], i));
    stored.conversations.push_back(std::move(conversation));
  }
  for (std::size_t i = 0; i < all[2].size(); ++i) {
    PARLANCE_TRY(ask, ask_from_text(all[2].text(i, 0), all[2].text(i, 1), all[2].text_or_null(i, 2)));
    stored.asks.push_back(std::move(ask));
  }
  for (std::size_t i = 0; i < all[3].size(); ++i) {
    PARLANCE_TRY(rule, rule_from_text(all[3].text(i, 0), all[3].text(i, 1), all[3].text_or_null(i, 2)));
    stored.rules.push_back(std::move(rule));
  }
  if (!all[4].empty()) {
    PARLANCE_TRY(limits, json::from_text<hub::SpendingLimits>(all[4].text(0, 0)));
    stored.limits = std::move(limits);
  }
  return stored;
}

Result<std::vector<hub::Event>> Reader::events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t limit) {
  const pg::Parameter most = limit == 0 ? pg::Parameter(std::nullopt) : pg::Parameter(bounded(limit));
  PARLANCE_TRY(found, rows("SELECT body FROM (SELECT seq, body FROM events "
                           "WHERE conversation = (SELECT number FROM conversations WHERE id = $1) AND seq > $2 AND seq < $3 "
                           "ORDER BY seq DESC LIMIT $4) AS newest ORDER BY seq",
                           {conversation, bounded(after), bounded(before), most}));
  return events_of(conversation, found);
}

Result<std::vector<hub::Event>> Reader::events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                                     std::size_t most_bytes) {
  PARLANCE_TRY(found, rows("SELECT body FROM (SELECT seq, body, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes "
                           "FROM (SELECT seq, body FROM events WHERE conversation = (SELECT number FROM conversations WHERE id = $1) "
                           "AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $5) AS next) AS counted "
                           "WHERE bytes <= $4 OR bytes = octet_length(body) ORDER BY seq",
                           {conversation, bounded(after), bounded(last), bounded(most_bytes), limits::read_rows}));
  return events_of(conversation, found);
}

Result<std::optional<hub::Ask>> Reader::ask(const std::string& id) {
  PARLANCE_TRY(found, rows("SELECT body, answers, expires_at FROM asks WHERE id = $1", {id}));
  if (found.empty()) return std::nullopt;
  PARLANCE_TRY(ask, ask_from_text(found.text(0, 0), found.text(0, 1), found.text_or_null(0, 2)));
  return ask;
}

Result<std::optional<hub::Attachment>> Reader::attachment(const std::string& id) {
  PARLANCE_TRY(found, rows("SELECT body, data FROM attachments WHERE id = $1", {id}));
  if (found.empty()) return std::nullopt;
  PARLANCE_TRY(about, json::from_text<hub::AttachmentInfo>(found.text(0, 0)));
  return hub::Attachment{.about = std::move(about), .data = found.bytes(0, 1)};
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

Result<hub::StoreCounts> Reader::counts() {
  PARLANCE_TRY(found, rows("SELECT count(*), coalesce(sum(messages), 0), coalesce(sum(tool_calls), 0), "
                           "pg_database_size(current_database()) FROM conversations"));
  const auto count = [&](std::size_t column) { return static_cast<std::uint64_t>(found.integer(0, column)); };
  return hub::StoreCounts{.conversations = count(0), .messages = count(1), .tool_calls = count(2), .bytes = count(3)};
}

// ---- commands ----------------------------------------------------------------------------------------------------------------

// Twice is once: the face that did not hear of the first asks again.
Result<bool> Reader::send(const hub::Command& command) {
  PARLANCE_TRY_DO(rows("INSERT INTO commands(id, conversation, body) SELECT $1, number, $3 FROM conversations WHERE id = $2 "
                       "ON CONFLICT(id) DO NOTHING",
                       {command.id, command.conversation, command.body}));
  PARLANCE_TRY(found, rows("SELECT 1 FROM commands WHERE id = $1", {command.id}));
  return !found.empty();
}

Result<std::optional<std::string>> Reader::outcome(const std::string& command) {
  PARLANCE_TRY(found, rows("SELECT outcome FROM commands WHERE id = $1", {command}));
  if (found.empty()) return fail(Errc::not_found, "the conversation of the command is gone");
  return found.text_or_null(0, 0);
}

Result<std::vector<hub::Command>> Reader::commands(const std::string& conversation) {
  PARLANCE_TRY(found, rows("SELECT id, body FROM commands WHERE conversation = (SELECT number FROM conversations WHERE id = $1) "
                           "AND outcome IS NULL ORDER BY number",
                           {conversation}));
  std::vector<hub::Command> commands;
  for (std::size_t i = 0; i < found.size(); ++i)
    commands.push_back({.id = std::string(found.text(i, 0)), .conversation = conversation, .body = std::string(found.text(i, 1))});
  return commands;
}

Result<void> Reader::done(const std::string& command, const std::string& outcome) {
  PARLANCE_TRY_DO(rows("UPDATE commands SET outcome = $2 WHERE id = $1 AND outcome IS NULL", {command, outcome}));
  return {};
}

}  // namespace parlance::store
