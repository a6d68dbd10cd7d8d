// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/vapid.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/push/base64url.h"
#include "parlance/transport/private_file.h"

namespace parlance::push {
namespace {

// At most 24 h are allowed; clocks differ, and some services refuse what is close to it.
constexpr auto token_lives = std::chrono::hours(12);
constexpr auto renewed_before = std::chrono::hours(1);

// Nothing: there is no such file.
Result<std::optional<std::string>> read_private(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 && errno == ENOENT) return std::nullopt;
  if (fd < 0) return std::unexpected(system_error(path, errno));
  struct stat status{};
  std::string text(256, '\0');
  const ssize_t size = ::fstat(fd, &status) == 0 ? ::read(fd, text.data(), text.size()) : -1;
  const int error = errno;
  ::close(fd);
  if (size < 0) return std::unexpected(system_error(path, error));
  if ((status.st_mode & 077) != 0)
    return fail(Errc::denied, path + ": other users can read the key; run: chmod 600 " + path + ", or remove it");
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Result<P256Key> keep_push_key(const std::string& state_folder) {
  const std::string path = state_folder + "/push_key";
  PARLANCE_TRY(text, read_private(path));
  if (text) {
    const auto scalar = from_base64url(trim(*text));
    auto key = P256Key::from_private(scalar.value_or(""));
    if (!key) return fail(Errc::failed, path + ": no key in it; remove the file, and subscribe the browsers again");
    return key;
  }
  PARLANCE_TRY(made, P256Key::generate());
  PARLANCE_TRY_DO(write_private_file(path, to_base64url(made.private_key()) + "\n"));
  return made;
}

std::string Vapid::public_key() const { return to_base64url(key_.public_key()); }

Result<std::string> Vapid::authorization(const std::string& origin, WallTime now) {
  Kept& kept = kept_[origin];
  if (kept.until > now + renewed_before && kept.until <= now + token_lives) return kept.value;
  const WallTime until = now + token_lives;
  json::Object claims;
  claims.set("aud", origin);
  claims.set("exp", static_cast<std::int64_t>(std::chrono::floor<std::chrono::seconds>(until).time_since_epoch().count()));
  if (!contact_.empty()) claims.set("sub", contact_);
  const std::string signed_part =
      to_base64url(R"({"typ":"JWT","alg":"ES256"})") + "." + to_base64url(json::to_text(json::Value(std::move(claims))));
  PARLANCE_TRY(signature, key_.sign(signed_part));
  kept = {.value = "vapid t=" + signed_part + "." + to_base64url(signature) + ", k=" + public_key(), .until = until};
  return kept.value;
}

}  // namespace parlance::push
