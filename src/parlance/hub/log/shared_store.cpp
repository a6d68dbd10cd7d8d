// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/shared_store.h"

#include <utility>

#include "parlance/hub/conversation/conversation.h"

namespace parlance::hub {
namespace {

// The code alone is ambiguous: `denied` may be a wrong password, a fault that a person can correct.
constexpr const char* mark = R"({"reason":"not_owner"})";

}  // namespace

Error not_owner(std::string message) { return {.code = Errc::denied, .message = std::move(message), .data = mark}; }
bool is_not_owner(const Error& error) { return error.code == Errc::denied && error.data == mark; }

Task<Result<std::optional<Conversation>>> SharedStore::create_at_owner(NewConversation&, std::string) { co_return std::nullopt; }

}  // namespace parlance::hub
