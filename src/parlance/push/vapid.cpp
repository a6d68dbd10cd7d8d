// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/vapid.h"

#include "parlance/base/base64url.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/private_file.h"

namespace parlance::push {
namespace {

// At most 24 h are allowed. Clocks differ, and some services refuse times close to the limit.
constexpr auto token_lives = std::chrono::hours(12);
constexpr auto renewed_before = std::chrono::hours(1);
constexpr std::size_t most_key_bytes = 256;

}  // namespace

Result<P256Key> keep_push_key(const std::string& state_folder) {
  const std::string path = state_folder + "/push_key";
  PARLANCE_TRY(text, read_private_file(path, most_key_bytes));
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
