// SPDX-License-Identifier: Apache-2.0
// The server of a URL: scheme, host and port, parsed by curl. A check with another parser could approve a different server than
// curl then contacts. For the .cpp files of this folder only. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/transport/http/curl_library.h"
#include "parlance/transport/http/presentable.h"

namespace parlance {

struct UrlOrigin {
  std::string scheme;
  std::string host;
  std::string port;
  friend bool operator==(const UrlOrigin&, const UrlOrigin&) = default;
};

// invalid_request: no URL, or one that is neither http nor https.
Result<UrlOrigin> origin_of(const CurlLibrary& curl, const std::string& url);

}  // namespace parlance
