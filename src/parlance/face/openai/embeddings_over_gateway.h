// SPDX-License-Identifier: Apache-2.0
// POST /v1/embeddings at the gateway, with its token: forwards to the embedding service, which needs no token (embed_over_http.h)
// and validates requests. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

class EmbeddingsOverGateway {
 public:
  // The current address of the service ("http://127.0.0.1:50001/"): a restart may change it. Errors: no service.
  using Address = std::function<Result<std::string>()>;

  EmbeddingsOverGateway(Loop& loop, Address address) : client_(loop), address_(std::move(address)) {}
  Task<void> create(HttpExchange& exchange);

 private:
  Task<Result<HttpReply>> pass_on(const ServerRequest& request);

  HttpClient client_;
  Address address_;
};

}  // namespace parlance::face
