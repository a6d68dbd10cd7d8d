// SPDX-License-Identifier: Apache-2.0
// The header WWW-Authenticate of a refusal (RFC 9110, section 11.6.1). Reads bytes of strangers. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/transport/http/http_message.h"

namespace parlance::oauth {

struct Challenge {
  std::string scheme{};                                     // in lower case: "bearer"
  std::map<std::string, std::string> parameters{};          // names in lower case; the first of repeated names counts
  std::string_view parameter(std::string_view name) const;  // "" if absent
};

// The challenges of a header. A malformed part ends the list; the challenges before it count.
std::vector<Challenge> parse_challenges(std::string_view header);

// The challenge for a token among all headers: Bearer first, then DPoP. Without one, an empty challenge.
Challenge token_challenge(const std::vector<HttpHeader>& headers);

}  // namespace parlance::oauth
