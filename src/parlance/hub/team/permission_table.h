// SPDX-License-Identifier: Apache-2.0
// The permission of each message of a frontend. A dispatcher that looks up its message here does not compile while the message has no row,
// or has two. Values; any thread.
//
//   using PagePermissions = hub::PermissionTable<hub::Needs<page::Prompt, hub::Permission::prompt>, …>;
//   if (const auto may = hub.check(PagePermissions::of<Message>()); !may) …
#pragma once

#include <concepts>

#include "parlance/hub/team/rights.h"

namespace parlance::hub {

// A row: the message needs this permission.
template <class Message, Permission needed>
struct Needs {};

template <class... Rows>
class PermissionTable;

template <class... Messages, Permission... needed>
class PermissionTable<Needs<Messages, needed>...> {
 public:
  template <class Message>
  // The permission of the message's row, at compile time.
  static consteval Permission of() {
    static_assert((0 + ... + static_cast<int>(std::same_as<Message, Messages>)) == 1,
                  "each message has one row in the permission table of its frontend");
    Permission found = Permission::administer;
    ((std::same_as<Message, Messages> ? static_cast<void>(found = needed) : static_cast<void>(0)), ...);
    return found;
  }
  // visit.operator()<Message>(permission) for each row, in their order.
  template <class F>
  static constexpr void each(F visit) {
    (visit.template operator()<Messages>(needed), ...);
  }
};

}  // namespace parlance::hub
