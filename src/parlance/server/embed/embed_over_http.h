// SPDX-License-Identifier: Apache-2.0
// The embedding service: POST /embed, POST /embed-batch, POST /v1/embeddings, GET /health, GET /info, on an address of this machine.
// No token is asked for, because deployed clients send none; so it listens on loopback addresses only, and Host
// and Origin are checked as in the gateway: no page of another site may use it. Loop thread only; the embedder outlives it.
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
  HostPort listen{.host = "127.0.0.1", .port = standard_embed_port};  // port 0 picks a free one
  std::string backend = "built-in";                                   // what /health and /info call `llmServer`
  // Bodies above limits::embed_request_bytes are told so in JSON; the server itself cuts off what is far beyond. Shells give a
  // program 1024 descriptors, and clients of this service are few.
  HttpServerSettings http{.body_bytes = 2 * limits::embed_request_bytes, .connections = 512};
  std::chrono::milliseconds health_patience{2'000};  // for a back end, before it counts as down
  std::function<WallTime()> wall_clock = wall_now;
};

class EmbedOverHttp {
 public:
  EmbedOverHttp(Loop& loop, memory::Embedder& embedder, EmbedServiceSettings settings);
  ~EmbedOverHttp();
  EmbedOverHttp(const EmbedOverHttp&) = delete;
  EmbedOverHttp& operator=(const EmbedOverHttp&) = delete;

  // Errors: invalid_params (an address that others can reach), what listening fails with (the address is taken).
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

// "http:nomic-embed-text/768" -> "nomic-embed-text": what answers call `model`.
std::string model_of(const memory::EmbedderInfo& info);

}  // namespace parlance::server
