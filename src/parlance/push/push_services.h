// SPDX-License-Identifier: Apache-2.0
// Which push services may be spoken to. A page names an address and the gateway sends there: without a list any page could have it knock at
// any machine. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::push {

// Those of Chrome, Firefox, Edge and Safari. "*." stands for one or more names before it.
inline constexpr std::string_view known_services =
    "fcm.googleapis.com *.push.services.mozilla.com *.notify.windows.com *.push.apple.com";

struct Endpoint {
  std::string url{};
  std::string origin{};  // "https://fcm.googleapis.com": whom a token is for
  std::string host{};
  bool named = false;  // the list names this origin, wherever it lies
};

class PushServices {
 public:
  // Hosts, separated by blanks; or whole origins such as https://push.example:8443 for a service of one's own, which may then lie in a
  // private network, or even speak without TLS. Errors: invalid_params (an entry that is neither).
  static Result<PushServices> parse(std::string_view list);

  // Errors: invalid_params (no address that a push service would give), denied (not on the list; the text names the setting).
  Result<Endpoint> check(std::string_view url) const;

 private:
  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
};

}  // namespace parlance::push
