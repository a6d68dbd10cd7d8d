// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/relay_end.h"

#include <utility>

#include "parlance/codec/json/value.h"

namespace parlance::driver {

void RelayEnd::enter(claude::Host& host, const std::optional<Error>& ended) {
  host_ = &host;
  ended_ = &ended;
  if (relay_ == nullptr) return;
  relay_->agent = this;
  relay_->to_agent = [this](claude::McpMessage message) { return to_agent(std::move(message)); };
  relay_->status = [this] { return status(); };
  relay_->request = [this](std::string subtype, wire::Raw request) { return requested(std::move(subtype), std::move(request)); };
}

void RelayEnd::leave() {
  if (relay_ == nullptr || relay_->agent != this) return;
  relay_->agent = nullptr;
  relay_->to_agent = {};
  relay_->status = {};
  relay_->request = {};
}

Task<Result<wire::Raw>> RelayEnd::other(std::string subtype, wire::Raw request) {
  if (relay_ == nullptr || !relay_->ask) co_return fail(claude::unsupported_request(subtype));
  co_return co_await relay_->ask(std::move(subtype), std::move(request));
}

Task<Result<claude::McpReply>> RelayEnd::mcp_message(claude::McpMessage message) {
  if (relay_ == nullptr || !relay_->to_host) co_return fail(Errc::not_found, "SDK MCP server not found: " + message.server_name);
  co_return co_await relay_->to_host(std::move(message));
}

Task<void> RelayEnd::until_the_host_reads() {
  if (relay_ == nullptr) co_return;
  while (relay_->host_is_slow) co_await relay_->host_reads.wait();
}

Result<void> RelayEnd::lives() const {
  if (*ended_) return fail(Errc::disconnected, "Claude Code has ended");
  return {};
}

Task<Result<claude::McpReply>> RelayEnd::to_agent(claude::McpMessage message) {
  PARLANCE_CO_TRY_DO(lives());
  co_return co_await host_->mcp_message(std::move(message));
}

Task<Result<wire::Raw>> RelayEnd::requested(std::string subtype, wire::Raw what) {
  PARLANCE_CO_TRY_DO(lives());
  json::Value members = json::parse_or_null(what.json);
  if (json::Object* const object = members.object())  // the envelope says it once more
    std::erase_if(object->members, [](const auto& member) { return member.first == "subtype"; });
  co_return co_await host_->request(std::move(subtype), {json::to_text(members)});
}

Task<Result<claude::McpStatus>> RelayEnd::status() {
  PARLANCE_CO_TRY_DO(lives());
  co_return co_await host_->mcp_status();
}

}  // namespace parlance::driver
