// What a role may do with a conversation: one table. Pure; any thread.
#pragma once

#include <cstdint>

#include "parlance/hub/team/user.h"

namespace parlance::hub {

enum class Deed : std::uint8_t {
  list,    // that it is there, how it stands, whose it is; not a word of it
  read,    // all that is said and asked in it
  prompt,  // and all that makes its agent work: go on, ask again, restart, take back what waits
  answer,  // what is asked
  stop,
  change,  // title, mode, model, who else may see it; begin it anew
  remove
};
inline constexpr std::size_t deed_count = 7;

// Whether somebody of this role may do that with a conversation which is their own, or has this access for others.
bool may(TeamRole role, bool own, Access access, Deed deed);

// Begins conversations.
constexpr bool may_create(TeamRole role) { return role != TeamRole::viewer; }
// What holds for all: limits of spending, users and tokens, how the machine is.
constexpr bool may_administer(TeamRole role) { return role == TeamRole::admin; }

}  // namespace parlance::hub
