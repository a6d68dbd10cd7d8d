// SPDX-License-Identifier: Apache-2.0
// Identifies the sender: voluntary application server identification (RFC 8292). A key pair, created once and kept in the state
// folder with mode 0600. Browsers bind their subscriptions to this key, so that no other sender can use them. Loop thread only.
#pragma once

#include <map>
#include <string>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/transport/tls/p256_key.h"

namespace parlance::push {

// The key in `push_key` of the state folder, created if missing. Blocks. Errors: denied (readable for others), failed.
Result<P256Key> keep_push_key(const std::string& state_folder);

class Vapid {
 public:
  // `contact`: "mailto:…" or "https:…", for questions of a push service about our messages; empty: none.
  Vapid(P256Key key, std::string contact) : key_(std::move(key)), contact_(std::move(contact)) {}

  std::string public_key() const;  // base64url: for a browser's subscription
  // The value of Authorization for a push service ("https://fcm.googleapis.com"). A token serves for hours.
  Result<std::string> authorization(const std::string& origin, WallTime now);

 private:
  struct Kept {
    std::string value{};
    WallTime until{};
  };
  P256Key key_;
  std::string contact_;
  std::map<std::string, Kept> kept_;  // by origin
};

}  // namespace parlance::push
