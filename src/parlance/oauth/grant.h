// SPDX-License-Identifier: Apache-2.0
// Requests to an authorization server, and the check of its answers: the authorization code grant with PKCE, refresh, client
// credentials and registration. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/base/uri.h"
#include "parlance/oauth/messages.h"
#include "parlance/transport/http/http_message.h"

namespace parlance::oauth {

// Secrets of one login (RFC 7636 and RFC 6749, section 10.12), new for each login.
struct LoginSecrets {
  std::string verifier{};
  std::string state{};
  static LoginSecrets make();
  std::string challenge() const;  // S256 of the verifier
};

using Form = std::vector<std::pair<std::string, std::string>>;
std::string form_text(const Form& form);  // application/x-www-form-urlencoded

// The address for the person's browser. `login`: client, redirect, resource and scope.
std::string authorization_url(const ServerMetadata& server, const Login& login, const LoginSecrets& secrets);

// The code in the query of the redirect. Errors: denied with the reason for the person. The caller has compared the state.
Result<std::string> read_redirect(const ServerMetadata& server, const QueryParameters& query);

Form code_form(const Login& login, const LoginSecrets& secrets, std::string_view code);
Form refresh_form(const Login& login);
Form client_credentials_form(const Login& login);
// RFC 7523: the token of a workload, from its platform, in place of a secret.
Form workload_form(const Login& login, std::string_view token);

// A token request with the client's identity in the form that `login.client_method` names.
HttpRequest token_request(const Login& login, Form form);
// Stores the tokens of an answer in `login`. Errors: denied with code `invalid_grant` and others as data, failed.
Result<void> take_tokens(Login& login, const HttpResponse& response, std::int64_t now_seconds);

RegistrationRequest registration(const ServerMetadata& server, const std::string& redirect_uri);
Result<void> take_registration(Login& login, const RegistrationRequest& sent, const HttpResponse& response);
// How a client with or without a secret identifies itself. `wish`: from its registration, "" if unknown.
std::string client_method(const ServerMetadata& server, bool has_secret, std::string_view wish);

}  // namespace parlance::oauth
