// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_sqlite.h"

#include <utility>

#include "parlance/async/run_on.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_file.h"

namespace parlance::store {

HubSqlite::HubSqlite(Loop& loop, std::string state_folder)
    : file_(std::make_unique<HubFile>(std::move(state_folder))), worker_(loop, "hub-store") {}
HubSqlite::~HubSqlite() = default;

Task<Result<hub::Stored>> HubSqlite::load() { return run_on<&HubFile::load>(worker_, *file_); }

// The job owns the change, because it continues after the destruction of a waiting caller.
Task<Result<void>> HubSqlite::write(hub::CommitPtr change) {
  co_return co_await worker_.run([file = file_.get(), change = std::move(change)] { return file->commit(*change); });
}

Task<Result<std::vector<hub::Event>>> HubSqlite::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                        std::size_t limit) {
  return run_on<&HubFile::events>(worker_, *file_, std::move(conversation), after, before, limit);
}

Task<Result<std::vector<hub::EventText>>> HubSqlite::event_texts(std::string conversation, std::uint64_t after,
                                                                 std::uint64_t before, std::size_t limit) {
  return run_on<&HubFile::event_texts>(worker_, *file_, std::move(conversation), after, before, limit);
}

Task<Result<std::vector<hub::Event>>> HubSqlite::events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                              std::size_t most_bytes) {
  return run_on<&HubFile::events_after>(worker_, *file_, std::move(conversation), after, last, most_bytes);
}

Task<Result<hub::LogParts>> HubSqlite::parts_with(std::string words, std::uint64_t before, std::size_t limit) {
  co_return co_await worker_.run(
      [file = file_.get(), words = std::move(words), before, limit] { return file->parts_with(words, before, limit); });
}

Task<Result<std::optional<hub::Ask>>> HubSqlite::ask(std::string id) {
  return run_on<&HubFile::ask>(worker_, *file_, std::move(id));
}

Task<Result<std::optional<hub::Attachment>>> HubSqlite::attachment(std::string id) {
  return run_on<&HubFile::attachment>(worker_, *file_, std::move(id));
}

Task<Result<void>> HubSqlite::remove_conversation(std::string id) {
  return run_on<&HubFile::remove_conversation>(worker_, *file_, std::move(id));
}

Task<Result<std::vector<std::string>>> HubSqlite::left_sessions(std::string place) {
  return run_on<&HubFile::left_sessions>(worker_, *file_, std::move(place));
}

Task<Result<void>> HubSqlite::forget_left_session(std::string place, std::string session) {
  return run_on<&HubFile::forget_left_session>(worker_, *file_, std::move(place), std::move(session));
}

Task<Result<std::vector<hub::SpentOn>>> HubSqlite::spent(std::string since) {
  return run_on<&HubFile::spent>(worker_, *file_, std::move(since));
}

Task<Result<hub::StoreCounts>> HubSqlite::counts() { return run_on<&HubFile::counts>(worker_, *file_); }

}  // namespace parlance::store
