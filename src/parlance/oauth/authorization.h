// SPDX-License-Identifier: Apache-2.0
// Authorization of one MCP server (MCP 2025-11-25 and 2026-07-28): finds its authorization server, registers, lets a person log in,
// and keeps the tokens fresh. Client id, secret and tokens belong to one issuer; at another issuer all of it starts again.
//
// Loop thread only. Must outlive its requests. Errors are sentences for the person; no error and no log line has a secret.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/oauth/address.h"
#include "parlance/oauth/challenge.h"
#include "parlance/oauth/grant.h"
#include "parlance/oauth/login_file.h"
#include "parlance/oauth/messages.h"
#include "parlance/oauth/redirect_listener.h"
#include "parlance/transport/http/http_authorizer.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::oauth {

struct AuthorizationSettings {
  std::string url{};            // of the MCP server
  std::string state_folder{};   // Empty: the login lives as long as the process.
  std::string hint{};           // for errors: "Run `parlance mcp login NAME`"
  std::string client_id{};      // Registered by a person, or the https address of a client metadata document. Empty: register.
  std::string client_secret{};  // of client_id
  std::string scope{};          // Replaces the scopes that the server demands. Empty: as the server demands.
  unsigned short redirect_port = 0;  // 0: a free port
  bool is_service = false;           // Logs in without a person: client_id with client_secret or client_key, or a workload.
  std::string client_key{};          // of client_id, in place of client_secret: a P-256 key in PEM
  std::string workload_file{};       // File with a token of the platform (JWT), read for each login. Empty: client credentials.
  // Shows the login page to a person. Null: no person is available, and a refusal is an error with the hint.
  std::function<Task<Result<void>>(std::string url)> open_page{};
};

class Authorization final : public HttpAuthorizer {
 public:
  Authorization(Loop& loop, AuthorizationSettings settings);

  Task<Result<void>> authorize(HttpRequest& request) override;
  Task<Result<bool>> refused(const HttpRequest& sent, const HttpResponse& response) override;
  // Logs in now. Errors: failed if the server requires no login.
  Task<Result<void>> log_in();

 private:
  struct Found {
    ResourceMetadata resource{};
    ServerMetadata server{};
  };
  class Turn;
  bool has_token() const { return login_ && login_->access_token; }
  bool can_renew() const { return login_ && (settings_.is_service || login_->refresh_token); }
  bool is_expired() const;
  std::string header() const;
  Result<void> load();
  Result<void> save(Login login);

  Task<Result<std::optional<std::string>>> document(std::string url);
  Task<Result<Found>> discover(Challenge challenge);
  Task<Result<ServerMetadata>> server_metadata(std::string issuer, bool has_fallback);
  Task<Result<std::optional<FileLock>>> lock();
  Task<Result<void>> renew();
  Task<Result<bool>> renewed_after_refusal();
  Task<Result<void>> ask_person(Found found, std::string scope);
  Task<Result<void>> ask_service(Found found, std::string scope);
  Result<HttpRequest> service_request(const Login& login) const;
  Task<Result<void>> register_client(const Found& found, Login& login, const std::string& redirect);
  Task<Result<HttpResponse>> send(HttpRequest request);
  Login new_login(const Found& found) const;
  std::string scope_for(const Found& found, const Challenge& challenge) const;
  Error refusal(int status, const Challenge& challenge) const;

  Loop& loop_;
  AuthorizationSettings settings_;
  Result<Address> server_;
  LoginFile file_;
  HttpClient http_;
  std::optional<Login> login_{};
  bool is_loaded_ = false;
  TimePoint token_since_{};
  int logins_ = 0;
  bool is_busy_ = false;
  Signal free_;
};

}  // namespace parlance::oauth
