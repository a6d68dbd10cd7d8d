// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/team/rights.h"

#include <array>

namespace parlance::hub {
namespace {

// The lowest role with the permission. `no_role`: private conversations are closed to admins too.
enum class Least : std::uint8_t { viewer, member, admin, no_role };
using enum Least;

struct Row {
  Least own;
  Least team;
  Least view;
  Least private_;
};
// In the order of Permission. A former member still reads own conversations as a viewer.
constexpr std::array<Row, conversation_permissions> table{{
    {.own = viewer, .team = viewer, .view = viewer, .private_ = admin},      // list
    {.own = viewer, .team = viewer, .view = viewer, .private_ = no_role},    // read
    {.own = member, .team = member, .view = no_role, .private_ = no_role},   // prompt
    {.own = member, .team = member, .view = no_role, .private_ = no_role},   // answer
    {.own = member, .team = member, .view = admin, .private_ = admin},       // stop
    {.own = member, .team = no_role, .view = no_role, .private_ = no_role},  // change
    {.own = member, .team = admin, .view = admin, .private_ = admin},        // remove
}};

Least least_of(const Row& row, bool own, Access access) {
  if (own) return row.own;
  switch (access) {
    case Access::team: return row.team;
    case Access::view: return row.view;
    case Access::private_: break;
  }
  return row.private_;
}

constexpr std::array<std::string_view, permission_count> names{"list",   "read", "prompt", "answer", "stop",       "change",
                                                               "remove", "open", "enter",  "create", "administer", "connect"};

}  // namespace

std::string_view to_string(Permission permission) { return names.at(static_cast<std::size_t>(permission)); }

bool may(TeamRole role, bool own, Access access, Permission permission) {
  const auto row = static_cast<std::size_t>(permission);
  if (row < table.size()) return static_cast<int>(role) >= static_cast<int>(least_of(table.at(row), own, access));
  switch (permission) {
    case Permission::open:
    case Permission::enter: return true;
    case Permission::create: return role != TeamRole::viewer;
    case Permission::administer: return role == TeamRole::admin;
    default: return false;  // connect: only the kind of the token decides
  }
}

// A role has at least as many permissions on its own conversations as on others.
bool may_anywhere(TeamRole role, Permission permission) { return may(role, true, Access::private_, permission); }

std::string_view refusal_for(TeamRole role, Permission permission) {
  if (permission == Permission::administer) return "this holds for the whole team: an admin can do it";
  if (permission == Permission::connect)
    return "only a runner connects here: `parlance tokens create --kind runner` makes its token";
  if (role == TeamRole::viewer && permission == Permission::create)
    return "you are a viewer, and viewers begin nothing: an admin can make you a member with `parlance users role`";
  return "you are a viewer, and viewers read: an admin can make you a member with `parlance users role`";
}

}  // namespace parlance::hub
