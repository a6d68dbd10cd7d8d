// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/embed_over_http.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/gateway/reply.h"
#include "parlance/gateway/security_headers.h"
#include "parlance/memory/limits.h"
#include "parlance/protocol/openai/embeddings.h"
#include "parlance/server/embed/limits.h"
#include "parlance/server/embed/vector_json.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::server {
namespace {

struct Endpoint {
  const char* path;
  const char* what;
};
constexpr Endpoint endpoints[]{
    {"/embed", "POST {text}: one vector"},
    {"/embed-batch", "POST {texts}: a vector for each"},
    {"/v1/embeddings", "POST {input}: the same in OpenAI's shape"},
    {"/health", "GET: state of the service and of its back end"},
    {"/info", "GET: model, dimension, calibration, limits"},
};

// A request that fails only because of its size gets 413; services differ here, and splitting clients expect this code.
constexpr std::string_view too_large_mark = R"("too_large")";
Error too_large(std::string message) {
  return {.code = Errc::invalid_params, .message = std::move(message), .data = std::string(too_large_mark)};
}

HttpReply reply_to(const Error& error) {
  HttpReply reply = gateway::error_reply(error);
  if (error.data == too_large_mark) reply.status = 413;
  return reply;
}

Result<void> check_text(const std::string& text, const std::string& place) {
  if (trim(text).empty()) return fail(Errc::invalid_params, place + ": it is empty");
  if (text.size() > limits::memory_text_bytes)
    return fail(too_large(place + ": " + std::to_string(text.size()) + " bytes; " + std::to_string(limits::memory_text_bytes) +
                          " are the limit for a text"));
  return {};
}

Result<void> check_texts(const std::vector<std::string>& texts, const std::string& place) {
  if (texts.empty()) return fail(Errc::invalid_params, place + ": no text is given");
  if (texts.size() > limits::embed_texts)
    return fail(too_large(place + ": " + std::to_string(texts.size()) + " texts; " + std::to_string(limits::embed_texts) +
                          " are the limit for a request"));
  for (std::size_t i = 0; i < texts.size(); ++i) PARLANCE_TRY_DO(check_text(texts[i], place + "[" + std::to_string(i) + "]"));
  return {};
}

template <class Body>
Result<Body> read_body(const ServerRequest& request) {
  if (request.body.size() > limits::embed_request_bytes)
    return fail(too_large("the request has " + std::to_string(request.body.size()) + " bytes; " +
                          std::to_string(limits::embed_request_bytes) + " are the most"));
  return gateway::read_body<Body>(request.body);
}

Result<std::vector<std::string>> texts_of(const wire::Raw& input) {
  if (input.json.starts_with('"')) {
    PARLANCE_TRY(text, json::from_text<std::string>(input.json));
    PARLANCE_TRY_DO(check_text(text, "$.input"));
    return std::vector<std::string>{std::move(text)};
  }
  auto texts = json::from_text<std::vector<std::string>>(input.json);
  if (!texts) {
    const auto value = json::parse(input.json);
    const json::Array* list = value ? value->array() : nullptr;
    double ignored = 0;
    if (list != nullptr && !list->empty() && (list->front().number(ignored) || list->front().array() != nullptr))
      return fail(Errc::invalid_params,
                  "$.input: lists of tokens are not supported, because they belong to another model; send texts");
    return fail(Errc::invalid_params, "$.input: expected a text or a list of texts");
  }
  PARLANCE_TRY_DO(check_texts(*texts, "$.input"));
  return texts;
}

std::string bracketed(const std::string& host) { return host.find(':') == std::string::npos ? host : '[' + host + ']'; }

}  // namespace

std::string model_of(const memory::EmbedderInfo& info) {
  std::string_view name = info.id;
  if (name.starts_with("http:")) name.remove_prefix(5);
  const std::string end = "/" + std::to_string(info.dimension);
  if (name.ends_with(end)) name.remove_suffix(end.size());
  return std::string(name);
}

struct EmbedOverHttp::Embedded {
  memory::EmbedderInfo info;
  std::vector<memory::Vector> vectors;
  std::size_t dimension() const { return vectors.front().size(); }
};

EmbedOverHttp::EmbedOverHttp(Loop& loop, memory::Embedder& embedder, EmbedServiceSettings settings)
    : loop_(loop), settings_(std::move(settings)), auth_({}), batcher_(loop, embedder) {
  route("POST", "/embed", &EmbedOverHttp::embed);
  route("POST", "/embed-batch", &EmbedOverHttp::embed_batch);
  route("POST", "/v1/embeddings", &EmbedOverHttp::openai);
  route("GET", "/health", &EmbedOverHttp::health);
  route("GET", "/info", &EmbedOverHttp::info);
}

EmbedOverHttp::~EmbedOverHttp() = default;

void EmbedOverHttp::route(std::string_view method, std::string_view path,
                          Task<Result<HttpReply>> (EmbedOverHttp::*answer)(const ServerRequest&)) {
  const gateway::Address address{method, path, gateway::Access::open, hub::Permission::open};  // programs of this machine
  routes_.on(address, [this, answer](HttpExchange& exchange) -> Task<void> {
    auto reply = co_await (this->*answer)(exchange.request());
    if (!reply) reply = reply_to(reply.error());
    gateway::add_security_headers(reply->headers, "");
    co_await exchange.respond(*std::move(reply));
  });
}

Result<void> EmbedOverHttp::start() {
  if (!is_loopback_name(settings_.listen.host))
    return fail(Errc::invalid_params, "the embedding service asks for no token and listens on addresses of this machine only; " +
                                          settings_.listen.host + " can be reached from others");
  PARLANCE_TRY(server, HttpServer::listen(
                           loop_, settings_.listen, [this](HttpExchange& exchange) { return handle(exchange); }, settings_.http,
                           [this](const ServerRequest& head) { return auth_.check_source(head) == gateway::Verdict::fine; }));
  server_ = std::move(server);
  return {};
}

Task<void> EmbedOverHttp::drain(TimePoint deadline) {
  if (server_) co_await server_->drain(deadline);
}

std::string EmbedOverHttp::url() const {
  return "http://" + bracketed(settings_.listen.host) + ':' + std::to_string(port()) + '/';
}

Task<void> EmbedOverHttp::handle(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  const auto refuse = [&exchange](HttpReply reply) {
    gateway::add_security_headers(reply.headers, "");
    return exchange.respond(std::move(reply));
  };
  switch (auth_.check_source(request)) {
    case gateway::Verdict::fine: break;
    case gateway::Verdict::bad_host:
      co_await refuse(gateway::error_reply(400, "bad_host", "The request has no usable Host header."));
      co_return;
    case gateway::Verdict::foreign_origin:
      co_await refuse(gateway::error_reply(403, "origin_not_allowed", "Pages of other sites may not use the embedding service."));
      co_return;
    default:
      co_await refuse(gateway::error_reply(
          403, "host_not_allowed", "The embedding service answers to the names of this machine only, such as localhost."));
      co_return;
  }
  const gateway::Routes::Match match = routes_.find(request.method, request.path);
  if (match.route != nullptr) {
    co_await match.route->handler(exchange, nullptr);
  } else {
    co_await refuse(gateway::unrouted_reply(request.method, match.allow, "No such address; GET /info lists the addresses."));
  }
}

// ---- the routes ----------------------------------------------------------------------------------------------------------

Task<Result<EmbedOverHttp::Embedded>> EmbedOverHttp::vectors_of(std::vector<std::string> texts) {
  PARLANCE_CO_TRY(vectors, co_await batcher_.embed(std::move(texts)));
  PARLANCE_CO_TRY(what, co_await batcher_.info());  // afterwards: embedding is when a back end is seen to have changed
  if (vectors.front().size() != what.dimension)
    co_return fail(Errc::overloaded, "the back end has changed its model just now: try again");
  co_return Embedded{.info = std::move(what), .vectors = std::move(vectors)};
}

namespace {

HttpReply with_id(HttpReply reply, const memory::EmbedderInfo& info) {
  reply.headers.push_back({.name = embed::id_header, .value = info.id});
  return reply;
}

wire::Raw as_json(const memory::Vector& vector) {
  wire::Raw raw;
  raw.json.reserve(vector.size() * 13);
  write_vector(raw.json, vector);
  return raw;
}

}  // namespace

Task<Result<HttpReply>> EmbedOverHttp::embed(const ServerRequest& request) {
  PARLANCE_CO_TRY(body, read_body<embed::EmbedRequest>(request));
  PARLANCE_CO_TRY_DO(check_text(body.text, "$.text"));
  PARLANCE_CO_TRY(done, co_await vectors_of({std::move(body.text)}));
  const embed::EmbedReply reply{
      .embedding = as_json(done.vectors.front()), .dim = done.dimension(), .model = model_of(done.info)};
  co_return with_id(gateway::json_reply(json::to_text(reply)), done.info);
}

Task<Result<HttpReply>> EmbedOverHttp::embed_batch(const ServerRequest& request) {
  PARLANCE_CO_TRY(body, read_body<embed::EmbedBatchRequest>(request));
  PARLANCE_CO_TRY_DO(check_texts(body.texts, "$.texts"));
  PARLANCE_CO_TRY(done, co_await vectors_of(std::move(body.texts)));
  embed::EmbedBatchReply reply{.count = done.vectors.size(), .dim = done.dimension(), .model = model_of(done.info)};
  for (const memory::Vector& vector : done.vectors) reply.embeddings.push_back(as_json(vector));
  co_return with_id(gateway::json_reply(json::to_text(reply)), done.info);
}

Task<Result<HttpReply>> EmbedOverHttp::openai(const ServerRequest& request) {
  PARLANCE_CO_TRY(body, read_body<embed::OpenAiRequest>(request));
  const std::string form = body.encoding_format.value_or("float");
  if (form != "float" && form != "base64") co_return fail(Errc::invalid_params, "$.encoding_format: expected float or base64");
  PARLANCE_CO_TRY(texts, texts_of(body.input));
  if (body.dimensions) {
    PARLANCE_CO_TRY(what, co_await batcher_.info());
    if (*body.dimensions != static_cast<std::int64_t>(what.dimension))
      co_return fail(Errc::invalid_params, "$.dimensions: " + model_of(what) + " has " + std::to_string(what.dimension) +
                                               " and cannot be cut; omit the member");
  }
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  PARLANCE_CO_TRY(done, co_await vectors_of(std::move(texts)));
  const std::size_t tokens = (bytes + 3) / 4;  // the deployed gateway counts tokens this way
  embed::OpenAiReply reply{.model = model_of(done.info), .usage = {.prompt_tokens = tokens, .total_tokens = tokens}};
  for (const memory::Vector& vector : done.vectors)
    reply.data.push_back(
        {.index = reply.data.size(), .embedding = form == "float" ? as_json(vector) : wire::Raw{'"' + to_base64(vector) + '"'}});
  co_return with_id(gateway::json_reply(json::to_text(reply)), done.info);
}

Task<Result<HttpReply>> EmbedOverHttp::health(const ServerRequest&) {
  embed::HealthBody body{
      .status = "ok",
      .server_port = port(),
      .llm_server = settings_.backend,
      .timestamp = std::chrono::duration_cast<std::chrono::seconds>(settings_.wall_clock().time_since_epoch()).count()};
  const auto embedder = co_await with_deadline(loop_, loop_.now() + settings_.health_patience, batcher_.info());
  if (embedder) {
    body.model = model_of(*embedder);
  } else {
    body.status = "degraded";
    body.error =
        embedder.error().code == Errc::deadline_exceeded ? settings_.backend + " does not answer" : embedder.error().message;
  }
  // 503, because clients wait for /health by its status alone.
  co_return gateway::json_reply(json::to_text(body), embedder ? 200 : 503);
}

Task<Result<HttpReply>> EmbedOverHttp::info(const ServerRequest&) {
  PARLANCE_CO_TRY(embedder, co_await batcher_.info());
  embed::InfoBody body{.id = embedder.id,
                       .model = model_of(embedder),
                       .model_path = model_of(embedder),
                       .server_port = port(),
                       .llm_server = settings_.backend,
                       .dim = embedder.dimension,
                       .max_texts = limits::embed_texts,
                       .max_text_bytes = limits::memory_text_bytes};
  for (const auto& knot : embedder.calibration.knots) body.calibration.push_back({.cosine = knot.cosine, .score = knot.score});
  for (const Endpoint& endpoint : endpoints) body.endpoints[endpoint.path] = endpoint.what;
  co_return with_id(gateway::json_reply(json::to_text(body)), embedder);
}

}  // namespace parlance::server
