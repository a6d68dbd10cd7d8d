// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/permissions_description.h"

#include <array>
#include <string_view>

#include "apps/parlance/gateway/addresses.h"
#include "parlance/driver/acp/runners.h"
#include "parlance/face/acp/permissions.h"
#include "parlance/face/page/permissions.h"
#include "parlance/face/webview/permissions.h"
#include "parlance/gateway/own_addresses.h"
#include "parlance/hub/team/rights.h"

namespace parlance::app {
namespace {

using hub::TeamRole;

constexpr std::array roles{TeamRole::viewer, TeamRole::member, TeamRole::admin};

std::string_view meaning(Permission permission) {
  switch (permission) {
    case Permission::list: return "list a conversation with its state and its user";
    case Permission::read: return "read all of a conversation";
    case Permission::prompt: return "use its agent: prompt, resume, repeat a request, restart, withdraw";
    case Permission::answer: return "answer its requests";
    case Permission::stop: return "stop its turn";
    case Permission::change: return "change title, mode, model, options and access, and clear it";
    case Permission::remove: return "delete it";
    case Permission::open: return "nothing: no token is needed";
    case Permission::enter: return "enter with the token of a person";
    case Permission::create: return "start conversations; use files, databases and memory at the gateway";
    case Permission::administer: return "read the state of the machine, set limits for all users";
    case Permission::connect: return "enter with the token of a runner";
  }
  return "";
}

// The least role with the permission, for a conversation of this kind.
std::string least(Permission permission, bool own, hub::Access access) {
  for (const TeamRole role : roles)
    if (hub::may(role, own, access, permission)) return std::string(hub::to_string(role));
  return "nobody";
}

std::string conversation_rows() {
  std::string text;
  for (std::size_t at = 0; at < hub::conversation_permissions; ++at) {
    const auto permission = static_cast<Permission>(at);
    text += "| `" + std::string(hub::to_string(permission)) + "` | " + std::string(meaning(permission)) + " | " +
            least(permission, true, hub::Access::private_) + " | " + least(permission, false, hub::Access::team) + " | " +
            least(permission, false, hub::Access::view) + " | " + least(permission, false, hub::Access::private_) + " |\n";
  }
  return text;
}

std::string gateway_rows() {
  std::string text;
  for (std::size_t at = hub::conversation_permissions; at < hub::permission_count; ++at) {
    const auto permission = static_cast<Permission>(at);
    const std::string holder = permission == Permission::open      ? "all callers"
                               : permission == Permission::connect ? "a runner"
                                                                   : least(permission, true, hub::Access::private_);
    text += "| `" + std::string(hub::to_string(permission)) + "` | " + std::string(meaning(permission)) + " | " + holder + " |\n";
  }
  return text;
}

std::string row(std::string_view message, Permission permission) {
  return "| `" + std::string(message) + "` | `" + std::string(hub::to_string(permission)) + "` |\n";
}

template <class Table>
std::string tagged_rows() {
  std::string text;
  Table::each([&]<class Message>(Permission permission) { text += row(Message::tag, permission); });
  return text;
}

template <class Addresses>
std::string address_rows(const Addresses& all) {
  std::string text;
  for (const Address& address : all)
    text += row((address.method == "*" ? "" : std::string(address.method) + " ") + std::string(address.path), address.permission);
  return text;
}

template <class Methods>
std::string method_rows(const Methods& all) {
  std::string text;
  for (const auto& method : all) text += row(method.method, method.permission);
  return text;
}

constexpr std::string_view permissions_beginning =
    "# Permissions\n\n"
    "Printed by `parlance describe permissions` from the tables that the gateway uses; do not edit by hand.\n\n"
    "Each message of each frontend needs one permission. The dispatcher checks the permission before a handler runs: a role without it "
    "gets the same `denied` for each argument. The hub then checks the conversation in the message. "
    "A message without a row does not compile.\n\n"
    "A gateway without a team has one user, the person of its machine, with every permission.\n\n"
    "## With a conversation\n\n"
    "The table has the least role with the permission. Column `own` is for own conversations. The other columns are for conversations "
    "of other users, by access.\n\n"
    "| permission | allows to | own | `team` | `view` | `private` |\n| --- | --- | --- | --- | --- | --- |\n";
constexpr std::string_view gateway_part =
    "\n## With the gateway\n\n| permission | allows to | least role |\n| --- | --- | --- |\n";
constexpr std::string_view changes =
    "\n## When a role, a token, an access or a user changes\n\n"
    "Every check uses the current team. After a change of a token, role, name or user the gateway closes the user's connections: "
    "pages, webviews, ACP over WebSocket and over HTTP, `/ws/chat`, running requests, and runners. The hub sends a queued message "
    "only if its author still has `prompt`. Otherwise it drops the message and writes a notice.\n";

std::string section(std::string_view title, std::string_view head, std::string rows) {
  return "\n## " + std::string(title) + "\n\n| " + std::string(head) + " | needs |\n| --- | --- |\n" + std::move(rows);
}

}  // namespace

std::string describe_permissions() {
  return std::string(permissions_beginning) + conversation_rows() + std::string(gateway_part) + gateway_rows() +
         std::string(changes) +
         section("HTTP", "address", address_rows(gateway::own_addresses) + address_rows(served_addresses)) +
         section("Page (`/ws`)", "message", tagged_rows<face::PagePermissions>()) +
         section("Webview (`/webview`)", "message", tagged_rows<face::WebviewPermissions>()) +
         section("ACP (`/acp`)", "method", method_rows(face::acp_permissions)) +
         section("Runner (`/runner`)", "method", method_rows(driver::runner_permissions));
}

}  // namespace parlance::app
