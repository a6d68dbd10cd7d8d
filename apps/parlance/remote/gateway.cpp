// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/remote/gateway.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/config/gateway_token.h"
#include "apps/parlance/config/running_gateway.h"
#include "parlance/async/cancel.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance::app {
namespace {

constexpr auto longest_change = std::chrono::seconds(10);  // of a load balancer to another gateway
constexpr auto between_attempts = std::chrono::milliseconds(300);
constexpr auto longest_look = std::chrono::seconds(2);  // for a gateway of this machine: it answers in milliseconds
constexpr std::size_t message_bytes = 64 << 20;         // a snapshot with thousands of conversations, or 4 MiB of events
constexpr std::string_view attachments_path = "/attachments/";

// A stopped gateway, or a load balancer without news of it.
bool may_pass(const Error& error) { return error.code == Errc::disconnected || error.code == Errc::overloaded; }

// The message without the address; for an error of the gateway, the message of the error.
std::string words_of(const Error& error, const GatewayAddress& at) {
  std::string words = error.message;
  if (words.starts_with(at.shown + ": ")) words.erase(0, at.shown.size() + 2);
  const std::size_t body = words.find(": {");
  if (body == std::string::npos) return words;
  const json::Value answer = json::parse_or_null(std::string_view(words).substr(body + 2));
  const json::Value* const inner = answer.find("error");
  if (inner == nullptr) return words;
  std::string said(inner->text_or("message", ""));
  if (said.ends_with('.')) said.pop_back();  // the sentence continues
  return words.substr(0, body + 2) + said;
}

Error explained(Error error, const GatewayAddress& at) {
  std::string cure;
  switch (error.code) {
    case Errc::denied:
      cure =
          "the token may be revoked, expired, mistyped or a runner's: `parlance tokens create USER` at the "
          "gateway makes another, for --token-file or PARLANCE_TOKEN. With wss://, this machine must trust the "
          "certificate";
      break;
    case Errc::not_found:
    case Errc::failed:
      cure = "is this the address of a parlance gateway, without a path? (A gateway of 127.0.0.1 is ws://127.0.0.1:55003)";
      break;
    case Errc::disconnected:
    case Errc::deadline_exceeded:
      cure = "check that the gateway runs and can be reached from here; `parlance doctor` there has details";
      break;
    case Errc::overloaded: cure = "no gateway is ready; try again in a moment"; break;
    default: break;
  }
  error.message = "the gateway " + at.shown + ": " + words_of(error, at) + (cure.empty() ? "" : "; " + cure);
  return error;
}

// A flag of the agent: a running gateway has its own setting.
bool has_own_settings(const Settings& settings) {
  constexpr std::string_view places[]{"state", "listen", "token", "config"};
  return std::ranges::any_of(all_settings(), [&](const SettingSpec& spec) {
    return std::ranges::find(places, spec.name) == std::end(places) && settings[spec.name].origin.starts_with("flag ");
  });
}

}  // namespace

void declare_gateway_flags(CLI::App& app, GatewayFlags& flags, bool with_folder) {
  app.add_option("--to", flags.to,
                 "Use the conversations and agents of this gateway, and nothing of this machine: wss://HOST[:PORT], "
                 "or ws:// within this machine or a tunnel. none: this process alone. Default: chat and run use your running "
                 "gateway on this machine, if there is one.")
      ->envname("PARLANCE_TO")
      ->type_name("URL");
  app.add_option("--token-file", flags.token_file, "File with the token for --to (mode 0600). Default: PARLANCE_TOKEN.")
      ->envname("PARLANCE_TOKEN_FILE")
      ->type_name("FILE");
  if (with_folder) app.add_option("--cwd", flags.folder, "With --to: working folder, a path on the gateway.")->type_name("DIR");
}

GatewayFlags gateway_of_environment() {
  return {.to = environment_variable("PARLANCE_TO").value_or(""),
          .token_file = environment_variable("PARLANCE_TOKEN_FILE").value_or("")};
}

Result<void> check_no_command(const std::vector<std::string>& command) {
  if (command.empty()) return {};
  return fail(Errc::invalid_params, "with --to the gateway chooses the agent: omit \"" + command.front() + "\", or --to");
}

Gateway::Gateway(Loop& loop, const Settings& settings, GatewayAddress at, std::string token_file)
    : report([](const std::string& line) { std::fprintf(stderr, "parlance: %s\n", line.c_str()); }),
      loop_(loop),
      settings_(settings),
      at_(std::move(at)),
      token_file_(std::move(token_file)),
      http_(loop),
      remote_(loop, {.connection = {.connect = [this] { return connect(); },
                                    .changed = [this](const Error* lost) { connection_changed(lost); }},
                     .attachment = [this](std::string id) { return attachment(std::move(id)); },
                     .service_changed = [this](const hub::ServiceInfo& service) { service_changed(service); }}) {}

void Gateway::service_changed(const hub::ServiceInfo& service) {
  const bool failed = service.state == hub::Health::down;
  if (service.name != "store" || std::exchange(store_failed_, failed) == failed) return;
  report(failed ? "the gateway cannot store conversations: " + service.detail + "; turns stop, and changes wait"
                : "the gateway stores conversations again");
}

Result<std::shared_ptr<Gateway>> Gateway::at(Loop& loop, const Settings& settings, const GatewayFlags& flags) {
  PARLANCE_TRY(to, GatewayAddress::parse(flags.to, page_path));
  PARLANCE_TRY_DO(token_for(to, flags.token_file, settings));
  if (!flags.folder.empty() && !flags.folder.starts_with('/'))
    return fail(Errc::invalid_params,
                "--cwd: \"" + flags.folder + "\": with --to this is a path on the gateway, which begins with a slash");
  if (to.in_clear)
    std::fprintf(stderr, "parlance: the token and all messages to %s are unencrypted: use wss://\n", to.shown.c_str());
  return std::make_shared<Gateway>(loop, settings, std::move(to), flags.token_file);
}

Task<std::shared_ptr<Gateway>> Gateway::running(Loop& loop, const Settings& settings) {
  if (has_own_settings(settings)) co_return nullptr;
  const auto address = GatewayAddress::parse(RunningGateway::find(state_folder(settings)), page_path);
  if (!address) co_return nullptr;
  auto found = std::make_shared<Gateway>(loop, settings, *address, "");
  found->is_own_ = true;
  if (!co_await with_deadline(loop, loop.now() + longest_look, found->start())) co_return nullptr;
  co_return found;
}

Task<Result<void>> Gateway::start() {
  if (is_started_) co_return Result<void>{};
  auto started = co_await remote_.start();
  is_started_ = started.has_value();
  if (started || started.error().message.contains(at_.shown + ":")) co_return started;
  co_return fail(explained(std::move(started).error(), at_));
}

Result<std::vector<HttpHeader>> Gateway::authorization() const {
  PARLANCE_TRY(token, token_for(at_, token_file_, settings_));
  return std::vector<HttpHeader>{{.name = "Authorization", .value = "Bearer " + token}};
}

Task<Result<std::unique_ptr<Frames>>> Gateway::connect() {
  const TimePoint until = loop_.now() + (was_there_ ? Duration(longest_change) : Duration::zero());
  for (;;) {
    PARLANCE_CO_TRY(headers, authorization());
    WebSocketClientSettings settings{
        .url = at_.url, .headers = std::move(headers), .message_bytes = message_bytes, .gathers = true};
    settings.subprotocols.emplace_back(page::subprotocol);
    auto socket = co_await connect_websocket(loop_, std::move(settings));
    if (socket) {
      was_there_ = true;
      co_return std::unique_ptr<Frames>(*std::move(socket));
    }
    if (!may_pass(socket.error()) || loop_.now() >= until) co_return fail(explained(std::move(socket).error(), at_));
    co_await sleep_for(loop_, between_attempts);
  }
}

// wss://HOST/team/ws serves attachments below https://HOST/team/attachments/.
Task<Result<std::optional<hub::Attachment>>> Gateway::attachment(std::string id) {
  PARLANCE_CO_TRY(headers, authorization());
  std::string url = "http" + at_.url.substr(2, at_.url.find('?') - 2);
  if (url.ends_with(page_path)) url.resize(url.size() - page_path.size());
  url += std::string(attachments_path) + id;
  PARLANCE_CO_TRY(response,
                  co_await http_.fetch({.url = std::move(url), .headers = std::move(headers), .follow_redirects = false}));
  if (response.status == 404) co_return std::nullopt;
  if (response.status != 200)
    co_return fail(Errc::failed,
                   at_.shown + " does not give the attachment " + id + ": status " + std::to_string(response.status));
  hub::Attachment found{.about = {.id = std::move(id), .bytes = response.body.size()}, .data = std::move(response.body)};
  if (const std::string* const type = find_header(response.headers, "Content-Type")) found.about.media_type = *type;
  co_return found;
}

void Gateway::connection_changed(const Error* lost) {
  report(lost == nullptr ? "connected to " + at_.shown + " again"
                         : "the connection to " + at_.shown + " ended (" + lost->message + "); connecting again");
}

std::map<std::string, std::string, std::less<>> Gateway::titles() {
  std::map<std::string, std::string, std::less<>> titles;
  for (hub::Conversation& known : hub().list({}).conversations) titles.emplace(std::move(known.id), std::move(known.title));
  return titles;
}

Result<hub::AgentInfo> Gateway::choose(const std::string& agent) {
  std::string names;
  for (hub::AgentInfo& known : hub().agents()) {
    if (agent.empty() || known.id == agent) return std::move(known);
    names += (names.empty() ? "" : ", ") + known.id;
  }
  if (names.empty()) return fail(Errc::not_found, "the gateway has no agent yet: start an agent there");
  return fail(Errc::invalid_params, "the gateway has no agent \"" + agent + "\"; there are " + names);
}

}  // namespace parlance::app
