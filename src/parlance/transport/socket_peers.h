// SPDX-License-Identifier: Apache-2.0
// Who may be at the other end of a Unix socket. A path in a shared folder belongs to whoever was there first: what is said over a
// socket goes to a program whose user the kernel names, or it is not said. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

#include "parlance/base/result.h"

namespace parlance {

struct SocketPeers {
  std::vector<uid_t> users{};    // beside ourselves and root, who reads everything anyway
  std::optional<gid_t> group{};  // of a listener: its members may connect (the socket then has mode 0660)
  uid_t own = ::geteuid();       // in tests somebody else
};

// Asks the kernel who is at the other end of a connected socket. For the end that connects that is who called listen().
// Errors: denied; the text names the user and says what to do.
Result<void> check_peer(int socket, const SocketPeers& allowed, const std::string& name);

// By name or number. Errors: invalid_params.
Result<uid_t> user_id(const std::string& user);
Result<gid_t> group_id(const std::string& group);
std::string user_name(uid_t user);  // "nobody", or the number where it has no name

}  // namespace parlance
