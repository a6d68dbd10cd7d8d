// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/search_parts.h"

#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/text_search.h"
#include "parlance/store/hub/search_grams.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

std::string array_of(std::string_view text, std::size_t most) {
  pg::Array array;
  std::vector<std::int32_t> grams = search_grams(text);
  if (grams.size() > most) grams.resize(most);
  for (const std::int32_t gram : grams) array.add(gram);
  return array.text();
}

// An unreadable event stays out of the index; a read of the log reports the error.
void add_logged(const std::string& conversation, std::string_view body, hub::TextLines& lines) {
  if (const auto event = wire_form::event_from_json(body)) lines.add(*event);
  else log(LogLevel::error, "an event is unreadable", {{"conversation", conversation}, {"why", event.error().message}});
}

}  // namespace

pg::Outcome<EndedParts> ended_parts(pg::Connection& connection, std::span<const hub::CommitPtr> group) {
  EndedParts parts;
  std::vector<const hub::Commit*> ends;
  std::vector<pg::Statement> statements;
  for (const hub::CommitPtr& change : group) {
    const std::uint64_t last = hub::searched_range(change->events).ended;
    if (last == 0) continue;
    ends.push_back(change.get());
    parts[change->events_of] = {.first = change->events.front().seq, .last = last};
    statements.push_back(
        {.sql =
             "SELECT o.first, e.body FROM conversations AS c JOIN search_open AS o ON o.conversation = c.number "
             "JOIN events AS e ON e.conversation = c.number AND e.seq >= o.first AND e.seq < $2 WHERE c.id = $1 ORDER BY e.seq",
         .parameters = {change->events_of, change->events.front().seq}});
  }
  if (ends.empty()) return parts;
  const auto read = connection.run(statements);
  if (!read) return std::unexpected(read.error());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::string& id = ends[i]->events_of;
    EndedPart& part = parts[id];
    const pg::Rows& rows = (*read)[i];
    hub::TextLines lines;
    if (!rows.empty()) part.first = static_cast<std::uint64_t>(rows.integer(0, 0));
    for (std::size_t row = 0; row < rows.size(); ++row) add_logged(id, rows.text(row, 1), lines);
    for (const hub::Event& event : ends[i]->events)
      if (event.seq <= part.last) lines.add(event);
    part.text = lines.take_all();
  }
  return parts;
}

void add_search_statements(const hub::Commit& change, const EndedParts& ended, std::vector<pg::Statement>& statements) {
  const hub::SearchedRange range = hub::searched_range(change.events);
  const std::string& id = change.events_of;
  if (range.cleared != 0)
    for (const std::string table : {"search_parts", "search_open"})
      statements.push_back(
          {.sql = "DELETE FROM " + table + " WHERE conversation = (SELECT number FROM conversations WHERE id = $1)",
           .parameters = {id}});
  if (const auto part = ended.find(id); range.ended != 0 && part != ended.end()) {
    const std::string& text = part->second.text;
    if (!text.empty())
      statements.push_back(
          {.sql =
               "INSERT INTO search_parts(conversation, first, last, grams) SELECT number, $2, $3, $4::int[] FROM conversations "
               "WHERE id = $1",
           .parameters = {
               id, part->second.first, part->second.last,
               text.size() > limits::indexed_bytes ? pg::Parameter(std::nullopt) : pg::Parameter(array_of(text, text.size()))}});
    statements.push_back({.sql = "DELETE FROM search_open WHERE conversation = (SELECT number FROM conversations WHERE id = $1)",
                          .parameters = {id}});
  }
  if (range.begun != 0)
    statements.push_back({.sql =
                              "INSERT INTO search_open(conversation, first) SELECT number, $2 FROM conversations WHERE id = $1 "
                              "ON CONFLICT DO NOTHING",
                          .parameters = {id, range.begun}});
}

pg::Statement open_parts_statement() {
  return {.sql =
              "SELECT c.id, o.first, c.last_seq, 0 FROM search_open AS o JOIN conversations AS c ON c.number = o.conversation"};
}

// Materialized, because the planner would otherwise read all rows in the order of their numbers.
pg::Statement parts_statement(const std::string& words, std::uint64_t before, std::size_t limit) {
  static const std::string begin = "WITH found AS MATERIALIZED (";
  static const std::string end =
      ") SELECT c.id, p.first, p.last, p.number FROM (SELECT number FROM found ORDER BY number DESC LIMIT $2) AS f "
      "JOIN search_parts AS p ON p.number = f.number JOIN conversations AS c ON c.number = p.conversation ORDER BY p.number DESC";
  const auto most = static_cast<std::int64_t>(limit);
  const std::int64_t bound = before == 0 ? INT64_MAX : static_cast<std::int64_t>(before);
  const std::string grams = array_of(hub::TextLines::as_indexed(words), limits::searched_grams);
  if (grams == "{}")
    return {.sql = begin + "SELECT number FROM search_parts WHERE number < $1 ORDER BY number DESC LIMIT $2" + end,
            .parameters = {bound, most}};
  return {.sql = begin +
                 "SELECT number FROM search_parts WHERE grams @> $3::int[] AND number < $1 UNION ALL "
                 "SELECT number FROM search_parts WHERE grams IS NULL AND number < $1" +
                 end,
          .parameters = {bound, most, grams}};
}

}  // namespace parlance::store
