// SPDX-License-Identifier: Apache-2.0
// Each ACP method with each role, and the effect of a closed session on the turn of another user.
#include "parlance/face/acp/permissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_team.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::Access;
using hub::Permission;
using hub::TeamRole;
using testing::HasSubstr;
using testing::Not;

struct AcpOfATeam : hub::test::TeamOfTwo {
  // An initialized client of a user.
  struct Editor {
    Editor(AcpOfATeam& of, const std::string& name, TeamRole role)
        : loop(of.loop),
          sessions(of.of(name, role)),
          frontend(of.loop, sessions, {.version = "1", .alone = false, .check_folder = HubOverAcp::check_folder}),
          scope(of.loop) {
      auto [near, far] = memory_pair(loop, {});
      frames = framed_stream(loop, std::move(near), line_framing());
      scope.start(frontend.serve(framed_stream(loop, std::move(far), line_framing())));
      scope.start(read());
      call("initialize", R"("protocolVersion":1)");
    }
    // Returns the answer as text.
    std::string call(std::string_view method, std::string_view parameters) {
      const std::string id = std::to_string(++calls);
      EXPECT_TRUE(frames->send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" +
                               std::string(parameters) + "}}"));
      for (int i = 0; i < 200 && !answers.contains(id); ++i) loop.advance(20ms);
      return answers[id];
    }
    Task<void> read() {
      for (;;) {
        const auto batch = co_await read_frames(*frames);
        if (!batch || batch->empty()) co_return;
        for (const BytesView frame : *batch) {
          const json::Value message = json::parse_or_null(std::string(frame));
          if (message.find("method") == nullptr) answers[std::to_string(message.integer_or("id", 0))] = std::string(frame);
        }
      }
    }
    Loop& loop;
    HubSessions sessions;
    AcpFrontend frontend;
    std::unique_ptr<Frames> frames;
    std::map<std::string, std::string> answers;
    int calls = 0;
    Scope scope;
  };
  std::string conversation(Access access) { return TeamOfTwo::conversation(access, "/project"); }
  static std::string of_session(const std::string& id) { return R"("cwd":"/project","mcpServers":[],"sessionId":")" + id + '"'; }
};

TEST_F(AcpOfATeam, EachServedMethodHasOneRow) {
  EXPECT_EQ(acp_permissions.size(), acp::method::of_agent.all().size());
  for (const wire::Method& method : acp::method::of_agent.all())
    EXPECT_EQ(std::ranges::count(acp_permissions, method.name, &AcpPermission::method), 1) << method.name;
}

TEST_F(AcpOfATeam, TheDispatcherRefusesAMethodWithoutPermission) {
  const std::string more = R"(,"prompt":[{"type":"text","text":"x"}],"modeId":"plan","modelId":"m","configId":"o","value":"v")";
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin})
    for (const AcpPermission& permission : acp_permissions) {
      const bool is_served = permission.permission != Permission::connect && permission.method != "logout" &&
                             permission.method != "initialize" && !permission.method.starts_with("session/cancel") &&
                             permission.method != "session/set_think";
      if (!is_served) continue;
      const std::string id = conversation(Access::team);
      Editor editor(*this, "bob", role);
      EXPECT_THAT(editor.call("session/load", of_session(id)), HasSubstr("result"));
      const std::string answer = editor.call(permission.method, of_session(id) + more);
      const std::string about = std::string(permission.method) + " by " + std::string(hub::to_string(role)) + ": " + answer;
      const auto refused = HasSubstr(std::string(hub::refusal_for(role, permission.permission)));
      if (!hub::may_anywhere(role, permission.permission)) EXPECT_THAT(answer, refused) << about;
      else if (hub::may(role, false, Access::team, permission.permission)) EXPECT_THAT(answer, Not(HasSubstr("viewer"))) << about;
    }
  for (const hub::Conversation& left : station.hub->snapshot().conversations) EXPECT_NE(left.mode, hub::Mode::plan);
}

TEST_F(AcpOfATeam, AViewerGetsTheSameAnswerForMissingAndExistingFolders) {
  const std::string id = conversation(Access::team);
  Editor viewer(*this, "bob", TeamRole::viewer);
  const auto load = [&](const std::string& folder) {
    return viewer.call("session/load", R"("cwd":")" + folder + R"(","mcpServers":[],"sessionId":")" + id + '"');
  };
  EXPECT_THAT(load("/nonexistent"), HasSubstr("result"));
  const auto begin = [&](const std::string& folder) {
    const std::string answer = viewer.call("session/new", R"("cwd":")" + folder + R"(","mcpServers":[])");
    return answer.substr(answer.find("error"));
  };
  EXPECT_EQ(begin("/nonexistent"), begin("/project"));
}

TEST_F(AcpOfATeam, ClosingASessionStopsOnlyTheClosingUsersTurn) {
  hub::test::Gate gate(loop);
  station.script = hub::test::ends_after(gate);
  for (const TeamRole role : {TeamRole::member, TeamRole::admin}) {
    const std::string id = conversation(role == TeamRole::admin ? Access::view : Access::team);
    Editor anns(*this, "ann", TeamRole::member);
    anns.call("session/load", of_session(id));
    ASSERT_TRUE(anns.frames->send(R"({"jsonrpc":"2.0","id":99,"method":"session/prompt","params":{"sessionId":")" + id +
                                  R"(","prompt":[{"type":"text","text":"x"}]}})"));
    loop.advance(50ms);
    Editor bobs(*this, "bob", role);
    bobs.call("session/load", of_session(id));
    EXPECT_THAT(bobs.call("session/close", of_session(id)), HasSubstr("result"));
    loop.advance(1s);
    EXPECT_EQ(station.hub->find(id)->state, hub::ConversationState::running);
    anns.call("session/close", of_session(id));
    loop.advance(5s);
    EXPECT_EQ(station.hub->find(id)->state, hub::ConversationState::idle);
  }
}

}  // namespace
}  // namespace parlance::face
