// SPDX-License-Identifier: Apache-2.0
// Where a model lives, and how failure there is told: what happened, where (never with user, password, query or key), what to do.
// Values; any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/provider/limits.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::model {

struct Endpoint {
  std::string url{};    // of the one method that is called
  std::string shown{};  // the same without user, password and query
  Kind kind = Kind::openai;
  ApiKey key{};
};

// "http(s)://[user@]host[:port][/path][?query]", split; nothing for anything else.
struct UrlParts {
  std::string origin{};  // scheme and authority
  std::string path{};
  std::string query{};  // with the "?"
  std::string host{};
  bool secure = false;
};
std::optional<UrlParts> split_url(std::string_view url);

// Completes what a person gave as `settings.url`: with or without "/v1", with or without the method's path, or "" for the vendor's.
// Errors: invalid_params.
Result<Endpoint> make_endpoint(const ModelSettings& settings);

// The sentence in an error body: {"error":{"message"}}, {"error":"…"}, {"message"}, {"detail"}, or plain text; "" for an HTML page.
std::string error_sentence(std::string_view body);

// The error for a status outside 2xx. `model`: the name that was asked for.
Error status_error(const Endpoint& endpoint, std::string_view model, const HttpResponse& response);

// Nothing but a hint that the text speaks of a conversation that is too long.
bool says_too_long(std::string_view text);

// Told where a server answers with what browsers show; asking again would bring it again.
inline constexpr std::string_view web_page_sentence =
    "a web page came, and no answer of a model: check the URL of the model; that of an API usually ends in /v1";

// `text` without the key, cut to limits::model_error_text_bytes, on one line.
std::string printable(std::string_view text, const ApiKey& key);

}  // namespace parlance::model
