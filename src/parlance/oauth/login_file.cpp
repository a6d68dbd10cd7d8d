// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/login_file.h"

#include <cerrno>
#include <unistd.h>
#include <utility>

#include "parlance/base/sha256.h"
#include "parlance/codec/json/typed.h"
#include "parlance/oauth/limits.h"

namespace parlance::oauth {

LoginFile::LoginFile(std::string state_folder, std::string server) : server_(std::move(server)) {
  if (state_folder.empty()) return;
  folder_ = std::move(state_folder) + "/mcp_logins";
  path_ = folder_ + "/" + sha256_hex(server_).substr(0, 32) + ".json";
}

Result<std::optional<Login>> LoginFile::load() const {
  if (path_.empty()) return std::nullopt;
  PARLANCE_TRY(text, read_private_file(path_, limits::oauth_file_bytes));
  if (!text) return std::nullopt;
  auto login = json::from_text<Login>(*text);
  if (!login || login->server != server_)
    return fail(Errc::failed, path_ + " is no login for " + server_ + ". Remove the file, and log in again");
  return std::optional(*std::move(login));
}

Result<std::optional<FileLock>> LoginFile::try_lock() const {
  PARLANCE_TRY_DO(keep_private_folder(folder_));
  return FileLock::try_take(path_ + ".lock");
}

Result<void> LoginFile::save(const Login& login) const {
  if (path_.empty()) return {};
  PARLANCE_TRY_DO(keep_private_folder(folder_));
  return write_private_file(path_, json::to_text(login) + "\n");
}

Result<bool> LoginFile::remove() const {
  if (path_.empty()) return false;
  if (::unlink(path_.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return std::unexpected(system_error(path_, errno));
}

}  // namespace parlance::oauth
