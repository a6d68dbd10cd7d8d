// SPDX-License-Identifier: Apache-2.0
// A server for the conformance suite and the SDKs' clients: over stdio, or with `--http` on a free port of 127.0.0.1, whose URL is its
// first line of output.
#include <cstdio>
#include <iostream>
#include <string_view>

#include "parlance/async/signals.h"
#include "parlance/protocol/mcp/http_endpoint.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"
#include "tests/peers/mcp/fixture.h"

int main(int count, char** arguments) {
  using namespace parlance;
  fill_standard_descriptors();
  Loop loop;
  mcp::Server server(loop, {.info = {.name = "parlance-fixture", .version = "1.0.0", .title = "A server for tests"},
                            .instructions = "For tests."});
  mcp::fixture::add_tools(server);
  mcp::fixture::add_prompts(server);
  mcp::fixture::add_resources(server);
  if (count > 1 && std::string_view(arguments[1]) == "--http") {
    mcp::HttpEndpoint endpoint(loop, server);
    auto http = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0},
                                   [&](HttpExchange& exchange) { return endpoint.handle(exchange); });
    if (!http) {
      std::cerr << http.error().message << '\n';
      return 1;
    }
    std::cout << "http://127.0.0.1:" << (*http)->port() << "/mcp" << '\n' << std::flush;
    loop.run();
    return 0;
  }
  auto stream = stdio_stream(loop);
  if (!stream) {
    std::cerr << stream.error().message << '\n';
    return 1;
  }
  loop.block_on(server.serve(framed_stream(loop, *std::move(stream), line_framing())));
  return 0;
}
