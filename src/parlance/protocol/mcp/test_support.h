// SPDX-License-Identifier: Apache-2.0
// A server with a few objects, and lines of text to and from it: the base of this folder's tests.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/mcp/server.h"
#include "tests/support/linked_peers.h"

namespace parlance::mcp::test {

using parlance::test::Link;

struct Sum {
  std::int64_t value = 0;
  static constexpr auto wire = fields(field<&Sum::value>("value", "The sum."));
};
struct Addends {
  std::int64_t a = 0;
  std::int64_t b = 0;
  static constexpr auto wire = fields(field<&Addends::a>("a", "One."), field<&Addends::b>("b", "The other.").or_default());
};

struct Watched {
  int running = 0;
  int stopped = 0;
  std::vector<std::string> subscriptions;
};

inline CallToolResult says(std::string what) {
  CallToolResult result;
  result.content.emplace().push_back(text(std::move(what)));
  return result;
}

inline void fill(Server& server, Watched& watched) {
  server.tool<Addends, Sum>({.name = "add", .title = "Add"}, [](Addends& in, Request&) -> Task<Result<Sum>> {
    if (in.a == 13) co_return fail(Errc::failed, "13 is not added");
    co_return Sum{.value = in.a + in.b};
  });
  server.add({.name = "wait"}, [&](Raw, Request& request) -> Task<Result<CallToolResult>> {
    struct Count {
      Watched& of;
      explicit Count(Watched& w) : of(w) { ++of.running; }
      ~Count() {
        --of.running;
        ++of.stopped;
      }
    } count(watched);
    request.progress(1);
    Signal never(server.loop());
    co_await never.wait();
    co_return says("never");
  });
  server.add({.name = "steps"}, [](Raw, Request& request) -> Task<Result<CallToolResult>> {
    request.progress(1, 3, "one");
    request.progress(1, 3, "not more than before");
    request.progress(2, 3);
    request.log("debug", "details");
    request.log("warning", "careful");
    co_return says("done");
  });
  server.add({.name = "ask"}, [](Raw, Request& request) -> Task<Result<CallToolResult>> {
    const std::string before = request.kept().value_or("nothing");
    request.keep("begun");
    PARLANCE_CO_TRY(name, co_await request.elicit("name", {.message = "Who?", .requested_schema = {R"({"type":"object"})"}}));
    PARLANCE_CO_TRY(color, co_await request.elicit("color", {.message = "Which?", .requested_schema = {R"({"type":"object"})"}}));
    co_return says(before + " " + name.content.json + color.content.json);
  });
  server.add(Resource{.uri = "test://a", .name = "a"},
             [](std::string uri, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               co_return std::vector{ResourceContents{.uri = uri, .text = "text of a"}};
             });
  server.add(ResourceTemplate{.uri_template = "test://{kind}/items{?limit}", .name = "items"},
             [](std::string uri, Variables v, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               if (v["kind"] == "none") co_return fail(Errc::not_found, "no such kind");
               co_return std::vector{ResourceContents{.uri = uri, .text = v["kind"] + " " + v["limit"]}};
             });
  server.add(Prompt{.name = "greet", .arguments = std::vector{PromptArgument{.name = "who", .required = true}}},
             [](Variables a, Request&) -> Task<Result<GetPromptResult>> {
               GetPromptResult result;
               result.messages.emplace().push_back({.role = Role::user, .content = text("Hello " + a["who"])});
               co_return result;
             });
  server.on_complete([](CompleteParams asked, Request&) -> Task<Result<Completion>> {
    Completion all;
    for (int i = 0; i < 150; ++i) all.values.push_back(asked.argument.value + std::to_string(i));
    co_return all;
  });
  server.on_subscription(
      [&](const std::string& uri, bool wanted) { watched.subscriptions.push_back((wanted ? "+" : "-") + uri); });
}

inline ServerSettings settings() { return {.info = {.name = "test", .version = "1"}}; }

// A client of the server that writes and reads lines.
class Lines {
 public:
  explicit Lines(Link link = Link::memory) : server(loop, settings()), scope_(loop) {
    fill(server, watched);
    connect(link);
  }
  ~Lines() { scope_.cancel(); }

  void connect(Link link = Link::memory) {
    scope_.cancel();
    lines.clear();
    auto [near, far] = parlance::test::make_link(loop, link);
    scope_.start(serve(server, framed_stream(loop, std::move(far), line_framing())));
    client_ = framed_stream(loop, std::move(near), line_framing());
    scope_.start(read(*client_, lines));
  }

  void send(std::string_view line) {
    ASSERT_TRUE(client_->send(line));
    while (loop.run_ready()) {}
  }
  void hang_up() {
    client_->close();
    while (loop.run_ready()) {}
  }
  // Output since the last call.
  std::vector<json::Value> received() {
    while (loop.run_ready()) {}
    std::vector<json::Value> all;
    for (const std::string& line : std::exchange(lines, {})) {
      auto value = json::parse(line);
      EXPECT_TRUE(value) << line;
      if (value) all.push_back(*std::move(value));
    }
    return all;
  }
  // The single message of the output.
  json::Value ask(std::string_view line) {
    send(line);
    auto all = received();
    EXPECT_EQ(all.size(), 1U) << line;
    return all.empty() ? json::Value{} : std::move(all.back());
  }
  json::Value ask(std::string_view method, std::string_view parameters, bool modern) {
    std::string members(parameters);
    if (modern) members += (members.empty() ? "" : ",") + std::string(envelope);
    return ask(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
               members + "}}");
  }
  void initialize(std::string_view version = "2025-11-25") {
    ask("initialize",
        R"("protocolVersion":")" + std::string(version) +
            R"(","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"})",
        false);
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  static constexpr std::string_view envelope =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

  Loop loop{Loop::Time::virtual_};
  Watched watched;
  Server server;
  std::vector<std::string> lines;

 private:
  static Task<void> serve(Server& server, std::unique_ptr<Frames> frames) {
    static_cast<void>(co_await server.serve(std::move(frames)));
  }
  static Task<void> read(Frames& frames, std::vector<std::string>& into) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) into.emplace_back(frame);
    }
  }
  int id_ = 0;
  std::unique_ptr<Frames> client_;
  Scope scope_;
};

// The value at a path of names and indices as text, or "(absent)".
inline std::string at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* here = &value;
  for (const std::string_view name : path) {
    if (const json::Array* array = here->array()) {
      const auto index = static_cast<std::size_t>(std::stoul(std::string(name)));
      if (index >= array->size()) return "(absent)";
      here = &(*array)[index];
    } else {
      here = here->find(name);
      if (here == nullptr) return "(absent)";
    }
  }
  return here->text() != nullptr ? *here->text() : json::to_text(*here);
}

}  // namespace parlance::mcp::test
