// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/embeddings_over_gateway.h"

#include <utility>

#include "parlance/gateway/http_errors.h"
#include "parlance/protocol/openai/embeddings.h"
#include "parlance/protocol/openai/limits.h"

namespace parlance::face {
namespace {

constexpr std::string_view path = "v1/embeddings";
constexpr auto connect_timeout = std::chrono::seconds(2);  // a service on this machine

// Headers passed to the client; all others concern only the two servers.
constexpr std::string_view passed_headers[]{"Content-Type", "X-Should-Retry", "Retry-After", embed::id_header};

}  // namespace

Task<Result<HttpReply>> EmbeddingsOverGateway::pass_on(const ServerRequest& request) {
  PARLANCE_CO_TRY(address, address_());
  auto answer = co_await client_.fetch({.method = "POST",
                                        .url = address + std::string(path),
                                        .headers = {{.name = "Content-Type", .value = "application/json"}},
                                        .body = request.body,
                                        .connect_timeout = connect_timeout,
                                        .total_timeout = limits::embed_total,
                                        .body_limit = limits::embed_answer_bytes,
                                        .follow_redirects = false});
  if (!answer) co_return fail(std::move(answer).error().in("the embedding service at " + address));
  // The service reports request faults as 400 and 413 and its own failures as 5xx; vectors carry its id header.
  const int status = answer->status;
  const bool ours = find_header(answer->headers, embed::id_header) != nullptr || status == 400 || status == 413 || status >= 500;
  if (!ours) co_return fail(Errc::failed, "what answers at " + address + " is not our embedding service");
  HttpReply reply{.status = status};
  for (const std::string_view name : passed_headers)
    if (const std::string* const value = find_header(answer->headers, name)) reply.headers.push_back({std::string(name), *value});
  reply.body = std::move(answer->body);
  co_return reply;
}

Task<void> EmbeddingsOverGateway::create(HttpExchange& exchange) {
  auto reply = co_await pass_on(exchange.request());
  co_await exchange.respond(reply ? *std::move(reply) : gateway::error_reply(reply.error()));
}

}  // namespace parlance::face
