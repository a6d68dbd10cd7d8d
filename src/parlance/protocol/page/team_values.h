// SPDX-License-Identifier: Apache-2.0
// The users of the page's host, in its messages.
#pragma once

#include <string>
#include <vector>

#include "parlance/protocol/page/values.h"

namespace parlance::page {

struct Person {
  std::string id{};
  std::string name{};
  static constexpr auto wire = fields(field<&Person::id>("id", "Id of the user, as in conversations."),
                                      field<&Person::name>("name", "Name of the user for people."));
};
struct Team {
  std::string user{};
  std::string role{};
  std::vector<Person> people{};
  static constexpr auto wire =
      fields(field<&Team::user>("user", "Id of the user of this page. Empty: the person of the gateway's machine."),
             field<&Team::role>("role", "Role of this user: viewer, member or admin."),
             field<&Team::people>("people", "All users, sorted by name."));
};

}  // namespace parlance::page
