// SPDX-License-Identifier: Apache-2.0
// The login at one server as a file below `mcp_logins` of the state folder, with mode 0600. Gateway and programs of the command
// line share the files, and change a login under its lock. Blocks for a small file. Any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/oauth/messages.h"
#include "parlance/transport/private_file.h"

namespace parlance::oauth {

class LoginFile {
 public:
  // With an empty folder, the login ends with the process.
  LoginFile(std::string state_folder, std::string server);
  const std::string& path() const { return path_; }
  // Absent: another program holds the lock, for a refresh of at most limits::oauth_request_time. Does not block.
  Result<std::optional<FileLock>> try_lock() const;
  // Absent: no login. Errors: denied (readable for other users), failed (unreadable).
  Result<std::optional<Login>> load() const;
  Result<void> save(const Login& login) const;
  // False: there was none.
  Result<bool> remove() const;

 private:
  std::string folder_;
  std::string server_;
  std::string path_;
};

}  // namespace parlance::oauth
