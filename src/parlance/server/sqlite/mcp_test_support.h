// SPDX-License-Identifier: Apache-2.0
// For tests: databases behind an MCP server, and a client of either era that writes and reads lines.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/mcp/test_support.h"
#include "parlance/server/sqlite/sqlite_over_mcp.h"
#include "parlance/sqlite/test_support.h"
#include "tests/support/linked_peers.h"

namespace parlance::server::test {

using namespace std::chrono_literals;
using mcp::test::at;
using parlance::test::Link;

enum class Era { legacy, modern };

inline std::string in_quotes(std::string_view text) {
  std::string out;
  json::write_text(out, text);
  return out;
}

class McpLines {
 public:
  McpLines(Loop& loop, mcp::Server& server, Era era, Link link = Link::memory, bool can_ask = true)
      : loop_(loop), era_(era), can_ask_(can_ask), scope_(loop) {
    auto [near, far] = parlance::test::make_link(loop, link);
    scope_.start(serve(server, framed_stream(loop, std::move(far), line_framing())));
    frames_ = framed_stream(loop, std::move(near), line_framing());
    scope_.start(read());
    if (era == Era::modern) return;
    ask("initialize",
        R"("protocolVersion":"2025-11-25","capabilities":)" + capabilities() + R"(,"clientInfo":{"name":"t","version":"1"})");
    notify("notifications/initialized", "");
  }
  ~McpLines() { scope_.cancel(); }

  // `members`: of params, without the envelope.
  std::string begin(std::string_view method, std::string members, std::string_view progress_token = {}) {
    const std::string id = std::to_string(++last_id_);
    std::string meta;
    if (era_ == Era::modern)
      meta = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/logLevel":"info",)"
             R"("io.modelcontextprotocol/clientCapabilities":)" +
             capabilities();
    if (!progress_token.empty())
      meta += (meta.empty() ? "" : ",") + std::string(R"("progressToken":)") + in_quotes(progress_token);
    if (!meta.empty()) members += (members.empty() ? "" : ",") + std::string(R"("_meta":{)") + meta + "}";
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" + members + "}}");
    return id;
  }
  json::Value reply(const std::string& id) {
    until([&] { return replies_.contains(id); }, "the reply");
    auto node = replies_.extract(id);
    return node ? std::move(node.mapped()) : json::Value{};
  }
  bool has_reply(const std::string& id) const { return replies_.contains(id); }
  json::Value ask(std::string_view method, std::string members) { return reply(begin(method, std::move(members))); }
  void notify(std::string_view method, std::string_view members) {
    send(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{)" + std::string(members) + "}}");
  }
  void send(std::string_view line) { EXPECT_TRUE(frames_->send(line)); }

  std::string begin_call(std::string_view tool, std::string_view arguments, std::string_view progress_token = {}) {
    return begin("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":{)" + std::string(arguments) + "}",
                 progress_token);
  }
  json::Value call(std::string_view tool, std::string_view arguments) { return reply(begin_call(tool, arguments)); }

  // The server's notifications and requests.
  std::deque<json::Value> received;
  std::size_t count_received(std::string_view method) const {
    std::size_t count = 0;
    for (const json::Value& message : received) count += at(message, {"method"}) == method ? 1 : 0;
    return count;
  }
  // The next message of this kind; earlier messages stay.
  json::Value receive(std::string_view method) {
    until([&] { return count_received(method) != 0; }, std::string(method));
    for (auto message = received.begin(); message != received.end(); ++message)
      if (at(*message, {"method"}) == method) {
        json::Value found = std::move(*message);
        received.erase(message);
        return found;
      }
    return {};
  }

  void until(const std::function<bool()>& condition, const std::string& what) {
    if (!loop_.run_until(condition)) throw std::runtime_error("waited too long for " + what);
  }

 private:
  std::string capabilities() const { return can_ask_ ? R"({"elicitation":{}})" : "{}"; }
  static Task<void> serve(mcp::Server& server, std::unique_ptr<Frames> frames) {
    static_cast<void>(co_await server.serve(std::move(frames)));
  }
  Task<void> read() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        auto value = json::parse(frame);
        EXPECT_TRUE(value) << frame;
        if (!value) continue;
        if (value->find("method") != nullptr) received.push_back(*std::move(value));
        else {
          auto id = at(*value, {"id"});
          replies_.insert_or_assign(std::move(id), *std::move(value));
        }
      }
    }
  }

  Loop& loop_;
  const Era era_;
  const bool can_ask_;
  int last_id_ = 0;
  std::map<std::string, json::Value> replies_;
  std::unique_ptr<Frames> frames_;
  Scope scope_;
};

// Both eras, and the framing in its hardest form.
class SqliteMcpTest : public sqlite::test::EngineTest, public testing::WithParamInterface<std::tuple<Era, Link>> {
 protected:
  static Era era() { return std::get<0>(GetParam()); }
  ~SqliteMcpTest() override { end(); }

  void begin(SqliteMcpSettings settings = {}, sqlite::EngineSettings engine_settings = {}, bool can_ask = true) {
    end();
    engine_settings.paths.relative_paths = false;
    start(std::move(engine_settings));
    server = std::make_unique<mcp::Server>(loop, mcp::ServerSettings{.info = {.name = "sqlite-helper", .version = "1"}});
    over = std::make_unique<SqliteOverMcp>(*server, *engine, std::move(settings));
    client = std::make_unique<McpLines>(loop, *server, era(), std::get<1>(GetParam()), can_ask);
  }
  void end() {
    client.reset();
    over.reset();
    server.reset();
  }
  std::string on_db(std::string_view sql, std::string_view more = "") const {
    return R"("db_path":)" + in_quotes(db) + R"(,"sql":)" + in_quotes(sql) + std::string(more);
  }
  // The text of a tool's answer: its JSON, or "CODE: message".
  std::string text_of(const json::Value& answer) const { return at(answer, {"result", "content", "0", "text"}); }
  std::string reads(std::string_view sql, std::string_view more = "") {
    return text_of(client->call("read_query", on_db(sql, more)));
  }
  std::string writes(std::string_view sql, std::string_view more = "") {
    return text_of(client->call("write_query", on_db(sql, more)));
  }

  std::unique_ptr<mcp::Server> server;
  std::unique_ptr<SqliteOverMcp> over;
  std::unique_ptr<McpLines> client;
};

inline const auto both_eras =
    testing::Combine(testing::Values(Era::legacy, Era::modern), testing::Values(Link::memory, Link::memory_one_byte));
inline std::string era_name(const testing::TestParamInfo<std::tuple<Era, Link>>& info) {
  return std::string(std::get<0>(info.param) == Era::legacy ? "legacy" : "modern") +
         (std::get<1>(info.param) == Link::memory ? "" : "_one_byte");
}

}  // namespace parlance::server::test
