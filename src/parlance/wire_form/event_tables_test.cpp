// SPDX-License-Identifier: Apache-2.0
// The JSON of the hub's types, byte by byte as in apps/web/src/protocol.ts.
#include "parlance/wire_form/event_tables.h"

#include <set>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::wire_form {
namespace {

using namespace hub;

Ask full_ask() {
  return {.id = "ask_1",
          .conversation = "conv_1",
          .kind = AskKind::permission,
          .call = "call_1",
          .tool = "edit_file",
          .title = "src/a.cpp",
          .why = "parlance wants this",
          .detail = "all of it",
          .diff = Diff{.path = "/f/src/a.cpp", .before = "old", .after = "new"},
          .options = {{.id = "allow_once", .label = "Allow once", .kind = OptionKind::allow_once},
                      {.id = "always", .label = "Always", .kind = OptionKind::allow_always, .dangerous = true}},
          .digest = "d1",
          .created_at = "2026-03-01T09:30:00.125Z",
          .answers = {{"kept apart"}},
          .expires_at = "2026-03-01T09:31:00.125Z"};
}

const std::string full_ask_json =
    R"({"id":"ask_1","conversation":"conv_1","kind":"permission","call":"call_1","tool":"edit_file","title":"src/a.cpp","why":"parlance wants this",)"
    R"("detail":"all of it","diff":{"path":"/f/src/a.cpp","before":"old","after":"new"},)"
    R"("options":[{"id":"allow_once","label":"Allow once","kind":"allow_once","dangerous":false},)"
    R"({"id":"always","label":"Always","kind":"allow_always","dangerous":true}],"digest":"d1","state":"open","created_at":"2026-03-01T09:30:00.125Z"})";

struct Golden {
  EventBody body;
  std::string rest;  // after the kind
};

std::vector<Golden> of_tools() {
  return {
      {event::ToolStart{.call = "c1", .tool = "run", .title = "make", .input_json = R"({"command":"make","n":[1,2.50]})"},
       R"("tool_start","call":"c1","tool":"run","title":"make","input":{"command":"make","n":[1,2.50]}})"},
      {event::ToolStart{.call = "c1", .tool = "run", .title = "make", .parent = "c0"},
       R"("tool_start","call":"c1","tool":"run","title":"make","input":null,"parent":"c0"})"},
      {event::ToolStart{.call = "c1",
                        .tool = "edit",
                        .title = "a",
                        .input_json = "{}",
                        .kind = CallKind::edit,
                        .locations = {{{.path = "/f/a", .line = 7}, {.path = "/f/b"}}}},
       R"("tool_start","call":"c1","tool":"edit","title":"a","input":{},"call_kind":"edit","locations":[{"path":"/f/a","line":7},{"path":"/f/b"}]})"},
      {event::ToolUpdate{.call = "c1"}, R"("tool_update","call":"c1"})"},
      {event::ToolUpdate{.call = "c1",
                         .title = "b",
                         .kind = CallKind::delete_,
                         .status = CallStatus::running,
                         .input_json = R"({"n":2})",
                         .locations = std::vector<Location>{},
                         .content = {{hub::ToolText{"t"}, Diff{.path = "p", .after = "x"}, hub::ToolTerminal{"term"},
                                      hub::ToolPicture{{.id = "a", .media_type = "image/png", .name = "n", .bytes = 3}}}}},
       R"("tool_update","call":"c1","title":"b","call_kind":"delete","status":"running","input":{"n":2},"locations":[],)"
       R"("content":[{"type":"text","text":"t"},{"type":"diff","path":"p","after":"x"},{"type":"terminal","terminal":"term"},)"
       R"({"type":"picture","attachment":{"id":"a","media_type":"image/png","name":"n","bytes":3}}]})"},
      {event::ToolOutput{.call = "c1", .text = "ok"}, R"("tool_output","call":"c1","text":"ok"})"},
      {event::ToolOutput{.call = "c1", .text = "1 of 2\n", .progress = true},
       R"("tool_output","call":"c1","text":"1 of 2\n","progress":true})"},
      {event::ToolEnd{.call = "c1", .state = ToolEndState::rejected}, R"("tool_end","call":"c1","state":"rejected"})"},
      {event::ToolEnd{.call = "c1"}, R"("tool_end","call":"c1","state":"done"})"},
  };
}

std::vector<Golden> of_the_agent() {
  return {
      {event::UserMessage{.turn = "t1",
                          .text = "why?",
                          .context = {{{.path = "/f/a.cpp", .range = LineRange{.first = 3, .last = 5}, .text = "x"}}}},
       R"("user_message","turn":"t1","text":"why?","context":[{"path":"/f/a.cpp","range":{"first":3,"last":5},"text":"x"}]})"},
      {event::Plan{.entries = {{.content = "Read", .status = PlanStatus::in_progress, .priority = PlanPriority::high}}},
       R"("plan","entries":[{"content":"Read","status":"in_progress","priority":"high"}]})"},
      {event::Usage{.input_tokens = 10, .output_tokens = 20}, R"("usage","input_tokens":10,"output_tokens":20})"},
      {event::Usage{
           .input_tokens = 10,
           .output_tokens = 20,
           .cache_read_tokens = 4,
           .cache_write_tokens = 2,
           .cost = Cost{.amount = 0.25},
           .models = {{{.model = "m", .input_tokens = 10, .output_tokens = 20, .cost = Cost{.amount = 2, .currency = "EUR"}}}},
           .context = ContextUse{.used = 30, .size = 200}},
       R"("usage","input_tokens":10,"output_tokens":20,"cache_read_tokens":4,"cache_write_tokens":2,"cost":{"amount":0.25,"currency":"USD"},)"
       R"("models":[{"model":"m","input_tokens":10,"output_tokens":20,"cost":{"amount":2,"currency":"EUR"}}],"context":{"used":30,"size":200}})"},
      {event::OptionChanged{.id = "effort", .name = "Effort", .value = "high", .by = "agent"},
       R"("option","id":"effort","name":"Effort","value":"high","by":"agent"})"},
      {event::Commands{.commands = {{.name = "compact", .description = "d", .hint = "h"}, {.name = "x"}}},
       R"("commands","commands":[{"name":"compact","description":"d","hint":"h"},{"name":"x","description":""}]})"},
      {event::Cleared{}, R"("cleared"})"},
  };
}

std::vector<Golden> of_people() {
  Ask question{
      .id = "a",
      .conversation = "c",
      .kind = AskKind::question,
      .title = "t",
      .why = "w",
      .questions = {{{.header = "H", .question = "Q?", .multiple = true, .options = {{.label = "A", .description = "d"}}}}},
      .digest = "x",
      .state = AskState::answered,
      .text = "A",
      .by = "person",
      .created_at = "t0"};
  Ask plan{.id = "a",
           .conversation = "c",
           .kind = AskKind::plan,
           .title = "t",
           .why = "w",
           .plan = "# Plan",
           .options = {{.id = "keep", .label = "Keep", .kind = OptionKind::choice},
                       {.id = "feedback", .label = "Say", .kind = OptionKind::feedback}},
           .digest = "x",
           .state = AskState::orphaned,
           .chosen = "keep",
           .by = "restart",
           .created_at = "t0"};
  return {
      {event::TurnStart{.turn = "t1"}, R"("turn_start","turn":"t1"})"},
      {event::UserMessage{.turn = "t1", .text = "hi \"you\"\n"}, R"("user_message","turn":"t1","text":"hi \"you\"\n"})"},
      {event::UserMessage{
           .turn = "t1", .text = "", .attachments = {{{.id = "a", .media_type = "image/png", .name = "n", .bytes = 3}}}},
       R"("user_message","turn":"t1","text":"","attachments":[{"id":"a","media_type":"image/png","name":"n","bytes":3}]})"},
      {event::Text{.text = "größer 你好"}, R"("text","text":"größer 你好"})"},
      {event::ThinkingStart{}, R"("thinking_start"})"},
      {event::ThinkingContent{.text = "hm"}, R"("thinking_content","text":"hm"})"},
      {event::ThinkingEnd{.duration_ms = 1200}, R"("thinking_end","duration_ms":1200})"},
      {event::ToolConfirmation{.ask = full_ask()}, R"("tool_confirmation","ask":)" + full_ask_json + "}"},
      {event::UserQuestion{.ask = question},
       R"("user_question","ask":{"id":"a","conversation":"c","kind":"question","title":"t","why":"w","questions":[{"header":"H","question":"Q?",)"
       R"("multiple":true,"options":[{"label":"A","description":"d"}]}],"options":[],"digest":"x","state":"answered","text":"A","by":"person","created_at":"t0"}})"},
      {event::PlanApproval{.ask = plan},
       R"("plan_approval","ask":{"id":"a","conversation":"c","kind":"plan","title":"t","why":"w","plan":"# Plan","options":[{"id":"keep","label":"Keep",)"
       R"("kind":"choice","dangerous":false},{"id":"feedback","label":"Say","kind":"feedback","dangerous":false}],"digest":"x","state":"orphaned",)"
       R"("chosen":"keep","by":"restart","created_at":"t0"}})"},
      {event::AskSettled{.ask = "a", .state = AskState::expired, .by = "expiry"},
       R"("ask_settled","ask":"a","state":"expired","by":"expiry"})"},
      {event::AskSettled{.ask = "a", .state = AskState::cancelled, .chosen = "x", .text = "no", .by = "person"},
       R"("ask_settled","ask":"a","state":"cancelled","chosen":"x","text":"no","by":"person"})"},
      {event::AskSettled{.ask = "a", .chosen = "x", .by = "person", .edited = "mine"},
       R"("ask_settled","ask":"a","state":"answered","chosen":"x","by":"person","edited":"mine"})"},
      {event::ModeChanged{.mode = Mode::auto_edit}, R"("mode","mode":"autoEdit"})"},
      {event::Failure{.code = "failed", .message = "m", .detail = "d", .retryable = true},
       R"("error","code":"failed","message":"m","detail":"d","retryable":true})"},
      {event::TurnEnd{.turn = "t1", .stop_reason = StopReason::max_turns, .duration_ms = 5},
       R"("turn_end","turn":"t1","stop_reason":"max_turns","duration_ms":5})"},
      {event::Notice{.text = "low", .detail = "d"}, R"("notice","level":"info","text":"low","detail":"d"})"},
  };
}

std::vector<Golden> of_acts() {
  return {
      {hub::notice_of(act::title, "Deploy", "ann"),
       R"("notice","level":"info","text":"ann: the title is \"Deploy\" now.","detail":"","act":{"what":"title","value":"Deploy","by":"ann"}})"},
      {hub::notice_of(act::stop, {}, ""),
       R"("notice","level":"info","text":"This turn was stopped.","detail":"","act":{"what":"stop"}})"},
      {event::AskSettled{.ask = "a", .state = AskState::answered, .chosen = "always", .by = "ann", .rule = "rule_1"},
       R"("ask_settled","ask":"a","state":"answered","chosen":"always","by":"ann","rule":"rule_1"})"},
  };
}

std::vector<Golden> every_kind() {
  std::vector<Golden> all = of_people();
  for (Golden& golden : of_acts()) all.push_back(std::move(golden));
  for (Golden& golden : of_tools()) all.push_back(std::move(golden));
  for (Golden& golden : of_the_agent()) all.push_back(std::move(golden));
  return all;
}

// The notice of an older gateway on the same database: such a gateway reads the sentence.
struct NoticeOfBefore {
  NoticeLevel level = NoticeLevel::info;
  std::string text{};
  std::string detail{};
  static constexpr auto wire = wire::fields(wire::field<&NoticeOfBefore::level>("level", "How much it matters."),
                                            wire::field<&NoticeOfBefore::text>("text", "One sentence for people."),
                                            wire::field<&NoticeOfBefore::detail>("detail", "More, or nothing."));
};

TEST(EventTables, ActsAreNoticesForOlderAndNewerGateways) {
  const auto before = json::from_text<NoticeOfBefore>(event_json({.seq = 1, .body = hub::notice_of(act::model, "big", "ann")}));
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->text, "ann: the model is big now.");
  const auto to_come = event_from_json(
      R"({"seq":1,"time":"","kind":"notice","level":"info","text":"ann: it has come.","detail":"","act":{"what":"to_come","by":"ann","how":7}})");
  ASSERT_TRUE(to_come) << to_come.error().message;
  EXPECT_EQ(std::get<event::Notice>(to_come->body).act, (Act{.what = "to_come", .by = "ann"}));
}

TEST(EventTables, EveryKindHasThePagesFormat) {
  std::set<std::size_t> seen;
  for (const Golden& golden : every_kind()) {
    seen.insert(golden.body.index());
    const Event event{.seq = 7, .time = "2026-03-01T09:30:00.125Z", .body = golden.body};
    EXPECT_EQ(event_json(event), R"({"seq":7,"time":"2026-03-01T09:30:00.125Z","kind":)" + golden.rest);
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<AnyEvent>) << "all of them";
}

TEST(EventTables, EveryKindReadsBack) {
  for (Golden& golden : every_kind()) {
    Event event{.seq = 7, .time = "t", .body = golden.body};
    if (auto* asked = std::get_if<event::ToolConfirmation>(&event.body)) {
      asked->ask.answers.clear();  // absent from the card
      asked->ask.expires_at.reset();
    }
    const auto read = event_from_json(event_json(event));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, event) << golden.rest;
  }
}

TEST(EventTables, InvalidEventErrorHasThePosition) {
  EXPECT_EQ(event_from_json(R"({"seq":1,"time":"t","kind":"dance"})").error().message, "$.kind: unknown: dance");
  EXPECT_NE(event_from_json(R"({"seq":1,"time":"t","kind":"text"})").error().message.find("text"), std::string::npos);
  EXPECT_FALSE(event_from_json(R"({"time":"t","kind":"text","text":"x"})"));
  EXPECT_FALSE(event_from_json("[]"));
}

TEST(EventTables, ConversationsAsksRulesAgentsAndServices) {
  const Conversation conversation{{.id = "c",
                                   .title = "T",
                                   .agent = "parlance",
                                   .folder = "/f",
                                   .mode = Mode::yolo,
                                   .think = true,
                                   .agent_session = {.id = "kept inside"}},
                                  {.state = ConversationState::waiting,
                                   .open_asks = 2,
                                   .queued = {{.id = "q", .text = "next"}},
                                   .last_seq = 9,
                                   .created_at = "t0",
                                   .updated_at = "t1",
                                   .turn = "kept inside"}};
  EXPECT_EQ(
      conversation_json(conversation),
      R"({"id":"c","title":"T","agent":"parlance","folder":"/f","folders":[],"named":false,"mode":"yolo","model":"","think":true,"state":"waiting","open_asks":2,)"
      R"("queued":[{"id":"q","text":"next"}],"last_seq":9,"created_at":"t0","updated_at":"t1"})");
  EXPECT_EQ(ask_json(full_ask()), full_ask_json);
  EXPECT_EQ(rule_json({.id = "r", .effect = Effect::deny, .label = "never", .created_at = "t0", .tool = "kept inside"}),
            R"({"id":"r","effect":"deny","label":"never","created_at":"t0"})");
  EXPECT_EQ(agent_json({.id = "a",
                        .name = "A",
                        .state = Health::starting,
                        .detail = "d",
                        .modes = {Mode::default_, Mode::smart},
                        .models = {"m"},
                        .scripted = true,
                        .media_types = {{"image/png"}}}),
            R"({"id":"a","name":"A","state":"starting","detail":"d","modes":["default","smart"],"models":["m"],"scripted":true,)"
            R"("media_types":["image/png"]})");
  EXPECT_EQ(service_json({.name = "store", .state = Health::down, .detail = "full"}),
            R"({"name":"store","state":"down","detail":"full"})");
}

TEST(EventTables, EnumeratorsHaveTheHubsNames) {
  for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::yolo, Mode::plan, Mode::smart})
    EXPECT_EQ(wire::name_of(mode), to_string(mode));
  for (const AskState state : {AskState::open, AskState::answered, AskState::expired, AskState::cancelled, AskState::orphaned})
    EXPECT_EQ(wire::name_of(state), to_string(state));
}

}  // namespace
}  // namespace parlance::wire_form
