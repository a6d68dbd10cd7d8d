// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/search_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "parlance/base/holds.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/text_search.h"
#include "parlance/store/hub/search_grams.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

// A write of FTS5 and of a part costs as much as all other rows of a small turn. Limits of the logs that a search reads instead.
constexpr std::uint64_t waiting_events = 64;        // of a conversation
constexpr std::int64_t waiting_conversations = 32;  // running turns included
constexpr std::size_t part_bytes = 64 << 10;        // a turn beyond this ends its part

struct Part {
  std::int64_t conversation;
  std::uint64_t first;
  std::uint64_t last;
};

Result<void> add_part(sqlite::Database& db, const Part& part, const std::string& text) {
  if (text.empty()) return {};
  const bool indexed = text.size() <= limits::indexed_bytes;
  {
    PARLANCE_TRY(insert, db.query("INSERT INTO search_parts(conversation, first, last, indexed) VALUES(?1,?2,?3,?4)"));
    PARLANCE_TRY_DO(insert.run(part.conversation, part.first, part.last, indexed ? 1 : 0));
  }
  if (!indexed) return {};
  PARLANCE_TRY(insert, db.query("INSERT INTO search_text(rowid, text) VALUES(?1,?2)"));
  return insert.run(db.last_row(), text);
}

Result<void> add_parts(sqlite::Database& db, Part whole) {
  PARLANCE_TRY(rows, db.query("SELECT body FROM events WHERE conversation=?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq"));
  rows.bind(whole.conversation, whole.first, whole.last);
  hub::TextLines lines;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return add_part(db, whole, lines.take_all());
    PARLANCE_TRY(event, wire_form::event_from_json(rows.text(0)));
    lines.add(event);
    if (!holds<hub::event::TurnEnd>(event.body) || lines.bytes() < part_bytes) continue;
    PARLANCE_TRY_DO(
        add_part(db, {.conversation = whole.conversation, .first = whole.first, .last = event.seq}, lines.take_all()));
    whole.first = event.seq + 1;
  }
}

Result<void> run(sqlite::Database& db, std::string_view sql, std::int64_t conversation) {
  PARLANCE_TRY(statement, db.query(sql));
  return statement.run(conversation);
}

Result<void> end_part(sqlite::Database& db, const Part& part) {
  PARLANCE_TRY_DO(add_parts(db, part));
  return run(db, "DELETE FROM search_open WHERE conversation=?1", part.conversation);
}

// Ends the parts of all conversations without a running turn if a further conversation would make many wait. False: few wait.
Result<bool> end_many(sqlite::Database& db) {
  {
    PARLANCE_TRY(count, db.query("SELECT count(*) FROM search_open"));
    PARLANCE_TRY_DO(count.step());
    if (count.integer(0) + 1 < waiting_conversations) return false;
  }
  std::vector<Part> ended;
  {
    PARLANCE_TRY(rows, db.query("SELECT o.conversation, o.first, c.last_seq FROM search_open AS o JOIN conversations AS c "
                                "ON c.number=o.conversation WHERE c.turn=''"));
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      ended.push_back({.conversation = rows.integer(0),
                       .first = static_cast<std::uint64_t>(rows.integer(1)),
                       .last = static_cast<std::uint64_t>(rows.integer(2))});
    }
  }
  for (const Part& part : ended) PARLANCE_TRY_DO(end_part(db, part));
  return true;
}

Result<void> begin_part(sqlite::Database& db, std::int64_t conversation, std::uint64_t first) {
  PARLANCE_TRY(begin, db.query("INSERT INTO search_open(conversation, first) VALUES(?1,?2)"));
  return begin.run(conversation, first);
}

// Words for FTS5: every three characters in a row, quoted. Empty: fewer than three characters.
std::string match_of(std::string_view words) {
  std::string match;
  const std::vector<std::string_view> all = characters_of(words);
  for (std::size_t i = 0; i + 2 < all.size() && i < limits::searched_grams; ++i) {
    match += match.empty() ? "\"" : " AND \"";
    for (std::size_t k = i; k < i + 3; ++k) match += all[k] == "\"" ? "\"\"" : all[k];
    match += '"';
  }
  return match;
}

std::string pattern_of(std::string_view words) {
  std::string pattern = "%";
  for (const char c : words) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

constexpr std::string_view by_grams =
    "SELECT c.id, p.first, p.last, p.number FROM (SELECT rowid AS number FROM search_text WHERE search_text MATCH ?1 AND rowid<?2 "
    "UNION ALL SELECT number FROM search_parts WHERE indexed=0 AND number<?2 ORDER BY number DESC LIMIT ?3) AS f "
    "JOIN search_parts AS p ON p.number=f.number JOIN conversations AS c ON c.number=p.conversation ORDER BY p.number DESC";
// Fewer than three characters: reads the texts of the index, which is faster than a read of the logs.
constexpr std::string_view by_scan =
    "SELECT c.id, p.first, p.last, p.number FROM search_parts AS p JOIN conversations AS c ON c.number=p.conversation "
    "WHERE p.number<?2 AND (p.indexed=0 OR (SELECT t.text LIKE ?1 ESCAPE '\\' FROM search_text AS t WHERE t.rowid=p.number)) "
    "ORDER BY p.number DESC LIMIT ?3";
constexpr std::string_view unfinished =
    "SELECT c.id, o.first, c.last_seq, 0 FROM search_open AS o JOIN conversations AS c ON c.number=o.conversation";

Result<void> read_parts(sqlite::Query& rows, hub::LogParts& found) {
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return {};
    found.parts.push_back({.conversation = std::string(rows.text(0)),
                           .first = static_cast<std::uint64_t>(rows.integer(1)),
                           .last = static_cast<std::uint64_t>(rows.integer(2))});
    found.before = static_cast<std::uint64_t>(rows.integer(3));
  }
}

}  // namespace

Result<void> note_searched(sqlite::Database& db, const SearchedLog& log, const std::vector<hub::Event>& events) {
  const hub::SearchedRange range = hub::searched_range(events);
  std::uint64_t first = log.waiting;
  if (range.cleared != 0) {
    PARLANCE_TRY_DO(run(db, "DELETE FROM search_parts WHERE conversation=?1", log.conversation));
    PARLANCE_TRY_DO(run(db, "DELETE FROM search_open WHERE conversation=?1", log.conversation));
    first = 0;
  }
  if (range.ended == 0 && range.begun == 0) return {};
  const std::uint64_t begin = range.cleared != 0 ? range.cleared : range.ended == 0 ? range.begun : events.front().seq;
  const bool was_waiting = first != 0;
  if (!was_waiting) first = begin;
  bool ends = range.ended != 0 && range.ended - first >= waiting_events;
  if (!was_waiting) {
    PARLANCE_TRY(many, end_many(db));
    if (many && range.ended != 0) ends = true;
  }
  if (!ends) return was_waiting ? Result<void>() : begin_part(db, log.conversation, first);
  PARLANCE_TRY_DO(end_part(db, {.conversation = log.conversation, .first = first, .last = range.ended}));
  return range.begun == 0 ? Result<void>() : begin_part(db, log.conversation, range.begun);
}

Result<void> note_cut(sqlite::Database& db, std::int64_t conversation, std::uint64_t last) {
  PARLANCE_TRY(removal, db.query("DELETE FROM search_parts WHERE conversation=?1 AND last>?2"));
  PARLANCE_TRY_DO(removal.run(conversation, last));
  PARLANCE_TRY_DO(run(db, "DELETE FROM search_open WHERE conversation=?1", conversation));
  std::uint64_t first = 1;
  std::uint64_t end = 0;
  {
    PARLANCE_TRY(rows, db.query("SELECT ifnull((SELECT max(last) FROM search_parts WHERE conversation=?1),0)+1, "
                                "ifnull((SELECT max(seq) FROM events WHERE conversation=?1),0)"));
    rows.bind(conversation);
    PARLANCE_TRY_DO(rows.step());
    first = static_cast<std::uint64_t>(rows.integer(0));
    end = static_cast<std::uint64_t>(rows.integer(1));
  }
  return first > end ? Result<void>() : begin_part(db, conversation, first);
}

Result<void> note_copied(sqlite::Database& db, std::int64_t conversation, std::uint64_t last) {
  return end_part(db, {.conversation = conversation, .first = 1, .last = last});
}

Result<hub::LogParts> find_parts(sqlite::Database& db, const std::string& words, std::uint64_t before, std::size_t limit) {
  hub::LogParts found;
  if (before == 0) {
    PARLANCE_TRY(rows, db.query(unfinished));
    PARLANCE_TRY_DO(read_parts(rows, found));
  }
  const std::size_t open = found.parts.size();
  const std::string indexed = hub::TextLines::as_indexed(words);
  const std::string match = match_of(indexed);
  PARLANCE_TRY(rows, db.query(match.empty() ? by_scan : by_grams));
  rows.bind(match.empty() ? pattern_of(indexed) : match, before == 0 ? INT64_MAX : static_cast<std::int64_t>(before),
            static_cast<std::int64_t>(limit));
  PARLANCE_TRY_DO(read_parts(rows, found));
  if (found.parts.size() - open < limit) found.before = 0;
  return found;
}

}  // namespace parlance::store
