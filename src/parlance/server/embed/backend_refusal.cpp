// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/backend_refusal.h"

#include "parlance/base/text.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/transport/http/retry.h"

namespace parlance::server {

bool is_another_style(int status) {
  return status == 400 || status == 404 || status == 405 || status == 415 || status == 422 || status == 501;
}

bool says_text_too_long(std::string_view body) {
  const std::string lower = to_lower(body);
  for (const std::string_view mark :
       {"too large to process", "maximum context", "too long", "too large", "exceeds", "context length"})
    if (lower.find(mark) != std::string::npos) return true;
  return model::says_too_long(body);
}

Error refusal_error(const HttpResponse& response, const std::string& shown_url, const model::ApiKey& key) {
  const int status = response.status;
  const std::string sentence = model::printable(model::error_sentence(response.body), key);
  const std::string said = " (" + std::to_string(status) + (sentence.empty() ? "" : ": " + sentence) + ")";
  const auto error = [&](Errc code, const std::string& text) { return Error{.code = code, .message = shown_url + text}; };
  if (status == 401 || status == 403) {
    if (key.text.empty()) return error(Errc::denied, " wants a key" + said + ": set PARLANCE_EMBED_API_KEY, or embed-key-file");
    return error(Errc::denied, " does not accept the key from " + key.origin + said);
  }
  if (status == 402 || response.body.find("insufficient_quota") != std::string::npos)
    return error(Errc::denied, ": the account has no credit left" + said);
  if (status == 404 || status == 405)
    return error(Errc::not_found, " does not embed" + said + ": check the address and the model's name");
  if (status == 429) return error(Errc::overloaded, " limits the rate of requests" + said);
  if (may_retry(status)) return error(Errc::overloaded, " is in trouble" + said);
  if (status >= 400) return error(Errc::failed, " refuses the request" + said);
  return error(Errc::failed, " answers in an unexpected way" + said + ": is this the address of an embedding service?");
}

}  // namespace parlance::server
