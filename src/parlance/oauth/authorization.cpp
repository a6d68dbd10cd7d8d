// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/authorization.h"

#include <chrono>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/oauth/assertion.h"
#include "parlance/oauth/discovery.h"
#include "parlance/oauth/limits.h"
#include "parlance/transport/http/presentable.h"
#include "parlance/transport/whole_file.h"

namespace parlance::oauth {
namespace {

// A server that refuses a token of this age does not accept tokens of its authorization server; a new token would not help.
constexpr auto just_issued = std::chrono::seconds(10);
constexpr std::string_view first_request =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parlance","version":"1"}}})";

std::int64_t now_seconds() { return std::chrono::floor<std::chrono::seconds>(wall_now()).time_since_epoch().count(); }

bool is_document_address(std::string_view client_id) { return client_id.starts_with("https://"); }

}  // namespace

// One login or refresh at a time: parallel refusals lead to one.
class Authorization::Turn {
 public:
  explicit Turn(Authorization& of) : of_(of) { of_.is_busy_ = true; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    of_.is_busy_ = false;
    of_.free_.notify_all();
  }

 private:
  Authorization& of_;
};

Authorization::Authorization(Loop& loop, AuthorizationSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      server_(parse_address(settings_.url)),
      file_(settings_.state_folder, settings_.url),
      http_(loop),
      free_(loop) {}

// ---- the stored login

bool Authorization::is_expired() const {
  return has_token() && login_->expires_at &&
         now_seconds() + std::chrono::seconds(limits::oauth_early).count() >= *login_->expires_at;
}

std::string Authorization::header() const { return "Bearer " + login_->access_token.value_or(""); }

Result<void> Authorization::load() {
  if (file_.path().empty()) return {};
  PARLANCE_TRY(stored, file_.load());
  login_ = std::move(stored);
  return {};
}

Result<void> Authorization::save(Login login) {
  login_ = std::move(login);
  token_since_ = loop_.now();
  return file_.save(*login_);
}

// ---- requests of the connection

Task<Result<void>> Authorization::authorize(HttpRequest& request) {
  if (!std::exchange(is_loaded_, true)) PARLANCE_CO_TRY_DO(load());
  if (is_expired() && can_renew()) {
    while (is_busy_) co_await free_.wait();
    const Turn turn(*this);
    // A failure shows in the response of the server, and `refused` has its reason.
    if (is_expired()) static_cast<void>(co_await renew());
  }
  std::erase_if(request.headers,
                [](const HttpHeader& http_header) { return equal_ignoring_case(http_header.name, "Authorization"); });
  if (has_token() && server_ && check_protected(*server_)) request.headers.push_back({"Authorization", header()});
  co_return Result<void>{};
}

Task<Result<bool>> Authorization::refused(const HttpRequest& sent, const HttpResponse& response) {
  while (is_busy_) co_await free_.wait();
  const Turn turn(*this);
  if (!server_) co_return std::unexpected(server_.error());
  PARLANCE_CO_TRY_DO(check_protected(*server_));
  const Challenge challenge = token_challenge(response.headers);
  const bool is_step_up = response.status == 403;
  if (is_step_up && challenge.parameter("error") != "insufficient_scope") co_return false;
  PARLANCE_CO_TRY_DO(load());
  const std::string* const used = find_header(sent.headers, "Authorization");
  // Another request or process has renewed the login since.
  if (has_token() && (used == nullptr || *used != header())) co_return true;
  if (!settings_.open_page && (is_step_up || !can_renew()) && !settings_.is_service)
    co_return std::unexpected(refusal(response.status, challenge));

  PARLANCE_CO_TRY(found, co_await discover(challenge));
  const std::string scope = scope_for(found, challenge);
  const bool is_fresh = has_token() && loop_.now() - token_since_ < just_issued;
  // The same request would have the same result.
  if (is_step_up ? login_ && has_scopes(login_->scope, scope) : is_fresh)
    co_return std::unexpected(refusal(response.status, challenge));
  if (!is_step_up && !settings_.is_service && can_renew()) {
    PARLANCE_CO_TRY(renewed, co_await renewed_after_refusal());
    if (renewed) co_return true;
  }
  if (settings_.is_service) PARLANCE_CO_TRY_DO(co_await ask_service(found, scope));
  else if (settings_.open_page) PARLANCE_CO_TRY_DO(co_await ask_person(found, scope));
  else co_return std::unexpected(refusal(response.status, challenge));
  co_return true;
}

Error Authorization::refusal(int status, const Challenge& challenge) const {
  std::string text = std::to_string(status) + ": ";
  if (status == 403) {
    text += "the login does not suffice";
    if (const std::string_view scope = challenge.parameter("scope"); !scope.empty())
      text += ", the server demands " + visible_line(scope.substr(0, 200));
  } else {
    text += has_token() ? "the server refuses the stored login" : "the server requires a login";
  }
  return {.code = Errc::denied, .message = text + (settings_.hint.empty() ? "" : ". " + settings_.hint)};
}

Task<Result<void>> Authorization::log_in() {
  while (is_busy_) co_await free_.wait();
  const Turn turn(*this);
  if (!server_) co_return std::unexpected(server_.error());
  PARLANCE_CO_TRY_DO(check_protected(*server_));
  PARLANCE_CO_TRY_DO(load());
  HttpRequest request{.method = "POST", .url = settings_.url, .body = std::string(first_request)};
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", "application/json, text/event-stream"});
  PARLANCE_CO_TRY(response, co_await send(std::move(request)));
  if (response.status / 100 == 2) co_return fail(Errc::failed, presentable(settings_.url) + " accepts requests without a login");
  const Challenge challenge = token_challenge(response.headers);
  PARLANCE_CO_TRY(found, co_await discover(challenge));
  const std::string scope = scope_for(found, challenge);
  co_return settings_.is_service ? co_await ask_service(found, scope) : co_await ask_person(found, scope);
}

// ---- documents

Task<Result<HttpResponse>> Authorization::send(HttpRequest request) {
  request.total_timeout = limits::oauth_request_time;
  request.body_limit = limits::oauth_body_bytes;
  request.follow_redirects = false;
  return http_.fetch(std::move(request));
}

// Absent: the server has no such document.
Task<Result<std::optional<std::string>>> Authorization::document(std::string url) {
  for (int redirects = 0;; ++redirects) {
    PARLANCE_CO_TRY_DO(check_named(*server_, url));
    HttpRequest request{.url = url};
    request.headers.push_back({"Accept", "application/json"});
    request.headers.push_back({"MCP-Protocol-Version", "2025-11-25"});
    PARLANCE_CO_TRY(response, co_await send(std::move(request)));
    if (response.status / 100 == 2) co_return std::optional(std::move(response.body));
    if (response.status / 100 == 4) co_return std::nullopt;
    const std::string* const next = find_header(response.headers, "Location");
    if (response.status / 100 != 3 || next == nullptr || redirects == limits::oauth_redirects)
      co_return fail(Errc::failed, url + ": HTTP status " + std::to_string(response.status));
    PARLANCE_CO_TRY(here, parse_address(url));
    url = next->starts_with('/') && !next->starts_with("//") ? here.origin() + *next : *next;
  }
}

Task<Result<Authorization::Found>> Authorization::discover(Challenge challenge) {
  Found found;
  bool has_document = false;
  for (const std::string& place : resource_metadata_places(*server_, challenge)) {
    PARLANCE_CO_TRY(text, co_await document(place));
    if (!text) continue;
    auto read = read_resource_metadata(*server_, *text);
    if (!read) co_return std::unexpected(std::move(read).error().in(place));
    found.resource = *std::move(read);
    has_document = true;
    break;
  }
  if (!has_document && !challenge.parameter("resource_metadata").empty())
    co_return fail(Errc::failed,
                   presentable(settings_.url) + " names metadata that does not exist. Report this to the operator of the server");
  const Texts issuers = found.resource.authorization_servers.value_or(Texts{});
  if (has_document && issuers.empty())
    co_return fail(Errc::failed,
                   presentable(settings_.url) + " names no authorization server. Report this to the operator of the server");
  // Servers before 2025-06-18 are their own authorization server.
  PARLANCE_CO_TRY(server, co_await server_metadata(has_document ? issuers.front() : server_->origin(), !has_document));
  found.server = std::move(server);
  if (!has_document) found.resource.resource = settings_.url;
  // Credentials of one issuer never go to another.
  if (login_ && login_->issuer != found.server.issuer) login_.reset();
  co_return found;
}

std::string Authorization::scope_for(const Found& found, const Challenge& challenge) const {
  if (!settings_.scope.empty()) return settings_.scope;
  return wanted_scope(challenge, found.resource, found.server, login_ ? login_->scope : std::string());
}

Task<Result<ServerMetadata>> Authorization::server_metadata(std::string issuer, bool has_fallback) {
  PARLANCE_CO_TRY(address, check_named(*server_, issuer));
  for (const std::string& place : server_metadata_places(address)) {
    PARLANCE_CO_TRY(text, co_await document(place));
    if (!text) continue;
    auto read = read_server_metadata(*server_, issuer, *text);
    if (!read) co_return std::unexpected(std::move(read).error().in(place));
    co_return read;
  }
  if (has_fallback) co_return fallback_metadata(*server_);
  co_return fail(Errc::failed,
                 "the authorization server " + issuer + " has no metadata. Report this to the operator of the server");
}

// ---- tokens

// Absent: the login is not stored. Programs share a login, and a server accepts each refresh token once.
Task<Result<std::optional<FileLock>>> Authorization::lock() {
  for (const TimePoint until = loop_.now() + limits::oauth_request_time; !file_.path().empty();) {
    PARLANCE_CO_TRY(taken, file_.try_lock());
    if (taken) co_return std::move(taken);
    if (loop_.now() >= until)
      co_return fail(Errc::deadline_exceeded,
                     "another program of parlance refreshes the login at " + presentable(settings_.url) + ". Try again");
    co_await sleep_for(loop_, limits::oauth_lock_interval);
  }
  co_return std::nullopt;
}

Task<Result<void>> Authorization::renew() {
  const std::optional<std::string> old_token = login_->access_token;
  PARLANCE_CO_TRY(held, co_await lock());
  PARLANCE_CO_TRY_DO(load());
  if (has_token() && login_->access_token != old_token && !is_expired()) co_return Result<void>{};  // by another program
  if (!can_renew()) co_return fail(Errc::denied, "the login at " + presentable(settings_.url) + " is over. " + settings_.hint);
  Login login = *login_;
  PARLANCE_CO_TRY_DO(check_named(*server_, login.token_endpoint));
  Result<HttpRequest> request = token_request(login, refresh_form(login));
  if (settings_.is_service) request = service_request(login);
  if (!request) co_return std::unexpected(std::move(request).error());
  PARLANCE_CO_TRY(response, co_await send(*std::move(request)));
  PARLANCE_CO_TRY_DO(take_tokens(login, response, now_seconds()));
  co_return save(std::move(login));
}

// False: a person has to log in again.
Task<Result<bool>> Authorization::renewed_after_refusal() {
  Result<void> renewed = co_await renew();
  if (renewed) co_return true;
  if (renewed.error().code != Errc::denied) co_return std::unexpected(std::move(renewed).error());
  if (!login_) co_return false;
  Login login = *login_;
  login.access_token.reset();
  login.refresh_token.reset();
  PARLANCE_CO_TRY_DO(save(std::move(login)));
  co_return false;
}

// A known registration at the same issuer stays; its tokens do not.
Login Authorization::new_login(const Found& found) const {
  Login login = login_.value_or(Login{});
  login.access_token.reset();
  login.refresh_token.reset();
  login.expires_at.reset();
  login.server = settings_.url;
  login.issuer = found.server.issuer;
  login.token_endpoint = found.server.token_endpoint;
  login.resource = found.resource.resource;
  return login;
}

Result<HttpRequest> Authorization::service_request(const Login& login) const {
  if (!settings_.workload_file.empty()) {
    PARLANCE_TRY(token, read_whole_file(settings_.workload_file));
    return token_request(login, workload_form(login, trim(token)));
  }
  Form form = client_credentials_form(login);
  if (login.client_method == key_method) {
    PARLANCE_TRY(key, P256Key::from_pem(settings_.client_key));
    PARLANCE_TRY_DO(add_assertion(form, key, login.client_id, login.issuer, now_seconds()));
  }
  return token_request(login, std::move(form));
}

Task<Result<void>> Authorization::ask_service(Found found, std::string scope) {
  Login login = new_login(found);
  login.client_id = settings_.client_id;
  login.client_secret = settings_.client_secret.empty() ? std::nullopt : std::optional(settings_.client_secret);
  login.client_method =
      settings_.client_key.empty() ? client_method(found.server, login.client_secret.has_value(), "") : std::string(key_method);
  login.scope = std::move(scope);
  PARLANCE_CO_TRY(request, service_request(login));
  PARLANCE_CO_TRY(response, co_await send(std::move(request)));
  PARLANCE_CO_TRY_DO(take_tokens(login, response, now_seconds()));
  co_return save(std::move(login));
}

Task<Result<void>> Authorization::register_client(const Found& found, Login& login, const std::string& redirect) {
  const bool is_document = is_document_address(settings_.client_id);
  if (!settings_.client_id.empty() && (!is_document || found.server.client_id_metadata_document_supported.value_or(false))) {
    login.client_id = settings_.client_id;
    login.client_secret = settings_.client_secret.empty() ? std::nullopt : std::optional(settings_.client_secret);
    login.client_method = client_method(found.server, login.client_secret.has_value(), "");
    login.redirect_uri = redirect;
    co_return Result<void>{};
  }
  if (!login.client_id.empty() && login.redirect_uri == redirect) co_return Result<void>{};
  if (!found.server.registration_endpoint)
    co_return fail(Errc::denied, "the authorization server " + found.server.issuer +
                                     " accepts no registration by programs. Register parlance there, and set client_id");
  const RegistrationRequest wanted = registration(found.server, redirect);
  HttpRequest request{.method = "POST", .url = *found.server.registration_endpoint, .body = json::to_text(wanted)};
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", "application/json"});
  PARLANCE_CO_TRY(response, co_await send(std::move(request)));
  co_return take_registration(login, wanted, response);
}

Task<Result<void>> Authorization::ask_person(Found found, std::string scope) {
  if (!settings_.open_page) co_return std::unexpected(refusal(401, {}));
  if (++logins_ > limits::oauth_logins)
    co_return fail(Errc::denied,
                   presentable(settings_.url) + " demands a further login after each login. Report this to its operator");
  if (found.server.authorization_endpoint.empty())
    co_return fail(Errc::denied, "the authorization server " + found.server.issuer + " has no login page");
  Login login = new_login(found);
  const LoginSecrets secrets = LoginSecrets::make();
  RedirectListener listener(loop_, secrets.state);
  // The port of the registration, because many servers compare the whole address.
  const unsigned short port =
      settings_.redirect_port != 0 ? settings_.redirect_port : port_of_redirect(login.redirect_uri.value_or(""));
  Result<void> listening = listener.listen(port);
  if (!listening && port != 0 && settings_.redirect_port == 0) listening = listener.listen(0);
  if (!listening) co_return std::unexpected(std::move(listening).error());
  PARLANCE_CO_TRY_DO(co_await register_client(found, login, listener.address()));
  login.scope = std::move(scope);
  PARLANCE_CO_TRY_DO(co_await settings_.open_page(authorization_url(found.server, login, secrets)));
  auto query = co_await with_deadline(loop_, loop_.now() + limits::oauth_login_time, listener.wait());
  if (!query) co_return fail(Errc::deadline_exceeded, "nobody logged in within 10 minutes. Start the login again");
  PARLANCE_CO_TRY(code, read_redirect(found.server, *query));
  PARLANCE_CO_TRY(response, co_await send(token_request(login, code_form(login, secrets, code))));
  PARLANCE_CO_TRY_DO(take_tokens(login, response, now_seconds()));
  co_return save(std::move(login));
}

}  // namespace parlance::oauth
