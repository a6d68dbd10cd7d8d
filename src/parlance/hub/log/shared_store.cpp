// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/shared_store.h"

#include <utility>

#include "parlance/hub/conversation/conversation.h"

namespace parlance::hub {
namespace {

// The code alone is ambiguous: `denied` may be a wrong password, a fault that a person can correct.
constexpr const char* not_owner_mark = R"({"reason":"not_owner"})";
constexpr const char* ended_mark = R"({"reason":"command_ended"})";

}  // namespace

Error not_owner(std::string message) { return {.code = Errc::denied, .message = std::move(message), .data = not_owner_mark}; }
bool is_not_owner(const Error& error) { return error.code == Errc::denied && error.data == not_owner_mark; }

Error command_ended() {
  return {.code = Errc::failed,
          .message = "nothing was saved: a command in the same commit was withdrawn. Try again",
          .data = ended_mark};
}
bool is_command_ended(const Error& error) { return error.code == Errc::failed && error.data == ended_mark; }

Task<Result<std::optional<Conversation>>> SharedStore::create_at_owner(NewConversation&, std::string) { co_return std::nullopt; }

}  // namespace parlance::hub
