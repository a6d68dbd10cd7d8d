// SPDX-License-Identifier: Apache-2.0
// The Claude host driver against the Claude frontend over a pipe in memory, with a scripted agent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/claude/events.h"
#include "parlance/face/claude/hub_over_claude.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {

// Collects the host's input: lines, and their events.
struct HostSide final : claude::HostHandler, driver::ClaudeEvents::Sink {
  void on_line(const claude::StreamLine& line) override {
    kinds.push_back(std::string(line.type) + (line.subtype.empty() ? "" : "/" + std::string(line.subtype)));
    lines.emplace_back(line.json);
    events.line(line);
  }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
    asked.push_back(request);
    while (silent) co_await never_.wait();
    if (request.tool_name == "AskUserQuestion") {
      json::Value input = *json::parse(request.input.json);
      json::Object answers;
      answers.set("Which one?", "Blue");
      input.object()->set("answers", std::move(answers));
      co_return claude::PermissionResult{claude::Allow{.updated_input = {json::to_text(input)}}};
    }
    co_return answer;
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback request) override {
    hooks.push_back(request.input.json);
    called.push_back(request.callback_id);
    co_return wire::Raw{hook_output};
  }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override {
    co_return wire::Raw{R"({"subtype":")" + subtype + R"(","with":)" + request.json + "}"};
  }
  bool congested() const override { return reads != nullptr; }
  Task<void> wait_writable() override {
    while (reads != nullptr) co_await reads->wait();
  }
  void emit(hub::EventBody body) override {
    if (const auto* piece = std::get_if<hub::event::Text>(&body)) text += piece->text;
    if (const auto* piece = std::get_if<hub::event::ThinkingContent>(&body)) thought += piece->text;
    if (const auto* end = std::get_if<hub::event::ToolEnd>(&body)) ends.push_back(end->state);
    if (const auto* start = std::get_if<hub::event::ToolStart>(&body)) inputs.push_back(start->input_json);
  }
  void session(std::string_view id) override { session_id = id; }
  void permission_mode(std::string_view mode) override { modes.emplace_back(mode); }
  void answered(const json::Value&) override {}
  void result(claude::TurnResult result) override { results.push_back(std::move(result)); }

  explicit HostSide(Loop& loop) : never_(loop) {}
  bool silent = false;      // requests get no answer
  Signal* reads = nullptr;  // blocks reads until set and cleared
  driver::ClaudeEvents events{*this};
  claude::PermissionResult answer{claude::Allow{}};
  std::string hook_output = "{}";
  std::string text;
  std::string thought;
  std::string session_id;
  std::vector<std::string> kinds;
  std::vector<std::string> lines;
  std::vector<std::string> modes;
  std::vector<std::string> inputs;
  std::vector<std::string> hooks;
  std::vector<std::string> called;
  std::vector<hub::ToolEndState> ends;
  std::vector<claude::CanUseTool> asked;
  std::vector<claude::TurnResult> results;

 private:
  Signal never_;
};

struct HubOverClaude : ::testing::Test {
  void serve(bool one_byte = false, bool partial = true, bool asks = true, hub::PromptOptions options = {}) {
    conversation = bench.conversation();
    ClaudeFrontendSettings with = settings;
    with.conversation = conversation;
    with.session_id = "00000000-0000-4000-8000-000000000001";
    with.version = "1";
    with.partial_messages = partial;
    with.relay = relay;
    with.output = output;
    with.options = std::move(options);
    with.asks = asks && settings.asks;
    auto [near, far] = memory_pair(bench.loop, {.one_byte_reads = one_byte});
    host = std::make_unique<claude::Host>(bench.loop, framed_stream(bench.loop, std::move(near), line_framing()), side);
    const auto run_host = [](claude::Host& host) -> Task<void> { static_cast<void>(co_await host.run()); };
    const auto run_frontend = [](Task<ClaudeServed> frontend, bool& over) -> Task<void> {
      static_cast<void>(co_await std::move(frontend));
      over = true;
    };
    scope.start(run_host(*host));
    scope.start(run_frontend(
        serve_hub_over_claude(bench.loop, *bench.hub, framed_stream(bench.loop, std::move(far), line_framing()), std::move(with)),
        ended));
  }
  void settle() {
    for (int i = 0; i < 50; ++i) {
      while (bench.loop.run_ready()) {}
      bench.loop.advance(std::chrono::milliseconds(20));
    }
  }
  void prompt(std::string_view text) {
    ASSERT_TRUE(host->send_text(text));
    settle();
  }
  ~HubOverClaude() override {
    scope.cancel();
    host.reset();
  }

  hub::test::Bench bench;
  ClaudeFrontendSettings settings{.asks = true};  // defaults for `serve`
  adapter::ClaudeRelay of_claude{bench.loop};
  adapter::ClaudeRelay* relay = nullptr;        // or `of_claude`
  toolbox::StructuredOutput* output = nullptr;  // optional, from the test
  HostSide side{bench.loop};
  std::string conversation;
  std::unique_ptr<claude::Host> host;
  bool ended = false;
  Scope scope{bench.loop};
};

}  // namespace parlance::face
