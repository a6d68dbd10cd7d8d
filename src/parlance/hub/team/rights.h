// SPDX-License-Identifier: Apache-2.0
// Which role may do what: one table for all frontends (docs/permissions.md is printed from it). Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "parlance/hub/team/user.h"

namespace parlance::hub {

// What a message of a frontend needs. Every message names one (permission_table.h).
enum class Permission : std::uint8_t {
  // With one conversation. The result depends on the role, on the conversation's user and on its access.
  list,    // that it is there, its state and its user; none of its content
  read,    // everything that is said and asked in it
  prompt,  // everything that makes its agent work: prompts, resume, ask again, restart, withdraw
  answer,  // requests of its agent
  stop,
  change,  // title, mode, model, access; clear
  remove,
  // With the gateway. The result depends on the role alone.
  open,        // nothing: no token is needed
  enter,       // a token of any person, or the cookie of the page
  create,      // begin conversations; files, databases and memory of the gateway's machine
  administer,  // what holds for everybody: limits, the state of the machine
  connect      // a token of a runner, which opens nothing else
};
inline constexpr std::size_t conversation_permissions = 7;  // the first ones
inline constexpr std::size_t permission_count = 12;
std::string_view to_string(Permission permission);

// Whether a person with this role has the permission for a conversation that is their own, or that gives others this access. For the
// permissions of the gateway `own` and `access` do not matter.
bool may(TeamRole role, bool own, Access access, Permission permission);

// Whether there is any conversation for which the role has the permission. A dispatcher checks this before it calls a handler; the
// handler's UserHub then checks the one conversation.
bool may_anywhere(TeamRole role, Permission permission);

// For a person whose role does not have the permission: the reason, and the person who can help.
std::string_view refusal_for(TeamRole role, Permission permission);

}  // namespace parlance::hub
