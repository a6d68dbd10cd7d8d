// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/chat_counts.h"

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {
namespace {

using namespace std::chrono_literals;

// Between two writings. A commit takes a tenth of a millisecond of another thread: once a second is nothing, once a chat is felt.
constexpr auto writing_pause = 1s;

constexpr std::array<std::string_view, 1> schema{
    "CREATE TABLE chat_counts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID"};

struct Named {
  std::string_view name;
  std::uint64_t ChatCounts::Numbers::* value;
};
constexpr std::array names{Named{"sessions", &ChatCounts::Numbers::sessions}, Named{"messages", &ChatCounts::Numbers::messages},
                           Named{"tool_calls", &ChatCounts::Numbers::tool_calls}};

ChatCounts::Numbers operator+(ChatCounts::Numbers left, const ChatCounts::Numbers& right) {
  for (const Named& named : names) left.*named.value += right.*named.value;
  return left;
}

}  // namespace

class ChatCounts::File {
 public:
  explicit File(std::string folder) : folder_(std::move(folder)) {}

  Result<Numbers> add(const Numbers& more) {
    if (!db_) {
      auto opened = open();
      if (!opened) return fail(Errc::disconnected, opened.error().message);
      db_ = *std::move(opened);
    }
    if (more != Numbers{}) PARLANCE_TRY_DO(db_->transaction([&] { return write(more); }));
    return read();
  }

 private:
  Result<std::unique_ptr<sqlite::Database>> open() const {
    return sqlite::Database::open(folder_ + "/agent.db", sqlite::SchemaSteps{.steps = schema});
  }
  Result<void> write(const Numbers& more) {
    PARLANCE_TRY(row, db_->query("INSERT INTO chat_counts VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET value = value + ?2"));
    for (const Named& named : names)
      if (more.*named.value != 0) PARLANCE_TRY_DO(row.run(named.name, more.*named.value));
    return {};
  }
  Result<Numbers> read() {
    Numbers sums;
    PARLANCE_TRY(row, db_->query("SELECT name, value FROM chat_counts"));
    for (;;) {
      PARLANCE_TRY(there, row.step());
      if (!there) return sums;
      for (const Named& named : names)
        if (row.text(0) == named.name) sums.*named.value = static_cast<std::uint64_t>(row.integer(1));
    }
  }

  std::string folder_;
  std::unique_ptr<sqlite::Database> db_;
};

ChatCounts::ChatCounts(Loop& loop, std::string state_folder)
    : loop_(loop), file_(std::make_unique<File>(std::move(state_folder))), worker_(loop, "chat-counts"), scope_(loop) {}
ChatCounts::~ChatCounts() = default;

void ChatCounts::add(const Numbers& more) {
  unwritten_ = unwritten_ + more;
  if (!std::exchange(waiting_, true)) scope_.start(write_later());
}

Task<Result<ChatCounts::Numbers>> ChatCounts::sums() {
  const Numbers more = std::exchange(unwritten_, {});
  auto sums = co_await worker_.run([file = file_.get(), more] { return file->add(more); });
  if (!sums) unwritten_ = unwritten_ + more;
  if (!sums && !failing_) log(LogLevel::warn, "chats are not counted for now: " + sums.error().message);
  failing_ = !sums;
  co_return sums;
}

Task<void> ChatCounts::write_later() {
  co_await sleep_for(loop_, writing_pause);
  waiting_ = false;
  static_cast<void>(co_await sums());
}

}  // namespace parlance::store
