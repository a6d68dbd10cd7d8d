// SPDX-License-Identifier: Apache-2.0
// POST /v1/embeddings at the gateway, with its token: passed on to the embedding service, which asks for none (embed_over_http.h) and
// says what is wrong with a request. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

class EmbeddingsOverGateway {
 public:
  // Where the service is now ("http://127.0.0.1:50001/"): it may be started again elsewhere. Errors: there is none.
  using Address = std::function<Result<std::string>()>;

  EmbeddingsOverGateway(Loop& loop, Address address) : client_(loop), address_(std::move(address)) {}
  Task<void> create(HttpExchange& exchange);

 private:
  Task<Result<HttpReply>> pass_on(const ServerRequest& request);

  HttpClient client_;
  Address address_;
};

}  // namespace parlance::face
