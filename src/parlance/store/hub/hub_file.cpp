// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "parlance/async/parallel.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_schema.h"
#include "parlance/store/hub/hub_spent.h"
#include "parlance/store/hub/search_rows.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/store/hub/unused_sessions.h"
#include "parlance/store/state_parts.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

constexpr std::string_view file_name = "hub.db";
constexpr std::size_t rows_of_part = 1024;  // about 400 KiB

Result<hub::Ask> ask_from(const sqlite::Query& row) {  // body, answers, expires_at
  return ask_from_text(row.text(0), row.text(1), row.text_or_null(2));
}

struct ConversationRow {
  std::string body{};
  std::int64_t last_seq = 0;
  std::string turn{};
  std::string native_session{};
  std::string native_how{};
};

using Conversations = std::vector<hub::PackedConversation>;

Result<void> convert(const std::vector<ConversationRow>& rows, Conversations& into) {
  for (const ConversationRow& row : rows) {
    PARLANCE_TRY(conversation, conversation_from_text(row.body, row.last_seq, row.turn, row.native_session, row.native_how));
    into.emplace_back(conversation);
  }
  return {};
}

// Other threads convert rows, while this thread reads the next.
Result<Conversations> load_conversations(sqlite::Database& db) {
  PARLANCE_TRY(rows, db.query("SELECT body, last_seq, turn, native_session, native_how FROM conversations"));
  Parallel<Conversations> parts;
  for (bool more = true; more;) {
    std::vector<ConversationRow> part;
    part.reserve(rows_of_part);
    while (part.size() < rows_of_part) {
      PARLANCE_TRY(row, rows.step());
      more = row;
      if (!more) break;
      part.push_back({.body = std::string(rows.text(0)),
                      .last_seq = rows.integer(1),
                      .turn = std::string(rows.text(2)),
                      .native_session = std::string(rows.text(3)),
                      .native_how = std::string(rows.text(4))});
    }
    parts.add([part = std::move(part)](Conversations& into) { return convert(part, into); });
  }
  PARLANCE_TRY(loaded, parts.take());
  Conversations all;
  for (Conversations& some : loaded) std::ranges::move(some, std::back_inserter(all));
  return all;
}

// The kernel releases the lock of a killed process a moment after the end of the process. Therefore waits for up to a second.
bool take(int lock) {
  for (int attempts = 0; attempts < 100; ++attempts) {
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

HubFile::HubFile(std::string state_folder) : folder_(std::move(state_folder)) {}

HubFile::~HubFile() {
  db_.reset();
  if (lock_ >= 0) ::close(lock_);
}

Result<void> HubFile::open() {
  if (db_) return {};
  PARLANCE_TRY_DO(check_part(folder_, file_name));
  const std::string path = folder_ + "/" + std::string(file_name);
  PARLANCE_TRY_DO(sqlite::Database::check(path, hub_schema()));
  PARLANCE_TRY(db, sqlite::Database::open(path));
  PARLANCE_TRY_DO(lock());
  PARLANCE_TRY_DO(db->migrate(hub_schema()));
  db_ = std::move(db);
  note_part(folder_, file_name);
  return {};
}

Result<void> HubFile::lock() {
  if (lock_ >= 0) return {};
  const std::string path = folder_ + "/hub.lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(system_error("open " + path, errno));
  if (!take(fd)) {
    std::array<char, 16> pid{};
    const ssize_t size = ::read(fd, pid.data(), pid.size());
    ::close(fd);
    const std::string who = size > 0 ? " (process " + std::string(pid.data(), static_cast<std::size_t>(size)) + ")" : "";
    return fail(Errc::failed, "another parlance" + who + " works in " + folder_ + ": stop it, or choose another --state");
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(fd, 0) != 0 || ::write(fd, pid.data(), pid.size()) < 0) {
    // Only the message above would be poorer.
  }
  lock_ = fd;
  return {};
}

// ---- reading -------------------------------------------------------------------------------------------------------------

Result<hub::Stored> HubFile::load() {
  PARLANCE_TRY_DO(open());
  hub::Stored stored;
  PARLANCE_TRY(conversations, load_conversations(*db_));
  stored.conversations = std::move(conversations);
  PARLANCE_TRY(asks, db_->query("SELECT body, answers, expires_at FROM asks WHERE state IN ('open','orphaned') ORDER BY id"));
  for (;;) {
    PARLANCE_TRY(row, asks.step());
    if (!row) break;
    PARLANCE_TRY(ask, ask_from(asks));
    stored.asks.push_back(std::move(ask));
  }
  PARLANCE_TRY(rules, db_->query("SELECT body, scope, conversation FROM rules ORDER BY number DESC"));
  for (;;) {
    PARLANCE_TRY(row, rules.step());
    if (!row) break;
    PARLANCE_TRY(rule, rule_from_text(rules.text(0), rules.text(1), rules.text_or_null(2)));
    stored.rules.push_back(std::move(rule));
  }
  PARLANCE_TRY(limits, read_limits(*db_));
  stored.limits = std::move(limits);
  return stored;
}

namespace {

std::int64_t bounded(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); }

// `read` converts a row: body, seq.
template <class Item>
Result<std::vector<Item>> newest_rows(sqlite::Database& db, const std::string& conversation, std::uint64_t after,
                                      std::uint64_t before, std::size_t limit,
                                      Result<Item> (*read)(const std::string&, const sqlite::Query&)) {
  PARLANCE_TRY(rows, db.query("SELECT body, seq FROM events WHERE conversation=(SELECT number FROM conversations WHERE id=?1) "
                              "AND seq>?2 AND seq<?3 ORDER BY seq DESC LIMIT ?4"));
  rows.bind(conversation, bounded(after), bounded(before), limit == 0 ? std::int64_t{-1} : bounded(limit));
  std::vector<Item> items;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) break;
    PARLANCE_TRY(item, read(conversation, rows));
    items.push_back(std::move(item));
  }
  std::ranges::reverse(items);
  return items;
}

}  // namespace

Result<std::vector<hub::Event>> HubFile::events(const std::string& conversation, std::uint64_t after, std::uint64_t before,
                                                std::size_t limit) {
  PARLANCE_TRY_DO(open());
  return newest_rows<hub::Event>(*db_, conversation, after, before, limit,
                                 [](const std::string& of, const sqlite::Query& row) { return event_of(of, row.text(0)); });
}

Result<std::vector<hub::EventText>> HubFile::event_texts(const std::string& conversation, std::uint64_t after,
                                                         std::uint64_t before, std::size_t limit) {
  PARLANCE_TRY_DO(open());
  return newest_rows<hub::EventText>(*db_, conversation, after, before, limit,
                                     [](const std::string& of, const sqlite::Query& row) {
                                       return event_text_of(of, static_cast<std::uint64_t>(row.integer(1)), row.text(0));
                                     });
}

Result<std::vector<hub::Event>> HubFile::events_after(const std::string& conversation, std::uint64_t after, std::uint64_t last,
                                                      std::size_t most_bytes) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(rows, db_->query("SELECT body FROM events WHERE conversation=(SELECT number FROM conversations WHERE id=?1) "
                                "AND seq>?2 AND seq<=?3 ORDER BY seq"));
  rows.bind(conversation, bounded(after), bounded(last));
  std::vector<hub::Event> events;
  std::size_t bytes = 0;
  do {
    PARLANCE_TRY(row, rows.step());
    if (!row) break;
    bytes += rows.text(0).size();
    if (!events.empty() && bytes > most_bytes) break;
    PARLANCE_TRY(event, event_of(conversation, rows.text(0)));
    events.push_back(std::move(event));
  } while (bytes < most_bytes);
  return events;
}

Result<hub::LogParts> HubFile::parts_with(const std::string& words, std::uint64_t before, std::size_t limit) {
  PARLANCE_TRY_DO(open());
  return find_parts(*db_, words, before, limit);
}

Result<std::optional<hub::Ask>> HubFile::ask(const std::string& id) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(rows, db_->query("SELECT body, answers, expires_at FROM asks WHERE id=?1"));
  rows.bind(id);
  PARLANCE_TRY(row, rows.step());
  if (!row) return std::nullopt;
  PARLANCE_TRY(ask, ask_from(rows));
  return ask;
}

Result<std::optional<hub::Attachment>> HubFile::attachment(const std::string& id) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(rows, db_->query("SELECT body, data, conversation FROM attachments WHERE id=?1"));
  rows.bind(id);
  PARLANCE_TRY(row, rows.step());
  if (!row) return std::nullopt;
  PARLANCE_TRY(about, json::from_text<hub::AttachmentInfo>(rows.text(0)));
  return hub::Attachment{.about = std::move(about), .data = std::string(rows.blob(1)), .conversation = std::string(rows.text(2))};
}

Result<std::vector<hub::SpentOn>> HubFile::spent(const std::string& since) {
  PARLANCE_TRY_DO(open());
  return read_spent(*db_, since);
}

Result<hub::Spent> HubFile::spent_in(const std::string& conversation) {
  PARLANCE_TRY_DO(open());
  return sum_of(*db_, conversation);
}

// ---- writing -------------------------------------------------------------------------------------------------------------

Result<void> HubFile::commit(const hub::Commit& change) {
  PARLANCE_TRY_DO(open());
  return db_->transaction([&] { return write(change); });
}

Result<void> HubFile::write(const hub::Commit& change) {
  if (change.conversation) PARLANCE_TRY_DO(write_conversation(*change.conversation));
  if (!change.events.empty()) PARLANCE_TRY_DO(write_events(change.events_of, change.events));
  for (const hub::Attachment& attachment : change.attachments) PARLANCE_TRY_DO(write_attachment(change.events_of, attachment));
  for (const hub::Ask& ask : change.asks) PARLANCE_TRY_DO(write_ask(ask));
  for (const hub::Rule& rule : change.rules) PARLANCE_TRY_DO(write_rule(rule));
  for (const hub::Rule& rule : change.used_rules) PARLANCE_TRY_DO(write_uses(rule));
  PARLANCE_TRY_DO(write_spent(*db_, change.spent));
  if (change.limits) PARLANCE_TRY_DO(write_limits(*db_, *change.limits));
  PARLANCE_TRY_DO(remove_rows("DELETE FROM rules WHERE id=?1", change.removed_rules));
  return remove_rows("DELETE FROM attachments WHERE id=?1", change.removed_attachments);
}

Result<void> HubFile::remove_rows(const char* sql, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    PARLANCE_TRY(removal, db_->query(sql));
    PARLANCE_TRY_DO(removal.run(id));
  }
  return {};
}

// `last_seq` belongs to the log, not to this row's writer.
Result<void> HubFile::write_conversation(const hub::Conversation& conversation) {
  PARLANCE_TRY(upsert, db_->query("INSERT INTO conversations(id, turn, native_session, native_how, updated_at, body) "
                                  "VALUES(?1,?2,?3,?4,?5,?6) ON CONFLICT(id) DO UPDATE "
                                  "SET turn=?2, native_session=?3, native_how=?4, updated_at=?5, body=?6"));
  return upsert.run(conversation.id, conversation.turn, conversation.agent_session.id, text_of(conversation.agent_session.how),
                    conversation.updated_at, json::to_text(conversation));
}

Result<void> HubFile::write_events(const std::string& conversation, const std::vector<hub::Event>& events) {
  SearchedLog log{};
  {
    PARLANCE_TRY(rows, db_->query("SELECT c.number, c.last_seq, o.first FROM conversations AS c "
                                  "LEFT JOIN search_open AS o ON o.conversation=c.number WHERE c.id=?1"));
    rows.bind(conversation);
    PARLANCE_TRY(row, rows.step());
    if (!row) return fail(Errc::not_found, "no such conversation: " + conversation);
    log = {.conversation = rows.integer(0), .waiting = static_cast<std::uint64_t>(rows.integer(2))};  // NULL reads as 0
    if (static_cast<std::uint64_t>(rows.integer(1)) + 1 != events.front().seq)
      return fail(Errc::internal, "the log of " + conversation + " ends at " + std::to_string(rows.integer(1)) + ", event " +
                                      std::to_string(events.front().seq) + " does not follow");
  }
  std::uint64_t expected = events.front().seq;
  for (const hub::Event& event : events) {
    if (event.seq != expected++) return fail(Errc::internal, "events out of order");
    PARLANCE_TRY(insert, db_->query("INSERT INTO events(conversation, seq, body) VALUES(?1,?2,?3)"));
    PARLANCE_TRY_DO(insert.run(log.conversation, event.seq, wire_form::event_json(event)));
  }
  PARLANCE_TRY_DO(note_searched(*db_, log, events));
  PARLANCE_TRY(update, db_->query("UPDATE conversations SET last_seq=?2, updated_at=max(updated_at,?3) WHERE number=?1"));
  return update.run(log.conversation, events.back().seq, events.back().time);
}

Result<void> HubFile::write_attachment(const std::string& conversation, const hub::Attachment& attachment) {
  PARLANCE_TRY(insert, db_->query("INSERT INTO attachments(id, conversation, body, data) VALUES(?1,?2,?3,?4)"));
  return insert.run(attachment.about.id, conversation, json::to_text(attachment.about), sqlite::BlobView{attachment.data});
}

Result<void> HubFile::write_ask(const hub::Ask& ask) {
  PARLANCE_TRY(upsert,
               db_->query("INSERT INTO asks(id, conversation, state, expires_at, answers, body) VALUES(?1,?2,?3,?4,?5,?6) "
                          "ON CONFLICT(id) DO UPDATE SET state=?3, expires_at=?4, answers=?5, body=?6"));
  return upsert.run(ask.id, ask.conversation, to_string(ask.state), ask.expires_at, answers_text(ask), json::to_text(ask));
}

Result<void> HubFile::write_uses(const hub::Rule& rule) {
  PARLANCE_TRY(update, db_->query("UPDATE rules SET body=?2 WHERE id=?1"));
  return update.run(rule.id, json::to_text(rule));
}

Result<void> HubFile::write_rule(const hub::Rule& rule) {
  PARLANCE_TRY(insert, db_->query("INSERT INTO rules(id, conversation, body, scope) VALUES(?1,?2,?3,?4)"));
  return insert.run(rule.id, rule.conversation, json::to_text(rule), scope_text(rule));
}

Result<void> HubFile::remove_conversation(const std::string& id) {
  PARLANCE_TRY_DO(open());
  return db_->transaction([&]() -> Result<void> {
    PARLANCE_TRY(rules, db_->query("DELETE FROM rules WHERE conversation=?1"));
    PARLANCE_TRY_DO(rules.run(id));
    PARLANCE_TRY_DO(note_unused_session(*db_, id));
    PARLANCE_TRY(conversation, db_->query("DELETE FROM conversations WHERE id=?1"));  // events and asks go with it
    return conversation.run(id);
  });
}

Result<std::vector<std::string>> HubFile::unused_sessions(const std::string& runner) {
  PARLANCE_TRY_DO(open());
  return read_unused_sessions(*db_, runner);
}

Result<void> HubFile::forget_unused_session(const std::string& runner, const std::string& session) {
  PARLANCE_TRY_DO(open());
  return store::forget_unused_session(*db_, runner, session);
}

}  // namespace parlance::store
