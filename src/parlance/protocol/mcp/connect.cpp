// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/connect.h"

#include <string>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/sse_frames.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/joined_lines.h"

namespace parlance::mcp {
namespace {

Result<std::unique_ptr<Client>> start_child(Loop& loop, const ChildSettings& settings, const ClientSettings& client_settings) {
  PARLANCE_TRY(child, ChildProcess::start(loop, settings));
  ChildProcess* const process = child.get();
  auto frames = framed_stream(loop, child->take_stream(), joined_line_framing());
  auto client =
      std::make_unique<Client>(loop, std::move(frames), client_settings, [process](Error) { return process->why_it_ended(); });
  client->owns(std::move(child));
  return client;
}

Task<Result<std::unique_ptr<Client>>> connect_sse(Loop& loop, HttpLinkSettings link, ClientSettings settings) {
  settings.era = Era::legacy;
  auto client = std::make_unique<Client>(loop, sse_frames(loop, std::move(link)), std::move(settings));
  client->over_sse = true;
  PARLANCE_CO_TRY_DO(co_await client->connect());
  co_return client;
}

}  // namespace

Task<Result<std::unique_ptr<Client>>> connect_child(Loop& loop, ChildSettings settings, ClientSettings client_settings) {
  if (!settings.on_stderr_line) {
    const std::string program = settings.command.empty() ? "" : settings.command.front();
    settings.on_stderr_line = [program](BytesView line) {
      log(LogLevel::debug, "a server says", {{"server", program}, {"line", std::string(line)}});
    };
  }
  auto client = start_child(loop, settings, client_settings);
  if (!client) co_return client;
  Result<void> connected = co_await (*client)->connect();
  if (!connected && (*client)->ended() && client_settings.era == Era::undecided) {
    // Some servers of the 2025 era end when the first message is not `initialize`.
    client_settings.era = Era::legacy;
    client = start_child(loop, settings, client_settings);
    if (!client) co_return client;
    connected = co_await (*client)->connect();
  }
  if (!connected) co_return std::unexpected(std::move(connected).error());
  co_return client;
}

// Tries Streamable HTTP, then HTTP+SSE: the advice of the specification for clients of older servers.
Task<Result<std::unique_ptr<Client>>> connect_http(Loop& loop, HttpLinkSettings link, ClientSettings settings) {
  if (link.way == HttpWay::sse) co_return co_await connect_sse(loop, std::move(link), std::move(settings));
  auto client = std::make_unique<Client>(loop, link, settings);
  const Result<void> connected = co_await client->connect();
  if (connected) co_return client;
  if (link.way == HttpWay::streamable || settings.era == Era::modern || !client->was_refused())
    co_return std::unexpected(connected.error());
  client.reset();
  auto older =
      co_await with_deadline(loop, loop.now() + limits::mcp_sse_time, connect_sse(loop, std::move(link), std::move(settings)));
  if (!older) co_return fail(Error(connected.error()).in("neither Streamable HTTP nor HTTP+SSE (" + older.error().message + ")"));
  co_return older;
}

}  // namespace parlance::mcp
