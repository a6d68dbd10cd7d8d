// SPDX-License-Identifier: Apache-2.0
// An MCP server with one tool, over stdin and stdout: put its path into the configuration of any MCP client. The tables generate
// the schemas for clients, and the model receives the location of invalid arguments.
#include <algorithm>
#include <iostream>

#include "parlance/protocol/mcp/server.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

using namespace parlance;

struct Text {
  std::string text;
  static constexpr auto wire = wire::fields(wire::field<&Text::text>("text", "The text."));
};
struct Count {
  std::uint64_t words = 0;
  std::uint64_t bytes = 0;
  static constexpr auto wire = wire::fields(wire::field<&Count::words>("words", "Runs of other characters than blanks."),
                                            wire::field<&Count::bytes>("bytes", "In UTF-8."));
};

Task<Result<Count>> count_words(const Text& in) {
  Count count{.bytes = in.text.size()};
  char before = ' ';
  for (const char c : in.text) count.words += std::exchange(before, c) == ' ' && c != ' ';
  co_return count;
}

int main() {
  Loop loop;
  mcp::Server server(loop, {.info = {.name = "word-counter", .version = "1.0"}});
  server.tool<Text, Count>({.name = "count", .description = "Counts words and bytes of a text."},
                           [](const Text& in, mcp::Request&) { return count_words(in); });
  auto stream = stdio_stream(loop);
  if (!stream) return std::cerr << stream.error().message << '\n', 1;
  loop.block_on(server.serve(framed_stream(loop, *std::move(stream), line_framing())));
}
