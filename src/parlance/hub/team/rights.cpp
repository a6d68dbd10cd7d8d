#include "parlance/hub/team/rights.h"

#include <array>

namespace parlance::hub {
namespace {

// The least role that may. Nobody: not even an admin, who is no reader of what others keep to themselves.
enum class Least : std::uint8_t { viewer, member, admin, nobody };
using enum Least;

struct Row {
  Least own;
  Least team;
  Least view;
  Least private_;
};
// In the order of Deed. What is one's own a viewer still reads who was a member once.
constexpr std::array<Row, deed_count> table{{
    /* list   */ {.own = viewer, .team = viewer, .view = viewer, .private_ = admin},
    /* read   */ {.own = viewer, .team = viewer, .view = viewer, .private_ = nobody},
    /* prompt */ {.own = member, .team = member, .view = nobody, .private_ = nobody},
    /* answer */ {.own = member, .team = member, .view = nobody, .private_ = nobody},
    /* stop   */ {.own = member, .team = member, .view = admin, .private_ = admin},
    /* change */ {.own = member, .team = nobody, .view = nobody, .private_ = nobody},
    /* remove */ {.own = member, .team = admin, .view = admin, .private_ = admin},
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

}  // namespace

bool may(TeamRole role, bool own, Access access, Deed deed) {
  return static_cast<int>(role) >= static_cast<int>(least_of(table.at(static_cast<std::size_t>(deed)), own, access));
}

}  // namespace parlance::hub
