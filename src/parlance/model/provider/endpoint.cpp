// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/endpoint.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/limits.h"
#include "parlance/transport/http/retry.h"

namespace parlance::model {
namespace {

std::string join_variables(Kind kind) {
  std::string names;
  for (const std::string_view name : api_key_variables(kind)) {
    if (!names.empty()) names += " or ";
    names += name;
  }
  return names;
}

std::string_view vendor_url(Kind kind) {
  return kind == Kind::anthropic ? "https://api.anthropic.com/v1" : "https://api.openai.com/v1";
}

std::string_view method_path(Kind kind) { return kind == Kind::anthropic ? "/messages" : "/chat/completions"; }

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; });
}

}  // namespace

std::optional<UrlParts> split_url(std::string_view url) {
  UrlParts parts;
  if (has_control(url) || url.find('#') != std::string_view::npos) return std::nullopt;
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return std::nullopt;
  const std::string scheme = to_lower(url.substr(0, scheme_end));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  parts.secure = scheme == "https";
  const std::size_t path_at = std::min(url.find_first_of("/?", scheme_end + 3), url.size());
  parts.origin = url.substr(0, path_at);
  const std::size_t query_at = std::min(url.find('?', path_at), url.size());
  parts.path = url.substr(path_at, query_at - path_at);
  parts.query = url.substr(query_at);
  std::string_view authority = url.substr(scheme_end + 3, path_at - scheme_end - 3);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
  if (authority.starts_with('[')) authority = authority.substr(1, authority.find(']') - 1);
  else authority = authority.substr(0, authority.find(':'));
  parts.host = authority;
  if (parts.host.empty()) return std::nullopt;
  return parts;
}

Result<Endpoint> make_endpoint(const ModelSettings& settings) {
  const std::string_view given = settings.url.empty() ? vendor_url(settings.kind) : std::string_view(settings.url);
  auto parts = split_url(given);
  if (!parts)
    return fail(Errc::invalid_params,
                "the model URL is no address of a server: expected http://HOST[:PORT][/PATH] or https://…, such as " +
                    std::string(vendor_url(settings.kind)));
  if (has_control(settings.key.text))
    return fail(Errc::invalid_params, "the key from " + settings.key.origin + " has blanks or control characters in it");
  while (parts->path.ends_with('/')) parts->path.pop_back();
  const std::string_view method = method_path(settings.kind);
  if (!parts->path.ends_with(method)) {
    // People type "http://localhost:11434", where both APIs have the path /v1.
    if (parts->path.empty() || (settings.kind == Kind::anthropic && !parts->path.ends_with("/v1"))) parts->path += "/v1";
    parts->path += method;
  }
  const std::size_t authority_at = parts->origin.find("://") + 3;
  const std::size_t user_end = parts->origin.rfind('@');
  std::string shown = parts->origin;
  if (user_end != std::string::npos) shown.erase(authority_at, user_end + 1 - authority_at);
  return Endpoint{.url = parts->origin + parts->path + parts->query,
                  .shown = shown + parts->path,
                  .kind = settings.kind,
                  .key = settings.key};
}

std::vector<HttpHeader> identity_of(const Endpoint& endpoint) {
  const bool is_anthropic = endpoint.kind == Kind::anthropic;
  std::vector<HttpHeader> headers;
  if (is_anthropic) headers.push_back({"anthropic-version", "2023-06-01"});
  if (const std::string& key = endpoint.key.text; !key.empty())
    headers.push_back(is_anthropic ? HttpHeader{"x-api-key", key} : HttpHeader{"Authorization", "Bearer " + key});
  return headers;
}

std::string error_sentence(std::string_view body) {
  const std::string_view text = trim(body);
  if (const auto document = json::parse(text); document && document->object() != nullptr) {
    for (const char* name : {"error", "message", "detail", "error_message"}) {
      const json::Value* found = document->find(name);
      if (found == nullptr) continue;
      if (found->text() != nullptr) return *found->text();
      if (found->object() != nullptr) {
        if (const auto message = found->text_or("message", ""); !message.empty()) return std::string(message);
        if (const auto type = found->text_or("type", ""); !type.empty()) return std::string(type);
      }
    }
    return std::string(text);
  }
  if (text.starts_with('<')) return "";
  return std::string(text);
}

bool says_too_long(std::string_view text) {
  const std::string lower = to_lower(text);
  constexpr std::array<std::string_view, 8> marks{"context_length_exceeded", "maximum context length", "prompt is too long",
                                                  "context window",          "context size",           "too many tokens",
                                                  "exceeds the context",     "input is too long"};
  return std::ranges::any_of(marks, [&](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

std::string printable(std::string_view text, const ApiKey& key) {
  std::string out = to_valid_utf8(text);
  if (key.text.size() >= 8)
    for (std::size_t at = out.find(key.text); at != std::string::npos; at = out.find(key.text, at))
      out.replace(at, key.text.size(), "…");
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  out = trim(out);
  if (out.size() > limits::model_error_text_bytes) out = std::string(utf8_prefix(out, limits::model_error_text_bytes)) + "…";
  return out;
}

Error status_error(const Endpoint& endpoint, std::string_view model, const HttpResponse& response) {
  const int status = response.status;
  const std::string sentence = printable(error_sentence(response.body), endpoint.key);
  const std::string said = " (" + std::to_string(status) + (sentence.empty() ? "" : ": " + sentence) + ")";
  const auto error = [](Errc code, std::string text) { return Error{.code = code, .message = std::move(text)}; };

  if (status == 401 || (status == 403 && endpoint.key.text.empty())) {
    if (endpoint.key.text.empty())
      return error(Errc::denied, endpoint.shown + " wants a key" + said + ": set " + join_variables(endpoint.kind));
    return error(Errc::denied, endpoint.shown + " does not accept the key from " + endpoint.key.origin + said +
                                   ": check that it is current and for this server");
  }
  if (status == 403) return error(Errc::denied, endpoint.shown + " forbids this to the key from " + endpoint.key.origin + said);
  if (status == 402 || response.body.find("insufficient_quota") != std::string::npos)
    return error(Errc::denied, endpoint.shown + ": the account has no credit left" + said);
  if (status == 413 || ((status == 400 || status == 422) && says_too_long(response.body)))
    return error(Errc::invalid_params, "the conversation is too long for the model " + std::string(model) + " at " +
                                           endpoint.shown + said + std::string(too_long_cure));
  if (status == 404)
    return error(Errc::not_found, model.empty() ? endpoint.shown + " is not found at its server" + said + ": check the URL"
                                                : "no model " + std::string(model) + " at " + endpoint.shown + said +
                                                      ": check the model's name and the URL");
  if (status == 429) return error(Errc::overloaded, endpoint.shown + " limits the rate of requests" + said + ": try again later");
  if (may_retry(status)) return error(Errc::overloaded, endpoint.shown + " is in trouble" + said + ": try again later");
  if (status >= 400) return error(Errc::invalid_request, endpoint.shown + std::string(refused_request) + said);
  return error(Errc::failed, endpoint.shown + " answers in an unexpected way" + said + ": is this the address of a model?");
}

}  // namespace parlance::model
