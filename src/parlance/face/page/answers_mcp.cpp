// SPDX-License-Identifier: Apache-2.0
// MCP servers on the page.
#include <string>

#include "parlance/face/page/answers.h"

namespace parlance::face {
namespace {

constexpr std::string_view no_mcp = "this host has no MCP servers of its own";

}  // namespace

auto PageAnswers::perform(page::GetMcpServers&, hub::UserHub& hub) -> Answered<page::GetMcpServers> {
  if (mcp_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_mcp));
  co_return mcp_->servers(hub.check(hub::Permission::administer).has_value());
}

auto PageAnswers::perform(page::ChangeMcpServer& m, hub::UserHub&) -> Answered<page::ChangeMcpServer> {
  if (mcp_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_mcp));
  co_return co_await mcp_->change(m);  // A copy: the answer needs the id of the request.
}

}  // namespace parlance::face
