// SPDX-License-Identifier: Apache-2.0
// Replies of an ACP client to permission requests, plans and questions, from the bytes to the answer in the hub. Only the exact reply permits.
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/face/acp/client_asks.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

using hub::OptionKind;

// A client with hand-written bytes, and one open request.
struct AskedClient {
  AskedClient(hub::Ask asked, bool forms, acp::Flavour flavour)
      : ask(std::move(asked)),
        peer(loop, framed_stream(loop, std::move(link.first), line_framing()), acp::dialect(acp::Side::agent, flavour), router) {
    client.shows.forms = forms;
    client.flavour = flavour;
    scope.start([](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); }(peer));
    scope.start([](AskedClient& self) -> Task<void> {
      self.given = co_await ask_client({.client = self.client, .session = "s", .notify = [](acp::Update) {}}, self.ask);
      ++self.settled;
    }(*this));
    settle();
  }
  ~AskedClient() { scope.cancel(); }
  void settle() {
    while (loop.run_ready()) {}
  }
  // `members` follow the id of the reply.
  void replies(const std::string& members) {
    const std::string line = R"({"jsonrpc":"2.0","id":1)" + members + "}\n";
    EXPECT_EQ(link.second->try_write(line), line.size());
    settle();
  }
  bool permits() const {
    if (!given || !*given) return false;
    if (!(*given)->answers.empty()) return true;
    for (const hub::AskOption& option : ask.options)
      if (option.id == (*given)->option) return option.kind == OptionKind::allow_once || option.kind == OptionKind::allow_always;
    return false;
  }

  Loop loop{Loop::Time::virtual_};
  hub::Ask ask;
  Router router;
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link = memory_pair(loop);
  Peer peer;
  AcpClient client{.peer = peer};
  std::optional<Result<hub::Answer>> given;
  int settled = 0;
  Scope scope{loop};
};

std::vector<hub::AskOption> asked_options() {
  return {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once},
          {.id = "always", .label = "Always", .kind = OptionKind::allow_always},
          {.id = "no", .label = "No", .kind = OptionKind::reject_once}};
}
hub::Ask asked_permission() { return {.id = "a", .title = "rm x", .options = asked_options()}; }
hub::Ask asked_plan() {
  return {.id = "a", .kind = hub::AskKind::plan, .title = "Plan", .plan = "1.", .options = asked_options()};
}
hub::Ask asked_question() {
  return {.id = "a",
          .kind = hub::AskKind::question,
          .questions = std::vector<hub::Question>{{.header = "Colour", .question = "Which?", .options = {{.label = "Red"}}}}};
}

struct ReplyKind {
  const char* name;
  hub::Ask ask;
  bool forms;
  acp::Flavour flavour;
  std::string permitting;        // the permitting result
  std::vector<std::string> odd;  // refused results
};
std::vector<ReplyKind> reply_kinds() {
  constexpr auto standard = acp::Flavour::standard;
  constexpr auto iflow = acp::Flavour::iflow;
  const std::string yes = R"({"outcome":{"outcome":"selected","optionId":"yes"}})";
  const std::vector<std::string> odd_outcomes{R"({"outcome":null})",
                                              R"({"outcome":"selected"})",
                                              R"({"outcome":{}})",
                                              R"({"outcome":{"outcome":"selected"}})",
                                              R"({"outcome":{"outcome":"selected","optionId":""}})",
                                              R"({"outcome":{"outcome":"selected","optionId":null}})",
                                              R"({"outcome":{"outcome":"selected","optionId":["yes"]}})",
                                              R"({"outcome":{"outcome":"selected","optionId":"YES"}})",
                                              R"({"outcome":{"outcome":"selected","optionId":"allow_once"}})",
                                              R"({"outcome":{"outcome":"cancelled","optionId":"yes"}})",
                                              R"({"outcome":{"outcome":"allowed","optionId":"yes"}})",
                                              R"({"outcome":{"optionId":"yes"}})",
                                              R"({"optionId":"yes"})"};
  return {
      {"permission", asked_permission(), false, standard, yes, odd_outcomes},
      {"plan", asked_plan(), false, standard, yes, odd_outcomes},
      {"question as permission", asked_question(), false, standard, R"({"outcome":{"outcome":"selected","optionId":"option_0"}})",
       odd_outcomes},
      {"form",
       asked_question(),
       true,
       standard,
       R"({"action":"accept","content":{"question_0":"Red"}})",
       {R"({"action":"accept"})", R"({"action":"accept","content":null})", R"({"action":"accept","content":{}})",
        R"({"action":"accept","content":{"question_0":""}})", R"({"action":"accept","content":{"question_0":7}})",
        R"({"action":"accepted","content":{"question_0":"Red"}})", R"({"action":null,"content":{"question_0":"Red"}})",
        R"({"action":"","content":{"question_0":"Red"}})", R"({"action":["accept"],"content":{"question_0":"Red"}})",
        R"({"action":"decline","content":{"question_0":"Red"}})", R"({"content":{"question_0":"Red"}})"}},
      {"iFlow's plan",
       asked_plan(),
       false,
       iflow,
       R"({"approved":true})",
       {R"({"approved":false})", R"({"approved":null})", R"({"approved":"true"})", R"({"approved":1})", R"({"reason":"ok"})"}},
      {"iFlow's questions",
       asked_question(),
       false,
       iflow,
       R"({"answers":{"Colour":"Red"}})",
       {R"({"answers":null})", R"({"answers":{}})", R"({"answers":{"Colour":""}})", R"({"answers":{"Colour":null}})",
        R"({"answers":{"Colour":[]}})", R"({"answers":{"Size":"Red"}})", R"({"answers":"Red"})"}}};
}

TEST(ClientAnswers, OnlyTheExactReplyPermits) {
  for (const ReplyKind& kind : reply_kinds()) {
    AskedClient client(kind.ask, kind.forms, kind.flavour);
    client.replies(R"(,"result":)" + kind.permitting);
    EXPECT_TRUE(client.permits()) << kind.name;
    std::vector<std::string> replies{"",
                                     R"(,"result":null)",
                                     R"(,"result":{})",
                                     R"(,"result":"")",
                                     R"(,"result":"yes")",
                                     R"(,"result":true)",
                                     R"(,"result":[])",
                                     R"(,"result":[)" + kind.permitting + "]",
                                     R"(,"result":NaN)",
                                     R"(,"error":null)",
                                     R"(,"error":"no")",
                                     R"(,"error":{"code":-32000,"message":"no"},"result":)" + kind.permitting};
    for (const std::string& value : kind.odd) replies.push_back(R"(,"result":)" + value);
    for (const std::string& reply : replies) {
      AskedClient other(kind.ask, kind.forms, kind.flavour);
      other.replies(reply);
      EXPECT_EQ(other.settled, 1) << kind.name << " " << reply;
      EXPECT_FALSE(other.permits()) << kind.name << " " << reply;
    }
  }
}

TEST(ClientAnswers, OnlyTheFirstReplyCounts) {
  for (const ReplyKind& kind : reply_kinds()) {
    AskedClient client(kind.ask, kind.forms, kind.flavour);
    client.replies(R"(,"result":null)");
    client.replies(R"(,"result":)" + kind.permitting);
    EXPECT_EQ(client.settled, 1) << kind.name;
    EXPECT_FALSE(client.permits()) << kind.name;
  }
}

}  // namespace
}  // namespace parlance::face
