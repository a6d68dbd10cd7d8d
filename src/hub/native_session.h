// How a copy of a conversation names what its agent keeps of it. Values; any thread.
#pragma once

#include <string_view>

namespace parlance::hub {

// Conversation::native_session of a copy, before the name: its agent begins with what that session holds, under a name of its own.
inline constexpr std::string_view forked_session = "fork:";

}  // namespace parlance::hub
