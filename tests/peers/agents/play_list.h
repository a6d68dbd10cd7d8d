// SPDX-License-Identifier: Apache-2.0
// One play list for all agents: the same steps with each agent behind a whole gateway, followed by two pages. A scripted model acts, and
// records each request. docs/agents.md prints the results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/peers/agents/agents_page.h"
#include "tests/peers/agents/players.h"
#include "tests/system/conversations.h"

namespace parlance::test {

// A turn in the events of a page.
struct PlayedTurn {
  std::vector<json::Value> asks{};  // requests for a person, each once
  std::string text{};
  std::string output{};  // of its tools
  std::string stop_reason{};
};

// The answer to each request of a turn.
struct GivenReply {
  std::string_view kind = "reject_once";  // of the option; a question gets the choice Blue
  std::string words{};
};

class PlayListTest : public ConversationsTest {
 protected:
  // Plays every step, then compares or writes the page. Skips the test if the program of the agent is missing.
  void play_all(const Player& player);

 private:
  using Step = std::string (PlayListTest::*)();

  void prepare();
  void start_gateway();
  void run(std::string_view step, Step play);
  void end_turn_of_failed_step();

  // Each step returns an observation. An empty text: the step works.
  std::string start_step();
  std::string allow_step();
  std::string reject_step();
  std::string always_step();
  std::string diff_step();
  std::string new_file_step();
  std::string tasks_step();
  std::string plan_step();
  std::string question_step();
  std::string stop_in_stream_step();
  std::string stop_in_tool_step();
  std::string picture_step();
  std::string mode_step();
  std::string model_step();
  std::string resume_step();
  std::string sessions_step();
  std::string mcp_step();
  std::string two_pages_step();
  std::string long_output_step();
  std::string unicode_step();

  // A new conversation of the agent.
  void begin_conversation(std::string_view mode);
  // Sends a prompt, with further members of the message.
  void begin(const std::string& text, const std::string& members = "");
  bool is_idle();
  PlayedTurn play(const std::string& text, const GivenReply& reply = {}, const std::string& members = "");
  PlayedTurn finish(const GivenReply& reply);
  void give(const json::Value& ask, const GivenReply& reply);
  void set(const std::string& members);
  std::string command(std::string_view text) const { return filled(player_.real.tools.command, text); }
  std::string filled(std::string_view words, std::string_view value) const;
  std::string says(const std::string& text) const;         // the model's words
  std::string says_slowly(int words, int pause_ms) const;  // w0 w1 …
  bool exists(const std::string& file) const;              // in the working folder
  std::string requests_since(std::size_t at) const;        // to the model
  std::string model_of_last_request() const;
  std::vector<std::string> offered_models();  // each as members of `set`, or of `set_option`

  Player player_{};
  std::unique_ptr<Program> model_;
  std::string model_url_;
  std::unique_ptr<Program> server_;  // the MCP server, for agents that take addresses only
  std::unique_ptr<PageClient> page_;
  std::unique_ptr<PageClient> second_;
  std::string id_;  // of the conversation
  std::size_t first_event_ = 0;
  std::size_t turns_before_ = 0;
  std::vector<StepResult> results_;
};

}  // namespace parlance::test
