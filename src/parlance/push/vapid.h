// SPDX-License-Identifier: Apache-2.0
// Who sends: voluntary application server identification (RFC 8292). One key pair, made once and kept in the state folder with mode 0600;
// browsers bind their subscriptions to it, so that nobody else can use them. Loop thread only.
#pragma once

#include <map>
#include <string>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/push/p256_key.h"

namespace parlance::push {

// The key in `push_key` of the state folder; made where there is none. Blocks. Errors: denied (others can read it), failed.
Result<P256Key> keep_push_key(const std::string& state_folder);

class Vapid {
 public:
  // `contact`: "mailto:…" or "https:…", whom a push service may ask about what we send; empty: none is told.
  Vapid(P256Key key, std::string contact) : key_(std::move(key)), contact_(std::move(contact)) {}

  std::string public_key() const;  // base64url: what browsers subscribe with
  // The value of Authorization for a push service ("https://fcm.googleapis.com"). One token serves for hours.
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
