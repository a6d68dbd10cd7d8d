// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_origin.h"

#include <filesystem>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {
namespace {

// The readable text in a stored event's body (event_tables.h).
std::string text_of(const json::Value& event) {
  for (const std::string_view name : {"text", "message", "title", "question", "content"})
    if (const std::string_view text = event.text_or(name, ""); !text.empty()) return std::string(text);
  return "";
}

}  // namespace

void add_conversation(MemoryOrigin& origin, std::string_view body) {
  origin.conversation_found = true;
  const auto row = json::parse(body);
  if (!row) return;
  origin.title = std::string(row->text_or("title", ""));
  origin.agent = std::string(row->text_or("agent", ""));
}

bool add_event(MemoryOrigin& origin, std::uint64_t wanted, std::uint64_t seq, std::string_view body) {
  const auto event = json::parse(body);
  if (!event) return false;
  const std::string kind(event->text_or("kind", ""));
  if (seq == wanted) {
    origin.event_found = true;
    origin.event_time = std::string(event->text_or("time", ""));
    origin.event_kind = kind;
    origin.event_text = text_of(*event);
    return kind == "user_message";
  }
  if (kind == "user_message") origin.user_message = text_of(*event);
  return kind == "user_message";
}

Result<MemoryOrigin> find_origin(const std::string& state_folder, const memory::Source& source) {
  MemoryOrigin origin;
  const std::string path = state_folder + "/hub.db";
  std::error_code failed;
  if (source.conversation.empty() || !std::filesystem::exists(path, failed)) return origin;
  PARLANCE_TRY(db, sqlite::Database::open_to_read(path));
  std::int64_t number = 0;
  {
    PARLANCE_TRY(row, db->query("SELECT number, body FROM conversations WHERE id=?1"));
    row.bind(source.conversation);
    PARLANCE_TRY(there, row.step());
    if (!there) return origin;
    number = row.integer(0);
    add_conversation(origin, row.text(1));
  }
  if (source.event == 0) return origin;
  PARLANCE_TRY(row, db->query("SELECT seq, body FROM events WHERE conversation=?1 AND seq<=?2 ORDER BY seq DESC"));
  row.bind(number, source.event);
  for (;;) {
    PARLANCE_TRY(there, row.step());
    if (!there || add_event(origin, source.event, static_cast<std::uint64_t>(row.integer(0)), row.text(1))) return origin;
  }
}

}  // namespace parlance::store
