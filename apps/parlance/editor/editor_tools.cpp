// SPDX-License-Identifier: Apache-2.0
// parlance editor tools: the editor's window as an MCP server on stdin and stdout.
#include <chrono>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/editor/near_window.h"
#include "parlance/face/ide/editor_over_mcp.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

// Serves without a window too, because a window may start later: agents keep a started server, and drop a server that ends.
int serve_tools() {
  Loop loop;
  auto window = NearWindow::find(loop, {});
  if (!window) return complain(window.error(), ExitCode::usage);
  loop.block_on((*window)->look());
  mcp::Server server(loop, {.info = {.name = "parlance-editor", .version = PARLANCE_VERSION, .title = "The person's editor"},
                            .instructions = std::string(face::editor_tools_instructions())});
  face::serve_editor_tools(server, (*window)->editor());
  auto stream = stdio_stream(loop);
  if (!stream) return complain(stream.error());
  const Error end = loop.block_on(
      server.serve(framed_stream(loop, *std::move(stream), line_framing(), {.stall = std::chrono::milliseconds(0)})));
  return end.code == Errc::disconnected ? ExitCode::done : complain(end);
}

}  // namespace

Action declare_editor_tools(CLI::App&) {
  return [](const Settings&, const Words&) { return serve_tools(); };
}

}  // namespace parlance::app
