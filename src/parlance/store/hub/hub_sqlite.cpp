// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_sqlite.h"

#include <utility>

#include "parlance/async/run_on.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_file.h"

namespace parlance::store {

HubSqlite::HubSqlite(Loop& loop, std::string state_folder)
    : file_(std::make_unique<HubFile>(std::move(state_folder))), worker_(loop, "hub-store") {}
HubSqlite::~HubSqlite() = default;

Task<Result<hub::Stored>> HubSqlite::load() { return call<&HubFile::load>(); }

// The job owns the change, because it continues after the destruction of a waiting caller.
Task<Result<void>> HubSqlite::write(hub::CommitPtr change) {
  co_return co_await worker_.run([file = file_.get(), change = std::move(change)] { return file->commit(*change); });
}

Task<Result<void>> HubSqlite::remove_conversation(std::string id) { return call<&HubFile::remove_conversation>(std::move(id)); }

Task<Result<std::vector<std::string>>> HubSqlite::unused_sessions(std::string runner) {
  return call<&HubFile::unused_sessions>(std::move(runner));
}

Task<Result<void>> HubSqlite::forget_unused_session(std::string runner, std::string session) {
  return call<&HubFile::forget_unused_session>(std::move(runner), std::move(session));
}

}  // namespace parlance::store
