// SPDX-License-Identifier: Apache-2.0
// For tests of our own tools: a folder with two files, commands that only say that they ran, a memory of the test's.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/store/test_folder.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/memory_test_support.h"

namespace parlance::toolbox::test {

class FakeRunner final : public workspace::CommandRunner {
 public:
  Task<Result<workspace::CommandResult>> run(workspace::CommandRequest request, hub::ToolOutputSink output) override {
    requests.push_back(request);
    if (output) output("so far");
    co_return answer;
  }
  std::vector<workspace::CommandRequest> requests;
  Result<workspace::CommandResult> answer = workspace::CommandResult{.output = "so far, so good\n", .exit_status = 0};
};

class BuiltinToolsBench : public testing::Test {
 protected:
  BuiltinToolsBench() {
    setup.folder = inside();
    std::filesystem::create_directories(inside() + "/src");
    put("a.txt", "one\ntwo\nthree\n");
    put("src/b.cpp", "int two = 2;\n");
  }
  std::string inside() const { return folder.path() + "/project"; }
  void put(const std::string& name, std::string_view text) { std::ofstream(inside() + "/" + name, std::ios::binary) << text; }
  std::string content(const std::string& name) const {
    std::ifstream in(inside() + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static hub::ToolCall call(std::string tool, std::string arguments, std::string id = "call_1") {
    return {.id = std::move(id), .tool = std::move(tool), .arguments_json = std::move(arguments)};
  }

  Result<hub::ToolIntent> intent(const hub::ToolCall& of) { return loop.block_on(tools.intent(setup, of)); }
  hub::ToolOutcome perform(const hub::ToolCall& of) {
    return loop.block_on(tools.call(setup, of, {.output = [this](std::string_view piece) { pieces += piece; }}));
  }
  // Runs a call like a turn: first the intent, then the call.
  hub::ToolOutcome run(std::string tool, std::string arguments) {
    const hub::ToolCall named = call(std::move(tool), std::move(arguments));
    if (const auto intended = intent(named); !intended)
      return {.state = hub::ToolEndState::failed, .text = "intent: " + intended.error().message};
    return perform(named);
  }

  Loop loop;
  store::TestFolder folder;
  hub::SessionSetup setup{.id = "conv_1"};
  FakeRunner runner;
  FakeMemory memory;
  BuiltinTools tools{loop, runner, &memory};
  std::string pieces;
};

}  // namespace parlance::toolbox::test
