// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_sqlite.h"

#include <utility>

#include "parlance/store/hub/hub_file.h"

namespace parlance::store {

HubSqlite::HubSqlite(Loop& loop, std::string state_folder)
    : file_(std::make_unique<HubFile>(std::move(state_folder))), worker_(loop, "hub-store") {}
HubSqlite::~HubSqlite() = default;

// Nothing here refers to the coroutine's own locals: the work goes on when nobody waits for it any more.
Task<Result<hub::Stored>> HubSqlite::load() {
  co_return co_await worker_.run([file = file_.get()] { return file->load(); });
}

Task<Result<void>> HubSqlite::write(hub::CommitPtr change) {
  co_return co_await worker_.run([file = file_.get(), change = std::move(change)] { return file->commit(*change); });
}

Task<Result<std::vector<hub::Event>>> HubSqlite::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                        std::size_t limit) {
  co_return co_await worker_.run([file = file_.get(), conversation = std::move(conversation), after, before, limit] {
    return file->events(conversation, after, before, limit);
  });
}

Task<Result<std::vector<hub::Event>>> HubSqlite::events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                              std::size_t most_bytes) {
  co_return co_await worker_.run([file = file_.get(), conversation = std::move(conversation), after, last, most_bytes] {
    return file->events_after(conversation, after, last, most_bytes);
  });
}

Task<Result<std::optional<hub::Ask>>> HubSqlite::ask(std::string id) {
  co_return co_await worker_.run([file = file_.get(), id = std::move(id)] { return file->ask(id); });
}

Task<Result<std::optional<hub::Attachment>>> HubSqlite::attachment(std::string id) {
  co_return co_await worker_.run([file = file_.get(), id = std::move(id)] { return file->attachment(id); });
}

Task<Result<void>> HubSqlite::remove_conversation(std::string id) {
  co_return co_await worker_.run([file = file_.get(), id = std::move(id)] { return file->remove_conversation(id); });
}

Task<Result<std::vector<std::string>>> HubSqlite::left_sessions(std::string place) {
  co_return co_await worker_.run([file = file_.get(), place = std::move(place)] { return file->left_sessions(place); });
}

Task<Result<void>> HubSqlite::forget_left_session(std::string place, std::string session) {
  co_return co_await worker_.run([file = file_.get(), place = std::move(place), session = std::move(session)] {
    return file->forget_left_session(place, session);
  });
}

Task<Result<std::vector<hub::SpentOn>>> HubSqlite::spent(std::string since) {
  co_return co_await worker_.run([file = file_.get(), since = std::move(since)] { return file->spent(since); });
}

Task<Result<hub::StoreCounts>> HubSqlite::counts() {
  co_return co_await worker_.run([file = file_.get()] { return file->counts(); });
}

}  // namespace parlance::store
