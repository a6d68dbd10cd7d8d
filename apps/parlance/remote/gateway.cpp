// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/remote/gateway.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/gateway_token.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/driver/acp/gateway_word.h"
#include "parlance/protocol/acp/client.h"

namespace parlance::app {
namespace {

constexpr auto longest_change = std::chrono::seconds(10);  // of a load balancer to another gateway
constexpr auto between_attempts = std::chrono::milliseconds(300);

// Of a gateway that is stopped, or of a load balancer that does not know it yet.
bool may_pass(const Error& why) { return why.code == Errc::disconnected || why.code == Errc::overloaded; }

// Without the address, which stands before it; of an error that a gateway answers with, its words.
std::string words_of(const Error& why, const GatewayAddress& at) {
  std::string words = why.message;
  if (words.starts_with(at.shown + ": ")) words.erase(0, at.shown.size() + 2);
  const std::size_t body = words.find(": {");
  if (body == std::string::npos) return words;
  const json::Value answer = json::parse_or_null(std::string_view(words).substr(body + 2));
  const json::Value* const error = answer.find("error");
  if (error == nullptr) return words;
  std::string said(error->text_or("message", ""));
  if (said.ends_with('.')) said.pop_back();  // it goes on
  return words.substr(0, body + 2) + said;
}

Error explained(Error why, const GatewayAddress& at) {
  std::string cure;
  switch (why.code) {
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
  why.message = "the gateway " + at.shown + ": " + words_of(why, at) + (cure.empty() ? "" : "; " + cure);
  return why;
}

Task<Result<std::unique_ptr<Frames>>> connect_to(Loop& loop, const Settings& settings, GatewayAddress at, std::string token_file,
                                                 std::shared_ptr<bool> was_there) {
  const TimePoint until = loop.now() + (*was_there ? Duration(longest_change) : Duration::zero());
  for (;;) {
    PARLANCE_CO_TRY(token, token_for(at, token_file, settings));
    auto frames = co_await acp::connect_to_agent(loop, at.url, {{.name = "Authorization", .value = "Bearer " + token}});
    if (frames) {
      *was_there = true;
      co_return frames;
    }
    if (!may_pass(frames.error()) || loop.now() >= until) co_return fail(explained(std::move(frames).error(), at));
    co_await sleep_for(loop, between_attempts);
  }
}

}  // namespace

void declare_gateway_flags(CLI::App& app, GatewayFlags& flags, bool with_folder) {
  app.add_option("--to", flags.to,
                 "Use the conversations and agents of this gateway, and nothing of this machine: wss://HOST[:PORT], "
                 "or ws:// within this machine or a tunnel.")
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
    : loop_(loop), settings_(settings), at_(std::move(at)), token_file_(std::move(token_file)) {}

Result<std::shared_ptr<Gateway>> Gateway::at(Loop& loop, const Settings& settings, const GatewayFlags& flags) {
  PARLANCE_TRY(to, GatewayAddress::parse(flags.to, clients_path));
  PARLANCE_TRY_DO(token_for(to, flags.token_file, settings));
  if (!flags.folder.empty() && !flags.folder.starts_with('/'))
    return fail(Errc::invalid_params,
                "--cwd: \"" + flags.folder + "\": with --to this is a path on the gateway, which begins with a slash");
  if (to.in_clear)
    std::fprintf(stderr, "parlance: the token and all messages to %s are unencrypted: use wss://\n", to.shown.c_str());
  return std::make_shared<Gateway>(loop, settings, std::move(to), flags.token_file);
}

Task<Result<std::unique_ptr<Frames>>> Gateway::connect() { return connect_to(loop_, settings_, at_, token_file_, was_there_); }

driver::AcpAgentSettings Gateway::agent_settings(const std::string& id) const {
  driver::AcpAgentSettings agent{.id = id, .name = id.empty() ? at_.shown : id};
  agent.connect = [&loop = loop_, &settings = settings_, at = at_, file = token_file_, was_there = was_there_] {
    return connect_to(loop, settings, at, file, was_there);
  };
  agent.files = agent.terminals = false;
  agent.gateway = side_;
  agent.language = language_of_locale();
  agent.version = PARLANCE_VERSION;
  if (!id.empty()) agent.session_meta = json::to_text(acp::SessionWishMeta{.parlance = acp::SessionWish{.agent = id}});
  return agent;
}

Task<Result<acp::GatewayWord>> Gateway::ask() {
  auto word = co_await driver::ask_gateway(loop_, agent_settings(""));
  if (word || word.error().message.contains(at_.shown + ":")) co_return word;
  co_return fail(explained(std::move(word).error(), at_));
}

std::unique_ptr<hub::AgentProvider> Gateway::agent(const std::string& id) const {
  return driver::agent_via_acp(loop_, agent_settings(id));
}

Result<acp::OfferedAgent> Gateway::choose(const acp::GatewayWord& word, const std::string& agent) {
  std::string names;
  for (const acp::OfferedAgent& one : word.agents) {
    if (agent.empty() || one.id == agent) return one;
    names += (names.empty() ? "" : ", ") + one.id;
  }
  if (names.empty()) return fail(Errc::not_found, "the gateway has no agent yet: start one there");
  return fail(Errc::invalid_params, "the gateway has no agent \"" + agent + "\"; there are " + names);
}

}  // namespace parlance::app
