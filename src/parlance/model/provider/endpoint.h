// SPDX-License-Identifier: Apache-2.0
// The address of a model, and its errors: cause, place (never with user, password, query or key), remedy. Values; any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/provider/limits.h"
#include "parlance/model/settings.h"
#include "parlance/model/too_long.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::model {

struct Endpoint {
  std::string url{};    // Of the only called method.
  std::string shown{};  // The same without user, password and query.
  Kind kind = Kind::openai;
  ApiKey key{};
};

// "http(s)://[user@]host[:port][/path][?query]", split. Absent: any other form.
struct UrlParts {
  std::string origin{};  // Scheme and authority.
  std::string path{};
  std::string query{};  // with the "?"
  std::string host{};   // without the brackets of an IPv6 address
  bool secure = false;
};
std::optional<UrlParts> split_url(std::string_view url);

// Completes `settings.url`: with or without "/v1", with or without the method's path; empty: the vendor's address. Errors:
// invalid_params.
Result<Endpoint> make_endpoint(const ModelSettings& settings);

// Headers that identify the caller to the endpoint: the version of Anthropic's API, and the key if any.
std::vector<HttpHeader> identity_of(const Endpoint& endpoint);

// The sentence in an error body: {"error":{"message"}}, {"error":"…"}, {"message"}, {"detail"}, or plain text; empty for an HTML
// page.
std::string error_sentence(std::string_view body);

// The error for a status outside of 2xx. `model`: the requested name.
Error status_error(const Endpoint& endpoint, std::string_view model, const HttpResponse& response);

// A hint: the text mentions a conversation that is too long.
bool says_too_long(std::string_view text);

// For a server that answers with a web page; a repetition would give the same page.
inline constexpr std::string_view web_page_sentence =
    "a web page came, and no answer of a model: check the URL of the model; that of an API usually ends in /v1";

// `text` without the key, cut to limits::model_error_text_bytes, on one line.
std::string printable(std::string_view text, const ApiKey& key);

}  // namespace parlance::model
