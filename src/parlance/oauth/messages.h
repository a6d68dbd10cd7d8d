// SPDX-License-Identifier: Apache-2.0
// Documents and answers of OAuth: protected resources (RFC 9728), authorization servers (RFC 8414), registration (RFC 7591) and
// tokens (RFC 6749). Unknown members are skipped, a wrong type refuses the document. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::oauth {

using wire::field;
using wire::fields;
using Texts = std::vector<std::string>;

struct ResourceMetadata {
  std::string resource{};
  std::optional<Texts> authorization_servers{};
  std::optional<Texts> scopes_supported{};
  static constexpr auto wire =
      fields(field<&ResourceMetadata::resource>("resource", "Identifier of the protected server."),
             field<&ResourceMetadata::authorization_servers>("authorization_servers", "Issuers of tokens for the server."),
             field<&ResourceMetadata::scopes_supported>("scopes_supported", "Scopes of the server."));
};

struct ServerMetadata {
  std::string issuer{};
  std::string authorization_endpoint{};
  std::string token_endpoint{};
  std::optional<std::string> registration_endpoint{};
  std::optional<Texts> scopes_supported{};
  std::optional<Texts> code_challenge_methods_supported{};
  std::optional<Texts> token_endpoint_auth_methods_supported{};
  std::optional<bool> client_id_metadata_document_supported{};
  std::optional<bool> authorization_response_iss_parameter_supported{};
  static constexpr auto wire = fields(
      field<&ServerMetadata::issuer>("issuer", "Identifier of the authorization server."),
      field<&ServerMetadata::authorization_endpoint>("authorization_endpoint", "Address of the login page.").or_default(),
      field<&ServerMetadata::token_endpoint>("token_endpoint", "Address for token requests."),
      field<&ServerMetadata::registration_endpoint>("registration_endpoint", "Address for registrations of clients."),
      field<&ServerMetadata::scopes_supported>("scopes_supported", "Scopes of the server."),
      field<&ServerMetadata::code_challenge_methods_supported>("code_challenge_methods_supported", "Supported methods of PKCE."),
      field<&ServerMetadata::token_endpoint_auth_methods_supported>("token_endpoint_auth_methods_supported",
                                                                    "Ways of a client to identify itself."),
      field<&ServerMetadata::client_id_metadata_document_supported>("client_id_metadata_document_supported",
                                                                    "True: a client id may be the address of a document."),
      field<&ServerMetadata::authorization_response_iss_parameter_supported>("authorization_response_iss_parameter_supported",
                                                                             "True: each redirect names the issuer (RFC 9207)."));
};

struct RegistrationRequest {
  std::string client_name{};
  Texts redirect_uris{};
  Texts grant_types{};
  Texts response_types{};
  std::string token_endpoint_auth_method{};
  std::string application_type{};
  static constexpr auto wire =
      fields(field<&RegistrationRequest::client_name>("client_name", "Name for people."),
             field<&RegistrationRequest::redirect_uris>("redirect_uris", "Addresses for the redirect after a login."),
             field<&RegistrationRequest::grant_types>("grant_types", "Grants of the client."),
             field<&RegistrationRequest::response_types>("response_types", "Response types of the client."),
             field<&RegistrationRequest::token_endpoint_auth_method>("token_endpoint_auth_method",
                                                                     "Way of the client to identify itself."),
             field<&RegistrationRequest::application_type>("application_type", "Always native: a program on a machine."));
};

struct RegistrationAnswer {
  std::string client_id{};
  std::optional<std::string> client_secret{};
  std::optional<std::string> token_endpoint_auth_method{};
  std::optional<std::int64_t> client_secret_expires_at{};
  static constexpr auto wire = fields(field<&RegistrationAnswer::client_id>("client_id", "Id of the client."),
                                      field<&RegistrationAnswer::client_secret>("client_secret", "Secret of the client."),
                                      field<&RegistrationAnswer::token_endpoint_auth_method>(
                                          "token_endpoint_auth_method", "Way of the client to identify itself."),
                                      field<&RegistrationAnswer::client_secret_expires_at>(
                                          "client_secret_expires_at", "End of the secret in seconds since 1970. 0: no end."));
};

struct TokenAnswer {
  std::string access_token{};
  std::string token_type{};
  std::optional<std::int64_t> expires_in{};
  std::optional<std::string> refresh_token{};
  std::optional<std::string> scope{};
  static constexpr auto wire = fields(field<&TokenAnswer::access_token>("access_token", "The access token. Secret."),
                                      field<&TokenAnswer::token_type>("token_type", "Kind of the token: Bearer."),
                                      field<&TokenAnswer::expires_in>("expires_in", "Lifetime in seconds."),
                                      field<&TokenAnswer::refresh_token>("refresh_token", "Token for a new token."),
                                      field<&TokenAnswer::scope>("scope", "Granted scopes, if they differ from the request."));
};

struct ErrorAnswer {
  std::string error{};
  std::optional<std::string> error_description{};
  static constexpr auto wire = fields(field<&ErrorAnswer::error>("error", "Code of the error."),
                                      field<&ErrorAnswer::error_description>("error_description", "Text for developers."));
};

// A login, as a file of the state folder stores it.
struct Login {
  std::string server{};
  std::string issuer{};
  std::string token_endpoint{};
  std::string resource{};
  std::string client_id{};
  std::optional<std::string> client_secret{};
  std::string client_method{};
  std::optional<std::string> redirect_uri{};
  std::optional<std::string> access_token{};
  std::optional<std::string> refresh_token{};
  std::optional<std::int64_t> expires_at{};
  std::string scope{};
  static constexpr auto wire = fields(
      field<&Login::server>("server", "Address of the MCP server."),
      field<&Login::issuer>("issuer", "Authorization server. Its client id, secret and tokens are for it alone."),
      field<&Login::token_endpoint>("token_endpoint", "Address for token requests."),
      field<&Login::resource>("resource", "Identifier of the MCP server in requests.").or_default(),
      field<&Login::client_id>("client_id", "Id of parlance at the authorization server."),
      field<&Login::client_secret>("client_secret", "Secret of the client. Secret."),
      field<&Login::client_method>("client_method", "none, client_secret_basic or client_secret_post."),
      field<&Login::redirect_uri>("redirect_uri", "Registered address of the redirect. Absent: not registered by parlance."),
      field<&Login::access_token>("access_token", "Secret. Absent: registered, but not logged in."),
      field<&Login::refresh_token>("refresh_token", "The refresh token. Secret."),
      field<&Login::expires_at>("expires_at", "End of the token in seconds since 1970. Absent: unknown."),
      field<&Login::scope>("scope", "Scopes of the login request.").or_default());
};

}  // namespace parlance::oauth
