#include "parlance/store/memory/memory_origin.h"

#include <filesystem>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {
namespace {

// An event's body as it is stored (event_tables.h): whatever of it people read.
std::string text_of(const json::Value& event) {
  for (const std::string_view name : {"text", "message", "title", "question", "content"})
    if (const std::string_view text = event.text_or(name, ""); !text.empty()) return std::string(text);
  return "";
}

}  // namespace

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
    origin.conversation_found = true;
    number = row.integer(0);
    if (const auto body = json::parse(row.text(1))) {
      origin.title = std::string(body->text_or("title", ""));
      origin.agent = std::string(body->text_or("agent", ""));
    }
  }
  if (source.event == 0) return origin;
  PARLANCE_TRY(row, db->query("SELECT seq, body FROM events WHERE conversation=?1 AND seq<=?2 ORDER BY seq DESC"));
  row.bind(number, source.event);
  for (;;) {
    PARLANCE_TRY(there, row.step());
    if (!there) return origin;
    const auto body = json::parse(row.text(1));
    if (!body) continue;
    const std::string kind(body->text_or("kind", ""));
    if (static_cast<std::uint64_t>(row.integer(0)) == source.event) {
      origin.event_found = true;
      origin.event_time = std::string(body->text_or("time", ""));
      origin.event_kind = kind;
      origin.event_text = text_of(*body);
      if (kind == "user_message") return origin;
    } else if (kind == "user_message") {
      origin.user_message = text_of(*body);
      return origin;
    }
  }
}

}  // namespace parlance::store
