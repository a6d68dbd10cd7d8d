// SPDX-License-Identifier: Apache-2.0
// A hub's file while no hub works with it: what it holds, a copy that goes its own way, and the way back. Blocking; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::store {

// The conversation that changed last; nothing when there is none. Nothing is written. not_found: there is no such hub.
Result<std::optional<hub::Conversation>> newest_conversation(const std::string& state_folder);

// A copy of `from` in `to`, which has none yet, without the events after `last` (0: all stay). What its agents keep of their own is
// forked with it: Conversation::native_session becomes one to fork. `from` stays as it is, also while a hub works with it.
Result<void> fork_hub(const std::string& from, const std::string& to, std::uint64_t last = 0);

// Takes back the events after `last`; the file as it was stays beside it, as hub.before-N.db. failed: a hub works with it.
Result<void> rewind_hub(const std::string& state_folder, std::uint64_t last);

}  // namespace parlance::store
