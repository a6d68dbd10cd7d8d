// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_message.h"

#include "parlance/base/text.h"

namespace parlance {

const std::string* find_header(const std::vector<HttpHeader>& headers, std::string_view name) {
  for (const HttpHeader& header : headers)
    if (equal_ignoring_case(header.name, name)) return &header.value;
  return nullptr;
}

}  // namespace parlance
