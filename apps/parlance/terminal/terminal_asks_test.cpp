// SPDX-License-Identifier: Apache-2.0
// The texts of requests in a terminal, and the choice of the key `y`.
#include "apps/parlance/terminal/terminal_asks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"

namespace parlance::app {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Terminal final : Paper {
  void text(std::string_view piece) override { all += piece; }
  void note(std::string_view line) override { all += std::string(line) + "\n"; }
  bool text_in_terminal() const override { return true; }
  bool notes_in_terminal() const override { return true; }
  std::string all;
};
struct Keys final : Console {
  explicit Keys(std::string all) : key_(std::move(all)) {}
  Task<Typed> line(std::string) override { co_return Typed{.kind = Typed::Kind::text, .text = key_}; }
  Task<Typed> key(std::string) override { co_return Typed{.kind = Typed::Kind::text, .text = key_}; }
  void interrupt() override {}

 private:
  std::string key_;
};

// The terminal's display of an ask, and the option chosen by the key.
struct Asked {
  std::string shown;
  std::string chosen;
};
Asked ask_in_terminal(hub::AskRequest request, std::string key) {
  hub::test::Bench bench;
  Asked asked;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    auto answer = co_await turn.ask(std::move(request));
    if (!answer) co_return std::unexpected(answer.error());
    asked.chosen = answer->option;
    co_return hub::StopReason::end_turn;
  };
  bench.prompt(bench.conversation());
  bench.loop.run_ready();
  Terminal terminal;
  Keys keys(std::move(key));
  TerminalOutput output(terminal, {.chat = true});
  TerminalAsks asks(*bench.hub, output, keys, "ask");
  EXPECT_TRUE(bench.loop.block_on(asks.settle(open_asks(*bench.hub).at(0))));
  bench.loop.run_ready();
  asked.shown = terminal.all;
  return asked;
}

TEST(TerminalAsks, HiddenCharactersHaveMarks) {
  const std::string command = "echo safe # \u202E' x/ fr- mr ;' mr\nls\U000E0041";
  const Asked asked =
      ask_in_terminal({.title = command,
                       .why = "Agent\u200B wants this\n  1  Reject",
                       .detail = command,
                       .diff = hub::Diff{.path = "a\u202Etxt.hs", .before = "x\n", .after = "x\x1b[2J\n"},
                       .options = {{.id = "yes", .label = "Allow\u2066 once", .kind = hub::OptionKind::allow_once},
                                   {.id = "no", .label = "No", .kind = hub::OptionKind::reject_once}}},
                      "n");
  EXPECT_THAT(asked.shown, HasSubstr("echo safe # ⟨U+202E⟩' x/ fr- mr ;' mr␊ls⟨U+E0041⟩"));
  EXPECT_THAT(asked.shown, HasSubstr("Agent⟨U+200B⟩ wants this␊  1  Reject"));
  EXPECT_THAT(asked.shown, HasSubstr("a⟨U+202E⟩txt.hs"));
  EXPECT_THAT(asked.shown, HasSubstr("x␛[2J"));
  EXPECT_THAT(asked.shown, HasSubstr("Allow⟨U+2066⟩ once"));
  for (const char* hidden : {"\u202E", "\u200B", "\u2066", "\U000E0041"}) EXPECT_THAT(asked.shown, Not(HasSubstr(hidden)));
  EXPECT_EQ(asked.chosen, "no");
}

// Another frontend answers while the terminal takes a key without a meaning. The console wakes no reader then.
struct AnsweredMeanwhile final : Console {
  explicit AnsweredMeanwhile(hub::Hub& hub) : hub_(hub) {}
  Task<Typed> line(std::string) override { co_return Typed{}; }
  Task<Typed> key(std::string) override {
    if (++keys > 1) co_return Typed{};
    const hub::Ask ask = open_asks(hub_).at(0);
    EXPECT_TRUE(co_await hub_.submit(
        ask.conversation,
        hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "yes", .by = "page"}}));
    co_return Typed{.kind = Typed::Kind::text, .text = "x"};
  }
  void interrupt() override {}
  int keys = 0;

 private:
  hub::Hub& hub_;
};

TEST(TerminalAsks, AnAskThatIsSettledBetweenTwoKeysIsNotAskedAgain) {
  hub::test::Bench bench;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    static_cast<void>(
        co_await turn.ask({.title = "make", .options = {{.id = "yes", .label = "Yes", .kind = hub::OptionKind::allow_once}}}));
    co_return hub::StopReason::end_turn;
  };
  bench.prompt(bench.conversation());
  bench.loop.run_ready();
  Terminal terminal;
  AnsweredMeanwhile console(*bench.hub);
  TerminalOutput output(terminal, {.chat = true});
  TerminalAsks asks(*bench.hub, output, console, "ask");
  EXPECT_TRUE(bench.loop.block_on(asks.settle(open_asks(*bench.hub).at(0))));
  EXPECT_EQ(console.keys, 1);
  EXPECT_THAT(terminal.all, HasSubstr("(settled meanwhile)"));
}

TEST(TerminalAsks, TheKeyYChoosesTheCarefulPlan) {
  using enum hub::OptionKind;
  const auto chosen = [](std::vector<hub::AskOption> options) {
    return ask_in_terminal(
               {.kind = hub::AskKind::plan, .title = "A plan", .plan = "Paint it \u2764\uFE0F", .options = std::move(options)},
               "y")
        .chosen;
  };
  EXPECT_EQ(chosen({{.id = "smart", .label = "s", .kind = allow_once}, {.id = "default", .label = "d", .kind = allow_once}}),
            "default");
  EXPECT_EQ(chosen({{.id = "approve", .label = "a", .kind = allow_once}, {.id = "edits", .label = "e", .kind = allow_always}}),
            "approve");
  EXPECT_EQ(chosen({{.id = "free", .label = "f", .kind = allow_once}, {.id = "careful", .label = "c", .kind = allow_once}}),
            "careful");
}

TEST(TerminalOutput, RetriesAndSilenceOfTheModelAreShownOnceWithTheKeyThatStops) {
  Terminal terminal;
  TerminalOutput output(terminal, {.chat = true});
  for (const char* reason : {"model.retry 7 2 5", "model.retry 7 2 5", "model.silent 15", ""}) output.show_waiting(reason);
  EXPECT_EQ(terminal.all, "  the model: retrying in 7 s (2 of 5); Ctrl-C stops\n  the model: no data for 15 s; Ctrl-C stops\n");
}

TEST(TerminalOutput, AFailureIsShownInWords) {
  Terminal terminal;
  TerminalOutput output(terminal, {});
  output.show({.body = hub::event::Failure{.message = "rate limited", .detail = R"({"code":429})"}});
  EXPECT_EQ(terminal.all, "error: rate limited\n");
}

// Some readers, such as readline of Node.js, end a line at these characters.
TEST(TerminalOutput, AnEventInJsonIsASingleLineForEachReader) {
  Terminal terminal;
  TerminalOutput output(terminal, {.json = true});
  output.show({.seq = 1, .time = "t", .body = hub::event::Text{"a\xE2\x80\xA8z\xE2\x80\xA9z\xC2\x85z"}});
  EXPECT_THAT(terminal.all, ::testing::EndsWith("\"text\":\"a\\u2028z\\u2029z\\u0085z\"}\n"));
}

// Beside a typed line: an unfinished line would mix with the line.
TEST(TerminalOutput, HeldTextIsShownByLines) {
  Terminal terminal;
  TerminalOutput output(terminal, {.chat = true});
  const auto says = [&](const char* text) { output.show({.body = hub::event::Text{text}}); };
  output.hold_lines(true);
  says("one ");
  EXPECT_EQ(terminal.all, "");
  says("line\ntwo");
  const std::string shown = terminal.all;
  EXPECT_THAT(shown, ::testing::EndsWith("one line\n"));
  output.note("a note");
  EXPECT_THAT(terminal.all, ::testing::EndsWith("two\na note\n"));
  says("rest");
  output.hold_lines(false);
  output.end_line();
  EXPECT_THAT(terminal.all, ::testing::EndsWith("rest\n"));
}

}  // namespace
}  // namespace parlance::app
