// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/message.h"

namespace parlance {

std::string to_string(const RequestId& id) {
  if (!id.present) return "(none)";
  return id.raw.empty() ? std::to_string(id.number) : id.raw;
}

Error missing_body(std::string_view method) {
  return {.code = Errc::invalid_request,
          .message = "the reply to " + std::string(method) + " is empty: the other side must send a result"};
}

}  // namespace parlance
