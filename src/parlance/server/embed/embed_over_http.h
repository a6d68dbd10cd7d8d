// SPDX-License-Identifier: Apache-2.0
// The embedding service: POST /embed, POST /embed-batch, POST /v1/embeddings, GET /health, GET /info, on an address of this
// machine. Requires no token, because deployed clients send none. Therefore the service listens on loopback addresses only, and
// checks Host and Origin like the gateway: pages of other sites are refused. Loop thread only; the embedder outlives this object.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/base/clock.h"
#include "parlance/base/uri.h"
#include "parlance/gateway/auth.h"
#include "parlance/gateway/routes.h"
#include "parlance/memory/embedder.h"
#include "parlance/server/embed/batcher.h"
#include "parlance/server/embed/limits.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::server {

// 50001 is the port of the deployed service.
inline constexpr unsigned short standard_embed_port = 50001;

struct EmbedServiceSettings {
  HostPort listen{.host = "127.0.0.1", .port = standard_embed_port};  // port 0 picks a free port
  std::string backend = "built-in";                                   // the value of `llmServer` in /health and /info
  // Bodies above limits::embed_request_bytes get a JSON error; the server cuts off much larger bodies. Shells give a program 1024
  // descriptors, and this service has few clients.
  HttpServerSettings http{.body_bytes = 2 * limits::embed_request_bytes, .connections = 512};
  std::chrono::milliseconds health_patience{2'000};  // for a back end, before the health check counts the back end as down
  std::function<WallTime()> wall_clock = wall_now;
};

class EmbedOverHttp {
 public:
  EmbedOverHttp(Loop& loop, memory::Embedder& embedder, EmbedServiceSettings settings);
  ~EmbedOverHttp();
  EmbedOverHttp(const EmbedOverHttp&) = delete;
  EmbedOverHttp& operator=(const EmbedOverHttp&) = delete;

  // Errors: invalid_params (an address open to others), and errors of listening (address in use).
  Result<void> start();
  Task<void> drain(TimePoint deadline);

  unsigned short port() const { return server_->port(); }
  std::string url() const;  // "http://127.0.0.1:50001/"
  const EmbedBatcher::Statistics& statistics() const { return batcher_.statistics(); }

 private:
  struct Embedded;
  Task<void> handle(HttpExchange& exchange);
  Task<Result<HttpReply>> embed(const ServerRequest& request);
  Task<Result<HttpReply>> embed_batch(const ServerRequest& request);
  Task<Result<HttpReply>> openai(const ServerRequest& request);
  Task<Result<HttpReply>> health(const ServerRequest& request);
  Task<Result<HttpReply>> info(const ServerRequest& request);
  Task<Result<Embedded>> vectors_of(std::vector<std::string> texts);
  void route(std::string_view method, std::string_view path,
             Task<Result<HttpReply>> (EmbedOverHttp::*answer)(const ServerRequest&));

  Loop& loop_;
  EmbedServiceSettings settings_;
  gateway::Auth auth_;
  gateway::Routes routes_;
  EmbedBatcher batcher_;
  std::unique_ptr<HttpServer> server_;  // last: its exchanges use all of the above
};

// "http:nomic-embed-text/768" -> "nomic-embed-text": the member `model` of answers.
std::string model_of(const memory::EmbedderInfo& info);

}  // namespace parlance::server
