// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_fork.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <unistd.h>

#include "parlance/base/private_folder.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/text_search.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/hub/hub_file.h"
#include "parlance/store/hub/hub_schema.h"
#include "parlance/store/hub/search_rows.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

std::string file_in(const std::string& folder) { return folder + "/hub.db"; }

// A consistent copy, also during writes of other processes. Creates the file first with mode 0600: conversations are private.
Result<void> copy_to(const std::string& from, const std::string& path) {
  PARLANCE_TRY(source, open_hub_to_read(from));
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return fail(system_error("open " + path, errno));
  ::close(fd);
  PARLANCE_TRY(copy, source->query("VACUUM INTO ?1"));
  return copy.run(path);
}

// The open parts at the end of a cut log. The function ends them like a person's stop.
class OpenEnds {
 public:
  void see(const hub::Event& event) {
    if (const auto* start = std::get_if<hub::event::TurnStart>(&event.body)) turn_ = start->turn;
    else if (const auto* call = std::get_if<hub::event::ToolStart>(&event.body)) calls_.insert(call->call);
    else if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body)) calls_.erase(end->call);
    else if (std::holds_alternative<hub::event::ThinkingStart>(event.body)) thinking_ = true;
    else if (std::holds_alternative<hub::event::ThinkingEnd>(event.body)) thinking_ = false;
    else if (std::holds_alternative<hub::event::TurnEnd>(event.body)) turn_.clear();
    last_ = event;
  }
  std::vector<hub::Event> ends() const {
    std::vector<hub::Event> made;
    const auto add = [&](hub::EventBody body) {
      made.push_back({.seq = last_.seq + made.size() + 1, .time = last_.time, .body = std::move(body)});
    };
    if (thinking_) add(hub::event::ThinkingEnd{});
    for (const std::string& call : calls_) add(hub::event::ToolEnd{.call = call, .state = hub::ToolEndState::cancelled});
    if (!turn_.empty()) add(hub::event::TurnEnd{.turn = turn_, .stop_reason = hub::StopReason::cancelled});
    return made;
  }

 private:
  std::string turn_;
  std::set<std::string> calls_;
  bool thinking_ = false;
  hub::Event last_;
};

// Cuts the rows of one conversation.
Result<void> cut(sqlite::Database& db, std::int64_t conversation, std::uint64_t last) {
  OpenEnds open;
  {
    PARLANCE_TRY(rows, db.query("SELECT body FROM events WHERE conversation=?1 AND seq<=?2 ORDER BY seq"));
    rows.bind(conversation, last);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      PARLANCE_TRY(event, wire_form::event_from_json(rows.text(0)));
      open.see(event);
    }
  }
  PARLANCE_TRY(removal, db.query("DELETE FROM events WHERE conversation=?1 AND seq>?2"));
  PARLANCE_TRY_DO(removal.run(conversation, last));
  for (const hub::Event& event : open.ends()) {
    PARLANCE_TRY(insert, db.query("INSERT INTO events(conversation, seq, body) VALUES(?1,?2,?3)"));
    PARLANCE_TRY_DO(insert.run(conversation, event.seq, wire_form::event_json(event)));
  }
  PARLANCE_TRY_DO(note_cut(db, conversation, last));
  PARLANCE_TRY(update,
               db.query("UPDATE conversations SET turn='', last_seq=(SELECT ifnull(max(seq),0) FROM events WHERE conversation=?1)"
                        " WHERE number=?1"));
  PARLANCE_TRY_DO(update.run(conversation));
  return db.execute(
      "DELETE FROM asks WHERE conversation=(SELECT id FROM conversations WHERE number=" + std::to_string(conversation) + ")");
}

Result<void> cut_all(sqlite::Database& db, std::uint64_t last) {
  std::vector<std::int64_t> longer;
  {
    PARLANCE_TRY(rows, db.query("SELECT number FROM conversations WHERE last_seq>?1"));
    rows.bind(last);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      longer.push_back(rows.integer(0));
    }
  }
  for (const std::int64_t number : longer) PARLANCE_TRY_DO(cut(db, number, last));
  return {};
}

// From the attached database `other`. The first statement removes an older copy.
constexpr std::array<std::string_view, 7> copies{
    "DELETE FROM main.conversations WHERE id=?1",
    "INSERT INTO main.conversations(id, last_seq, turn, native_session, native_how, updated_at, body) SELECT "
    "id, last_seq, turn, native_session, native_how, updated_at, body FROM other.conversations WHERE id=?1",
    "INSERT INTO main.events(conversation, seq, body) SELECT (SELECT number FROM main.conversations WHERE id=?1), seq, body FROM "
    "other.events WHERE conversation=(SELECT number FROM other.conversations WHERE id=?1)",
    "INSERT INTO main.asks(id, conversation, state, expires_at, answers, body) SELECT id, conversation, state, expires_at, "
    "answers, body FROM other.asks WHERE conversation=?1",
    "INSERT INTO main.attachments(id, conversation, body, data) SELECT id, conversation, body, data FROM other.attachments WHERE "
    "conversation=?1",
    "INSERT OR IGNORE INTO main.rules(id, conversation, body, scope) SELECT id, conversation, body, scope FROM other.rules WHERE "
    "conversation=?1",
    "INSERT OR REPLACE INTO main.spent SELECT * FROM other.spent WHERE conversation=?1"};

Result<void> copy_rows(sqlite::Database& db, const std::string& conversation, std::uint64_t last) {
  for (const std::string_view sql : copies) {
    PARLANCE_TRY(copy, db.query(sql));
    PARLANCE_TRY_DO(copy.run(conversation));
  }
  PARLANCE_TRY(number, db.query("SELECT number FROM main.conversations WHERE id=?1"));
  PARLANCE_TRY_DO(number.bind(conversation).step());
  return note_copied(db, number.integer(0), last);
}

Result<std::optional<hub::FoundText>> match_in(sqlite::Database& db, const hub::LogPart& part, const std::string& words) {
  PARLANCE_TRY(rows, db.query("SELECT body FROM events WHERE conversation=(SELECT number FROM conversations WHERE id=?1) "
                              "AND seq>=?2 AND seq<=?3 ORDER BY seq"));
  const std::uint64_t last = std::min<std::uint64_t>(part.last, INT64_MAX);
  rows.bind(part.conversation, static_cast<std::int64_t>(part.first), static_cast<std::int64_t>(last));
  hub::TextSearch search(words);
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) break;
    PARLANCE_TRY(event, event_of(part.conversation, rows.text(0)));
    search.add(event);
  }
  return search.newest();
}

}  // namespace

Result<std::vector<hub::Conversation>> newest_conversations(const std::string& state_folder, std::size_t most) {
  PARLANCE_TRY(db, open_hub_to_read(file_in(state_folder)));
  PARLANCE_TRY(rows, db->query("SELECT body, last_seq, turn, native_session, native_how FROM conversations "
                               "ORDER BY updated_at DESC LIMIT ?1"));
  rows.bind(most);
  std::vector<hub::Conversation> found;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return found;
    PARLANCE_TRY(conversation, conversation_from_text(rows.text(0), rows.integer(1), rows.text(2), rows.text(3), rows.text(4)));
    found.push_back(std::move(conversation));
  }
}

Result<std::optional<hub::Conversation>> newest_conversation(const std::string& state_folder) {
  PARLANCE_TRY(found, newest_conversations(state_folder, 1));
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

Result<std::vector<hub::SearchHit>> newest_matches(const std::string& state_folder, const std::string& words, std::size_t most) {
  PARLANCE_TRY(db, open_hub_to_read(file_in(state_folder)));
  std::vector<hub::SearchHit> hits;
  for (std::uint64_t before = 0;;) {
    PARLANCE_TRY(page, find_parts(*db, words, before, limits::searched_parts));
    for (const hub::LogPart& part : page.parts) {
      if (std::ranges::find(hits, part.conversation, &hub::SearchHit::conversation) != hits.end()) continue;
      PARLANCE_TRY(found, match_in(*db, part, words));
      if (!found) continue;
      hits.push_back({.conversation = part.conversation, .seq = found->seq, .snippet = std::move(found->snippet)});
      if (hits.size() == most) return hits;
    }
    if (before = page.before; before == 0) return hits;
  }
}

Result<void> fork_hub(const std::string& from, const std::string& to, std::uint64_t last) {
  PARLANCE_TRY_DO(make_private_folders(to));
  std::error_code failed;
  std::filesystem::permissions(to, std::filesystem::perms::owner_all, failed);
  if (failed) return fail(Errc::failed, to + ": " + failed.message());
  PARLANCE_TRY_DO(copy_to(file_in(from), file_in(to)));
  PARLANCE_TRY(db, sqlite::Database::open(file_in(to), hub_schema()));
  return db->transaction([&]() -> Result<void> {
    if (last != 0) PARLANCE_TRY_DO(cut_all(*db, last));
    return db->execute("UPDATE conversations SET native_how='fork' WHERE native_session<>''");
  });
}

Result<void> rewind_hub(const std::string& state_folder, std::uint64_t last) {
  HubFile holder(state_folder);  // keeps hubs from starting
  PARLANCE_TRY_DO(holder.load());
  int number = 1;
  std::string kept;
  do kept = state_folder + "/hub.before-" + std::to_string(number++) + ".db";
  while (std::filesystem::exists(kept));
  PARLANCE_TRY_DO(copy_to(file_in(state_folder), kept));
  PARLANCE_TRY(db, sqlite::Database::open(file_in(state_folder)));
  return db->transaction([&] { return cut_all(*db, last); });
}

Result<void> move_conversation(const std::string& from, const std::string& to, const std::string& conversation) {
  HubFile source(from);  // both keep hubs from starting
  HubFile target(to);
  PARLANCE_TRY_DO(source.open());
  PARLANCE_TRY_DO(target.open());
  {
    PARLANCE_TRY(db, sqlite::Database::open(file_in(to)));
    PARLANCE_TRY_DO(db->execute("PRAGMA synchronous=FULL"));  // the copy is on the disk before the deletion
    {
      PARLANCE_TRY(attach, db->query("ATTACH ?1 AS other"));
      PARLANCE_TRY_DO(attach.run(file_in(from)));
    }
    PARLANCE_TRY(lengths, db->query("SELECT (SELECT last_seq FROM other.conversations WHERE id=?1), "
                                    "(SELECT last_seq FROM main.conversations WHERE id=?1)"));
    PARLANCE_TRY_DO(lengths.bind(conversation).step());
    if (lengths.is_null(0)) return fail(Errc::not_found, "there is no conversation " + conversation + " in " + from);
    const std::int64_t last = lengths.integer(0);
    if (lengths.is_null(1) || lengths.integer(1) < last)
      PARLANCE_TRY_DO(db->transaction([&] { return copy_rows(*db, conversation, static_cast<std::uint64_t>(last)); }));
  }
  return source.remove_conversation(conversation);
}

}  // namespace parlance::store
