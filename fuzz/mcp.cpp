// SPDX-License-Identifier: Apache-2.0
// Any bytes as the input of a Model Context Protocol client: lines into a server with a few entries. The same bytes are the body,
// headers and schema of the HTTP side. Checks beyond "no crash": every answer is a line of JSON, and headers made from a schema
// pass the check.
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/validator.h"
#include "parlance/protocol/mcp/http_headers.h"
#include "parlance/protocol/mcp/lenient.h"
#include "parlance/protocol/mcp/message_frames.h"
#include "parlance/protocol/mcp/request_state.h"
#include "parlance/protocol/mcp/server.h"

namespace {

using namespace parlance;

void add_things(mcp::Server& server) {
  server.add({.name = "echo"}, [](mcp::Raw arguments, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
    request.progress(1);
    request.log("info", "called");
    mcp::CallToolResult result;
    result.content.emplace().push_back(mcp::text(arguments.json));
    co_return result;
  });
  server.add({.name = "ask"}, [](mcp::Raw, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
    PARLANCE_CO_TRY(answer, co_await request.elicit("q", {.message = "?"}));
    mcp::CallToolResult result;
    result.content.emplace().push_back(mcp::text(answer.content.json));
    co_return result;
  });
  server.add(mcp::ResourceTemplate{.uri_template = "test://{+path}/items/{id}{?limit}", .name = "items"},
             [](std::string uri, mcp::Variables, mcp::Request&) -> Task<Result<std::vector<mcp::ResourceContents>>> {
               co_return std::vector{mcp::ResourceContents{.uri = std::move(uri), .text = "x"}};
             });
}

void feed_server(BytesView bytes) {
  Loop loop(Loop::Time::virtual_);
  mcp::Server server(loop, {.info = {.name = "fuzz", .version = "1"}, .state_secret = "known"});
  add_things(server);
  auto route = std::make_shared<mcp::Route>();
  auto frames = std::make_unique<mcp::MessageFrames>(loop, "fuzz", route, [](const mcp::Route&, std::string frame) {
    PARLANCE_CHECK(json::is_valid(frame) && frame.find('\n') == std::string::npos, "an answer is one line of JSON");
  });
  mcp::MessageFrames& input = *frames;
  mcp::Session session(loop, server, std::move(frames), server.router(), {.route = route});
  const auto run = [](mcp::Session& one) -> Task<void> { static_cast<void>(co_await one.run()); };
  Scope scope(loop);
  scope.start(run(session));
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    if (end != 0) input.receive(std::string(bytes.substr(0, end)));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  while (loop.run_ready()) {}
}

void look_from_outside(BytesView bytes) {
  const auto message = mcp::outline(bytes);
  PARLANCE_CHECK(!message || json::is_valid(bytes), "only JSON has an outline");
  static_cast<void>(mcp::unseal(bytes, "s", "known"));
  const std::string header = mcp::header_text(bytes);
  if (json::check_utf8(bytes)) PARLANCE_CHECK(mcp::from_header_text(header) == bytes, "a header says what it was made from");

  // Up to the first line's end a schema, behind that arguments.
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const mcp::Raw schema{std::string(bytes.substr(0, end))};
  const auto mirrored = mcp::mirrored_arguments(schema);
  const std::string arguments(bytes.substr(std::min(end + 1, bytes.size())));
  if (!mirrored || mirrored->empty() || !json::parse(arguments)) return;
  mcp::Outline call{.method = "tools/call", .name = "t", .has_name = true, .arguments = arguments};
  std::vector<HttpHeader> headers = mcp::mirror_headers(*mirrored, arguments);
  headers.push_back({"Mcp-Method", "tools/call"});
  headers.push_back({"Mcp-Name", "t"});
  static_cast<void>(mcp::check_headers(headers, call, &schema));
}

// As a server's messages: a list of tools, and the result of a call.
void read_leniently(BytesView bytes) {
  if (!json::is_valid(bytes)) return;
  const mcp::Raw raw{std::string(bytes)};
  if (const auto page = mcp::read_page(raw, "tools"))
    for (const mcp::Raw& entry : page->entries)
      if (const auto tool = mcp::read_tool(entry)) {
        const auto schema = json::parse(tool->input_schema.json);
        PARLANCE_CHECK(!tool->name.empty() && schema && schema->object() != nullptr && schema::Validator::compile(*schema),
                       "a tool that is kept has a name and a valid schema");
      }
  if (const auto result = mcp::read_call_result(raw)) static_cast<void>(mcp::readable(*result));
  static_cast<void>(mcp::read_initialize(raw));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const BytesView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'L') read_leniently(bytes);
  else if (data[0] % 2 == 0) feed_server(bytes);
  else look_from_outside(bytes);
  return 0;
}
