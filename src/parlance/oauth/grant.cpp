// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/grant.h"

#include <algorithm>

#include "parlance/base/base64.h"
#include "parlance/base/base64url.h"
#include "parlance/base/secret.h"
#include "parlance/base/sha256.h"
#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/oauth/discovery.h"

namespace parlance::oauth {
namespace {

constexpr std::string_view basic = "client_secret_basic";
constexpr std::string_view in_body = "client_secret_post";
constexpr std::int64_t longest_token_seconds = std::int64_t{10} * 365 * 24 * 3600;

bool contains(const std::optional<Texts>& list, std::string_view value) {
  return list && std::ranges::find(*list, value) != list->end();
}

void add_filled(Form& form, std::string name, const std::string& value) {
  if (!value.empty()) form.emplace_back(std::move(name), value);
}

std::string reason_of(std::string_view error, std::string_view description) {
  std::string text = visible_line(error.substr(0, 100));
  if (!description.empty()) text += " (" + visible_line(description.substr(0, 300)) + ")";
  return text;
}

Error refusal(std::string_view doing, const HttpResponse& response) {
  const auto answer = json::from_text<ErrorAnswer>(response.body);
  const std::string reason = answer ? reason_of(answer->error, answer->error_description.value_or(""))
                                    : "HTTP status " + std::to_string(response.status);
  const bool is_ours = response.status >= 400 && response.status < 500 && response.status != 429;
  return {.code = is_ours ? Errc::denied : Errc::failed,
          .message = std::string(doing) + ": " + reason,
          .data = answer ? json::to_text(*answer) : ""};
}

// A header value without a line end, and no longer than servers accept.
bool is_header_text(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 0x21 && c <= 0x7e; });
}

}  // namespace

LoginSecrets LoginSecrets::make() { return {.verifier = make_token(), .state = make_token()}; }

std::string LoginSecrets::challenge() const {
  const auto digest = Sha256().add(verifier).finish();
  return to_base64url(BytesView(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::string form_text(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form) text += (text.empty() ? "" : "&") + percent_encode(name) + "=" + percent_encode(value);
  return text;
}

std::string authorization_url(const ServerMetadata& server, const Login& login, const LoginSecrets& secrets) {
  Form form{{"response_type", "code"}, {"client_id", login.client_id},          {"redirect_uri", login.redirect_uri.value_or("")},
            {"state", secrets.state},  {"code_challenge", secrets.challenge()}, {"code_challenge_method", "S256"}};
  add_filled(form, "resource", login.resource);
  add_filled(form, "scope", login.scope);
  // OpenID Connect grants a refresh token only with the person's consent.
  if (has_scopes(login.scope, "offline_access")) form.emplace_back("prompt", "consent");
  const std::string& page = server.authorization_endpoint;
  return page + (page.contains('?') ? "&" : "?") + form_text(form);
}

Result<std::string> read_redirect(const ServerMetadata& server, const QueryParameters& query) {
  // The issuer first: an error of another server must not count either (RFC 9207). Equal as text, without normalization.
  const std::string* const issuer = query.find("iss");
  if (issuer == nullptr && server.authorization_response_iss_parameter_supported.value_or(false))
    return fail(Errc::denied, "the redirect of the login names no issuer, although the authorization server promised it");
  if (issuer != nullptr && *issuer != server.issuer)
    return fail(Errc::denied, "the redirect of the login is of \"" + visible_line(issuer->substr(0, 200)) + "\", not of \"" +
                                  visible_line(server.issuer) + "\"");
  if (const std::string* const error = query.find("error")) {
    const std::string* const description = query.find("error_description");
    return fail(Errc::denied,
                "the login was refused: " + reason_of(*error, description == nullptr ? std::string_view() : *description));
  }
  const std::string* const code = query.find("code");
  if (code == nullptr || code->empty()) return fail(Errc::denied, "the redirect of the login has no code");
  return *code;
}

Form code_form(const Login& login, const LoginSecrets& secrets, std::string_view code) {
  Form form{{"grant_type", "authorization_code"},
            {"code", std::string(code)},
            {"redirect_uri", login.redirect_uri.value_or("")},
            {"code_verifier", secrets.verifier}};
  add_filled(form, "resource", login.resource);
  return form;
}

Form refresh_form(const Login& login) {
  Form form{{"grant_type", "refresh_token"}, {"refresh_token", login.refresh_token.value_or("")}};
  add_filled(form, "resource", login.resource);
  return form;
}

Form client_credentials_form(const Login& login) {
  Form form{{"grant_type", "client_credentials"}};
  add_filled(form, "resource", login.resource);
  add_filled(form, "scope", login.scope);
  return form;
}

Form workload_form(const Login& login, std::string_view token) {
  Form form{{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", std::string(token)}};
  add_filled(form, "resource", login.resource);
  add_filled(form, "scope", login.scope);
  return form;
}

HttpRequest token_request(const Login& login, Form form) {
  HttpRequest request{.method = "POST", .url = login.token_endpoint};
  request.headers.push_back({"Accept", "application/json"});
  request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  if (login.client_method == basic) {
    const std::string both = percent_encode(login.client_id) + ":" + percent_encode(login.client_secret.value_or(""));
    request.headers.push_back({"Authorization", "Basic " + to_base64(both)});
  } else {
    form.emplace_back("client_id", login.client_id);
    if (login.client_method == in_body) form.emplace_back("client_secret", login.client_secret.value_or(""));
  }
  request.body = form_text(form);
  return request;
}

Result<void> take_tokens(Login& login, const HttpResponse& response, std::int64_t now_seconds) {
  if (response.status / 100 != 2) return fail(refusal("the token request was refused", response));
  auto answer = json::from_text<TokenAnswer>(response.body);
  if (!answer) return fail(std::move(answer).error().in("the answer to the token request is unreadable"));
  if (!equal_ignoring_case(answer->token_type, "bearer"))
    return fail(Errc::failed,
                "the token has the kind \"" + visible_line(answer->token_type.substr(0, 50)) + "\"; only Bearer is supported");
  if (!is_header_text(answer->access_token))
    return fail(Errc::failed, "the token of the answer has characters outside of tokens");
  login.access_token = std::move(answer->access_token);
  login.expires_at.reset();
  if (answer->expires_in && *answer->expires_in >= 0)
    login.expires_at = now_seconds + std::min(*answer->expires_in, longest_token_seconds);
  if (answer->refresh_token && !answer->refresh_token->empty()) login.refresh_token = std::move(answer->refresh_token);
  return {};
}

RegistrationRequest registration(const ServerMetadata& server, const std::string& redirect_uri) {
  const auto& methods = server.token_endpoint_auth_methods_supported;
  std::string method = "none";
  if (!contains(methods, "none") && methods) method = contains(methods, basic) || !contains(methods, in_body) ? basic : in_body;
  return {.client_name = "parlance",
          .redirect_uris = {redirect_uri},
          .grant_types = {"authorization_code", "refresh_token"},
          .response_types = {"code"},
          .token_endpoint_auth_method = std::move(method),
          .application_type = "native"};
}

Result<void> take_registration(Login& login, const RegistrationRequest& sent, const HttpResponse& response) {
  if (response.status / 100 != 2) return fail(refusal("the registration was refused", response));
  auto answer = json::from_text<RegistrationAnswer>(response.body);
  if (!answer) return fail(std::move(answer).error().in("the answer to the registration is unreadable"));
  if (answer->client_id.empty()) return fail(Errc::failed, "the answer to the registration has an empty client id");
  const std::string method = answer->token_endpoint_auth_method.value_or(sent.token_endpoint_auth_method);
  const bool has_secret = answer->client_secret && !answer->client_secret->empty();
  if (method != "none" && method != basic && method != in_body)
    return fail(Errc::failed, "the registration demands \"" + visible_line(method.substr(0, 50)) +
                                  "\" of the client, which parlance does not support");
  login.client_id = std::move(answer->client_id);
  login.client_method = has_secret ? method : "none";
  login.client_secret = login.client_method == "none" ? std::nullopt : std::move(answer->client_secret);
  login.redirect_uri = sent.redirect_uris.front();
  return {};
}

std::string client_method(const ServerMetadata& server, bool has_secret, std::string_view wish) {
  if (!has_secret) return "none";
  if (wish == basic || wish == in_body) return std::string(wish);
  const auto& methods = server.token_endpoint_auth_methods_supported;
  return std::string(contains(methods, in_body) && !contains(methods, basic) ? in_body : basic);
}

}  // namespace parlance::oauth
