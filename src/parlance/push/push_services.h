// SPDX-License-Identifier: Apache-2.0
// The permitted push services. A page names an address for the gateway's messages: without a list, any page could make the
// gateway contact any machine. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::push {

// The services of Chrome, Firefox, Edge and Safari. "*." stands for one or more names.
inline constexpr std::string_view known_services =
    "fcm.googleapis.com *.push.services.mozilla.com *.notify.windows.com *.push.apple.com";

struct Endpoint {
  std::string url{};
  std::string origin{};  // "https://fcm.googleapis.com": the audience of a token
  std::string host{};
  bool named = false;  // the list contains exactly this origin, in any network
};

class PushServices {
 public:
  // Hosts, separated by blanks; or whole origins such as https://push.example:8443 for a private service, possibly in a private
  // network or without TLS. Errors: invalid_params (an invalid entry).
  static Result<PushServices> parse(std::string_view list);

  // Errors: invalid_params (not a push address), denied (not on the list; the text names the setting).
  Result<Endpoint> check(std::string_view url) const;

 private:
  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
};

}  // namespace parlance::push
