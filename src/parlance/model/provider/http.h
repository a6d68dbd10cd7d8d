// SPDX-License-Identifier: Apache-2.0
// The one door to the network of this folder, so that tests can answer instead of a server. Loop thread only.
#pragma once

#include <functional>
#include <memory>

#include "parlance/transport/http/http_client.h"

namespace parlance::model {

class Http {
 public:
  virtual ~Http() = default;
  virtual Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body) = 0;
};

// An HttpClient that is created at the first request: libcurl and the certificates cost more than the rest of our start.
std::unique_ptr<Http> lazy_http(Loop& loop);

}  // namespace parlance::model
