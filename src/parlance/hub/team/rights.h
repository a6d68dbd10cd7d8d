// SPDX-License-Identifier: Apache-2.0
// The permissions of each role: one table for all frontends (docs/permissions.md is printed from it). Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "parlance/hub/team/user.h"

namespace parlance::hub {

// The permission that a frontend's message requires; permission_table.h maps every message.
enum class Permission : std::uint8_t {
  // On one conversation. The result depends on the role, on the conversation's user and on its access.
  list,    // existence, state and user, without content
  read,    // all messages and requests
  prompt,  // all commands that start the agent's work: prompt, resume, ask again, restart, withdraw
  answer,  // requests of its agent
  stop,
  change,  // title, mode, model, access; clear
  remove,
  // On the gateway. The result depends on the role alone.
  open,        // no token required
  enter,       // a token of any person, or the cookie of the page
  create,      // begin conversations; files, databases and memory of the gateway's machine
  administer,  // shared settings: limits, the state of the machine
  connect      // a runner's token, valid for nothing else
};
inline constexpr std::size_t conversation_permissions = 7;  // the first ones
inline constexpr std::size_t permission_count = 12;
// The name in documents and logs, such as "prompt".
std::string_view to_string(Permission permission);

// Whether a person with this role has the permission for their own conversation, or for a conversation with this access. The
// gateway's permissions ignore `own` and `access`.
bool may(TeamRole role, bool own, Access access, Permission permission);

// Whether the role has the permission for any conversation. A dispatcher checks this before a handler; the handler's UserHub then
// checks the conversation.
bool may_anywhere(TeamRole role, Permission permission);

// The refusal for a person without the permission: the reason, and the person who can help.
std::string_view refusal_for(TeamRole role, Permission permission);

}  // namespace parlance::hub
