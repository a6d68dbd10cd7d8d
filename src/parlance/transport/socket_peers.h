// SPDX-License-Identifier: Apache-2.0
// The permitted users at the other end of a socket. A path in a shared folder belongs to its first user, and each user of the machine
// reaches its ports. So data goes only to a program whose user the kernel confirms. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

#include "parlance/base/result.h"

namespace parlance {

struct SocketPeers {
  std::vector<uid_t> users{};    // In addition to this user and root, who can read everything.
  std::optional<gid_t> group{};  // For a listener: members of this group may connect (the socket then has mode 0660).
  uid_t own = ::geteuid();       // Another user in tests.
};

// Asks the kernel for the user at the other end of a connected socket. For the connecting end, this is the user who called
// listen(). Errors: denied; the text names the user and the remedy.
Result<void> check_peer(int socket, const SocketPeers& allowed, const std::string& name);

// The user of the other end of a TCP connection on this machine, from the kernel's table of connections. Absent: another machine, or an
// end that its program has closed already. Reads the table: for servers with few connections.
std::optional<uid_t> tcp_peer_user(int socket);
// Without a user, with another user than this user and root: denied.
Result<void> check_tcp_peer(int socket);

// By name or number. Errors: invalid_params.
Result<uid_t> user_id(const std::string& user);
Result<gid_t> group_id(const std::string& group);
std::string user_name(uid_t user);  // The name, or the number of a user without a name.

}  // namespace parlance
