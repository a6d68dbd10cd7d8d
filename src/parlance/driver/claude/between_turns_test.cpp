// SPDX-License-Identifier: Apache-2.0
// Claude Code between turns, and with sessions from before their conversations. The program is a shell script with the required
// part of the protocol.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/claude/agent_via_claude.h"
#include "parlance/driver/claude/events.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/test_support.h"
#include "parlance/store/test_folder.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Answers every request, and a prompt with a turn; a background task ends afterwards.
constexpr std::string_view script = R"sh(
echo "$@" >> arguments
while read -r line; do
  case "$line" in
  *control_request*)
    id=$(printf '%s' "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
    printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$id" ;;
  *'"type":"user"'*)
    echo '{"type":"system","subtype":"init","session_id":"s-1","permissionMode":"default"}'
    echo '{"type":"assistant","message":{"content":[{"type":"text","text":"done"}]}}'
    echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s-1"}'
    echo '{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed","summary":"npm test passed"}'
    echo '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}}'
    echo '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"y"}]}}'
    echo '{"type":"assistant","message":{"content":[{"type":"text","text":"The tests have passed."}]}}' ;;
  esac
done
)sh";

class ClaudeBetweenTurns : public testing::Test {
 protected:
  ClaudeBetweenTurns() {
    fs::create_directories(folder.path() + "/work");
    fs::create_directories(folder.path() + "/more");
    std::ofstream(folder.path() + "/claude.sh") << script;
    claude::Launch launch;
    launch.command = {"/bin/sh", folder.path() + "/claude.sh"};
    launch.environment = {{"CLAUDE_CONFIG_DIR", folder.path() + "/config"}};
    hub.add_agent(agent_via_claude(loop, {.launch = std::move(launch)}));
    EXPECT_TRUE(loop.block_on(hub.start()));
  }
  // Waits for `last` and for the end of `turns` turns; returns the events, one line each.
  std::vector<std::string> until(const std::string& id, std::string_view last, std::ptrdiff_t turns) {
    hub::Follower follower(hub, id, 0);
    std::vector<std::string> lines;
    const auto all = [&] {
      return std::ranges::any_of(lines, [&](const std::string& line) { return line.contains(last); }) &&
             std::ranges::count(lines, "end") == turns;
    };
    while (!all()) {
      const auto batch = loop.block_on(next_of(follower));
      if (!batch) {
        ADD_FAILURE() << batch.error().message;
        break;
      }
      for (const hub::EventPtr& event : batch->events) {
        if (const auto* said = std::get_if<hub::event::UserMessage>(&event->body)) lines.push_back("user: " + said->text);
        if (const auto* text = std::get_if<hub::event::Text>(&event->body)) lines.push_back("text: " + text->text);
        if (const auto* notice = std::get_if<hub::event::Notice>(&event->body)) lines.push_back("notice: " + notice->text);
        if (std::holds_alternative<hub::event::TurnEnd>(event->body)) lines.push_back("end");
        if (std::holds_alternative<hub::event::ToolStart>(event->body)) lines.push_back("call");
      }
    }
    return lines;
  }
  Task<Result<hub::Follower::Batch>> next_of(hub::Follower& follower) {
    co_return co_await with_deadline(loop, loop.now() + std::chrono::seconds(60), follower.next());
  }
  std::string arguments() const {
    std::ifstream in(folder.path() + "/work/arguments");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Loop loop;
  store::TestFolder folder;
  hub::test::MemoryStore store{loop};
  hub::Hub hub{loop, store};
};

TEST_F(ClaudeBetweenTurns, EventsBetweenTurnsAreStoredAndShown) {
  const auto made =
      loop.block_on(hub.create({.agent = "claude", .folder = folder.path() + "/work", .folders = {folder.path() + "/more"}}));
  ASSERT_TRUE(made);
  ASSERT_TRUE(loop.block_on(hub.submit(made->id, hub::SendPrompt{.text = "go"})));
  const auto lines = until(made->id, "passed.", 1);
  EXPECT_THAT(lines,
              testing::UnorderedElementsAre("user: go", "text: done", "end", "notice: Background task completed: npm test passed",
                                            "text: The tests have passed."))
      << "a call that no turn would close is not reported";
  EXPECT_EQ(store.row(made->id).agent_session, (hub::AgentSession{.id = "s-1"}));
  EXPECT_THAT(arguments(), HasSubstr("--add-dir " + folder.path() + "/more"));
  loop.block_on(hub.stop_all());
}

TEST_F(ClaudeBetweenTurns, KeptSessionIsAdopted) {
  const std::string session = "00000000-0000-4000-8000-000000000001";
  std::string project = folder.path() + "/work";
  for (char& c : project)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  fs::create_directories(folder.path() + "/config/projects/" + project);
  fs::copy_file(PARLANCE_SOURCE_DIR "/tests/vectors/claude-control/sessions/parallel-tools.jsonl",
                folder.path() + "/config/projects/" + project + "/" + session + ".jsonl");
  const auto adopted = loop.block_on(hub.adopt({.agent = "claude", .folder = folder.path() + "/work"}, session));
  ASSERT_TRUE(adopted) << adopted.error().message;
  EXPECT_EQ(adopted->title, "hello");
  ASSERT_TRUE(loop.block_on(hub.submit(adopted->id, hub::SendPrompt{.text = "go on"})));
  const auto lines = until(adopted->id, "passed.", 2);
  ASSERT_GE(lines.size(), 7U);
  EXPECT_THAT(lines[0], HasSubstr("user: hello"));
  EXPECT_EQ(lines[1], "call");
  EXPECT_EQ(lines[2], "call");
  EXPECT_THAT(lines[3], HasSubstr("text: ECHO"));
  EXPECT_EQ(lines[4], "end");
  EXPECT_EQ(lines[5], "user: go on");
  EXPECT_THAT(arguments(), HasSubstr("--resume " + session));
  EXPECT_THAT(arguments(), testing::Not(HasSubstr("--fork-session")));
  const auto none = loop.block_on(hub.adopt({.agent = "claude", .folder = folder.path() + "/work"}, "none"));
  EXPECT_EQ(none.error().message, "No conversation found with session ID: none");
  loop.block_on(hub.stop_all());
}

// ---- notices for people, in recorded streams ----------------------------------------------------------------------------------

struct Notices final : ClaudeEvents::Sink {
  void emit(hub::EventBody body) override {
    if (auto* notice = std::get_if<hub::event::Notice>(&body)) notices.push_back(std::move(*notice));
  }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}
  std::vector<hub::event::Notice> notices;
};

std::vector<hub::event::Notice> notices_of(const std::string& recording) {
  Notices sink;
  ClaudeEvents events(sink);
  std::ifstream in(PARLANCE_SOURCE_DIR "/tests/vectors/claude-control/" + recording);
  for (std::string line; std::getline(in, line);) {
    const auto record = json::parse(line);
    const json::Value* message = record ? record->find("msg") : nullptr;
    if (message == nullptr || message->text_or("type", "") != "system") continue;
    const std::string json = json::to_text(*message);
    const std::string subtype(message->text_or("subtype", ""));
    events.line({.json = json, .type = "system", .subtype = subtype});
  }
  return sink.notices;
}

TEST(ClaudeNotices, RecordedStreamsGiveNoticesWithLevels) {
  const auto hook = notices_of("cli-2.1.329/35-hook-error-response.ndjson");
  ASSERT_FALSE(hook.empty());
  EXPECT_EQ(hook[0].level, hub::NoticeLevel::warning);
  EXPECT_THAT(hook[0].text, HasSubstr("Hook callback"));
  const auto stop = notices_of("cli-2.1.112/37-hook-stop-block-once.ndjson");
  ASSERT_FALSE(stop.empty());
  EXPECT_EQ(stop[0].level, hub::NoticeLevel::info);
  EXPECT_EQ(stop[0].text, "Stop hook error occurred");
  EXPECT_TRUE(notices_of("cli-2.1.329/A8-session-state-events.ndjson").empty());
}

}  // namespace
}  // namespace parlance::driver
