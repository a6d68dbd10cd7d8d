// Every tool as a model calls it: JSON in, what a person is shown, what is done, what the model reads.
#include "service/builtin_tools.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/value.h"
#include "service/memory_test_support.h"
#include "store/test_folder.h"

namespace parlance::service {
namespace {

namespace fs = std::filesystem;
using hub::ToolEndState;
using hub::ToolKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class FakeRunner final : public hub::CommandRunner {
 public:
  Task<Result<hub::CommandResult>> run(hub::CommandRequest request, hub::ToolOutputSink output) override {
    requests.push_back(request);
    if (output) output("so far");
    co_return answer;
  }
  std::vector<hub::CommandRequest> requests;
  Result<hub::CommandResult> answer = hub::CommandResult{.output = "so far, so good\n", .exit_status = 0};
};

class BuiltinToolsTest : public testing::Test {
 protected:
  BuiltinToolsTest() {
    conversation.folder = inside();
    fs::create_directories(inside() + "/src");
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

  Result<hub::ToolIntent> intent(const hub::ToolCall& of) { return loop.block_on(tools.intent(conversation, of)); }
  hub::ToolOutcome perform(const hub::ToolCall& of) {
    return loop.block_on(tools.call(conversation, of, {.output = [this](std::string_view piece) { pieces += piece; }}));
  }
  // As a turn does it: what would it do, then do it.
  hub::ToolOutcome run(std::string tool, std::string arguments) {
    const hub::ToolCall named = call(std::move(tool), std::move(arguments));
    if (const auto intended = intent(named); !intended)
      return {.state = ToolEndState::failed, .text = "intent: " + intended.error().message};
    return perform(named);
  }

  Loop loop;
  store::TestFolder folder;
  hub::Conversation conversation{.id = "conv_1"};
  FakeRunner runner;
  test::FakeMemory memory;
  BuiltinTools tools{loop, runner, &memory};
  std::string pieces;
};

// ---- the list ----------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, EveryToolSaysWhatItIsAndWhatItTakes) {
  std::set<std::string> names;
  for (const hub::ToolSpec& spec : tools.list()) {
    names.insert(spec.name);
    EXPECT_FALSE(spec.description.empty()) << spec.name;
    const auto schema = json::parse(spec.parameters_json);
    ASSERT_TRUE(schema) << spec.name;
    EXPECT_EQ(schema->text_or("type", ""), "object") << spec.name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"list_files", "read_file", "search_files", "write_file", "edit_file", "run_command",
                                   "memory_search", "memory_store", "memory_forget", "update_plan", "ask_user", "propose_plan"}));
  BuiltinTools without(loop, runner, nullptr);
  for (const hub::ToolSpec& spec : without.list()) EXPECT_NE(spec.kind, ToolKind::memory) << spec.name;
  const hub::ToolCall search = call("memory_search", R"({"query":"x"})");
  EXPECT_EQ(loop.block_on(without.intent(conversation, search)).error().code, Errc::not_found);
}

TEST_F(BuiltinToolsTest, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(intent(call("no_such_tool", "{}")).error().code, Errc::not_found);
  EXPECT_THAT(perform(call("no_such_tool", "{}")).text, HasSubstr("no_such_tool"));
  for (const auto& [tool, arguments, place] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"read_file", "{}", "$.path"},
           {"read_file", R"({"path":3})", "$.path"},
           {"read_file", "not JSON", "read_file"},
           {"write_file", R"({"path":"x"})", "$.content"},
           {"edit_file", R"({"path":"x","old_text":"a"})", "$.new_text"},
           {"run_command", "", "$.command"},
           {"search_files", "[]", "search_files"},
           {"memory_store", "{}", "$.text"},
           {"ask_user", R"({"questions":[]})", "$.questions"},
           {"propose_plan", R"({"plan":""})", "$.plan"}}) {
    const auto refused = intent(call(tool, arguments));
    ASSERT_FALSE(refused) << tool;
    EXPECT_THAT(refused.error().message, HasSubstr(place)) << tool;
  }
}

// ---- reading -------------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, ListsFolders) {
  const auto flat = run("list_files", "");
  EXPECT_EQ(flat.state, ToolEndState::done);
  EXPECT_THAT(flat.text, AllOf(HasSubstr("a.txt  14 bytes\n"), HasSubstr("src/\n"), Not(HasSubstr("b.cpp"))));
  EXPECT_THAT(run("list_files", R"({"recursive":true})").text, HasSubstr("src/b.cpp"));
  EXPECT_EQ(run("list_files", R"({"path":"nowhere"})").state, ToolEndState::failed);
  EXPECT_EQ(perform(call("list_files", R"({"path":".."})")).state, ToolEndState::failed) << "nobody was asked";
  EXPECT_THAT(run("list_files", R"({"path":".."})").text, HasSubstr("project/"));
}

TEST_F(BuiltinToolsTest, ReadsFilesAndLines) {
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").text, "one\ntwo\nthree\n");
  EXPECT_THAT(run("read_file", R"({"path":"a.txt","start_line":2,"end_line":2})").text, testing::StartsWith("two\n"));
  EXPECT_THAT(run("read_file", R"({"path":"a.txt","start_line":3})").text, testing::StartsWith("three\n"));
  EXPECT_THAT(run("read_file", R"({"path":"gone.txt"})").text, AllOf(HasSubstr("File not found"), HasSubstr("gone.txt")));
  std::ofstream(folder.path() + "/secret") << "SECRET";
  const auto outside = perform(call("read_file", R"({"path":"../secret"})"));
  EXPECT_EQ(outside.state, ToolEndState::failed);
  EXPECT_THAT(outside.text, AllOf(HasSubstr("Access denied"), Not(HasSubstr("SECRET"))));
  const auto told = intent(call("read_file", R"({"path":"a.txt","start_line":2,"end_line":3})"));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->kind, ToolKind::read);
  EXPECT_EQ(told->title, "a.txt, lines 2 to 3");
  EXPECT_TRUE(told->path_inside);
}

// ---- what a person allows outside the folder -----------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, AReadOutsideIsTellableAndWorksOnceItWasDecidedOn) {
  std::ofstream(folder.path() + "/secret") << "SECRET";
  fs::create_symlink("../secret", inside() + "/notes");
  const std::string real = fs::canonical(folder.path()).string() + "/secret";
  for (const std::string path : {"../secret", "notes"}) {
    const hub::ToolCall read = call("read_file", R"({"path":")" + path + R"("})");
    const auto told = intent(read);
    ASSERT_TRUE(told);
    EXPECT_FALSE(told->path_inside) << "policy has to see that";
    EXPECT_EQ(told->real_path, real);
    EXPECT_EQ(told->title, path + " (really " + real + ")") << "and a person";
    EXPECT_EQ(perform(read).text, "SECRET");
    EXPECT_THAT(perform(read).text, HasSubstr("Access denied")) << "an answer is for one call";
  }
  EXPECT_THAT(run("search_files", R"({"pattern":"SEC","path":"../secret"})").text, HasSubstr(real + ":1: SECRET"));
}

TEST_F(BuiltinToolsTest, WhatWasDecidedOnIsWhatIsRead) {
  std::ofstream(folder.path() + "/secret") << "SECRET";
  std::ofstream(folder.path() + "/other") << "OTHER";
  fs::create_symlink("../other", inside() + "/notes");
  const hub::ToolCall read = call("read_file", R"({"path":"notes"})");
  ASSERT_TRUE(intent(read));
  fs::remove(inside() + "/notes");
  fs::create_symlink("../secret", inside() + "/notes");
  EXPECT_EQ(perform(read).text, "OTHER") << "the link was followed before anybody was asked";
  const hub::ToolCall plain = call("read_file", R"({"path":"a.txt"})");
  ASSERT_TRUE(intent(plain));
  fs::remove(inside() + "/a.txt");
  fs::create_symlink("../secret", inside() + "/a.txt");
  EXPECT_THAT(perform(plain).text, HasSubstr("Access denied"));
}

TEST_F(BuiltinToolsTest, SearchesText) {
  const auto found = run("search_files", R"({"pattern":"two"})");
  EXPECT_THAT(found.text, AllOf(HasSubstr("a.txt:2: two\n"), HasSubstr("src/b.cpp:1: int two = 2;\n")));
  EXPECT_THAT(run("search_files", R"({"pattern":"TWO","ignore_case":true,"name":"*.cpp"})").text,
              AllOf(HasSubstr("b.cpp"), Not(HasSubstr("a.txt"))));
  EXPECT_THAT(run("search_files", R"({"pattern":"t[wh]","regex":true,"path":"src"})").text, Not(HasSubstr("a.txt")));
  EXPECT_THAT(run("search_files", R"({"pattern":"nothing like it"})").text, HasSubstr("Nothing found"));
  EXPECT_EQ(run("search_files", R"({"pattern":"(","regex":true})").state, ToolEndState::failed);
}

// ---- writing -------------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, WhatIsShownIsWhatIsWritten) {
  const hub::ToolCall write = call("write_file", R"({"path":"new/c.txt","content":"hello"})");
  const auto shown = intent(write);
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_EQ(shown->kind, ToolKind::edit);
  EXPECT_EQ(shown->title, "new/c.txt");
  EXPECT_EQ(shown->diff->before, std::nullopt);
  EXPECT_EQ(shown->diff->after, "hello");
  EXPECT_FALSE(fs::exists(inside() + "/new")) << "showing does nothing";
  const auto outcome = perform(write);
  EXPECT_EQ(outcome.state, ToolEndState::done);
  EXPECT_EQ(outcome.text, "Created new/c.txt.");
  EXPECT_EQ(outcome.diff, shown->diff);
  EXPECT_EQ(content("new/c.txt"), "hello");

  const auto edit = run("edit_file", R"({"path":"a.txt","old_text":"two","new_text":"2"})");
  EXPECT_EQ(edit.text, "Changed a.txt.");
  EXPECT_EQ(content("a.txt"), "one\n2\nthree\n");
  EXPECT_EQ(edit.diff->before, "one\ntwo\nthree\n");
  EXPECT_THAT(run("edit_file", R"({"path":"a.txt","old_text":"e","new_text":"E","replace_all":true})").text,
              HasSubstr("in 3 places"));
}

TEST_F(BuiltinToolsTest, OtherArgumentsAtTheCallChangeNothing) {
  ASSERT_TRUE(intent(call("write_file", R"({"path":"c.txt","content":"as shown"})")));
  EXPECT_EQ(perform(call("write_file", R"({"path":"evil.txt","content":"not shown"})")).state, ToolEndState::done);
  EXPECT_EQ(content("c.txt"), "as shown");
  EXPECT_FALSE(fs::exists(inside() + "/evil.txt"));
}

TEST_F(BuiltinToolsTest, AChangeIsMadeOnceAndOnlyAfterItWasShown) {
  const hub::ToolCall write = call("write_file", R"({"path":"c.txt","content":"x"})");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  ASSERT_TRUE(intent(write));
  EXPECT_EQ(perform(write).state, ToolEndState::done);
  fs::remove(inside() + "/c.txt");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  EXPECT_FALSE(fs::exists(inside() + "/c.txt"));
}

TEST_F(BuiltinToolsTest, AFileThatChangedMeanwhileIsLeftAlone) {
  const hub::ToolCall edit = call("edit_file", R"({"path":"a.txt","old_text":"two","new_text":"2"})");
  ASSERT_TRUE(intent(edit));
  put("a.txt", "somebody else's two\n");
  const auto refused = perform(edit);
  EXPECT_EQ(refused.state, ToolEndState::failed);
  EXPECT_THAT(refused.text, HasSubstr("changed"));
  EXPECT_EQ(content("a.txt"), "somebody else's two\n");

  const hub::ToolCall write = call("write_file", R"({"path":"c.txt","content":"mine"})");
  ASSERT_TRUE(intent(write));
  put("c.txt", "theirs");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  EXPECT_EQ(content("c.txt"), "theirs");
}

// Models number their calls anew in every conversation, so two of them may wait under one name.
TEST_F(BuiltinToolsTest, CallsOfTwoConversationsAreApart) {
  hub::Conversation other{.id = "conv_2", .folder = folder.path() + "/other"};
  fs::create_directories(other.folder);
  const hub::ToolCall mine = call("write_file", R"({"path":"c.txt","content":"mine"})");
  const hub::ToolCall theirs = call("write_file", R"({"path":"c.txt","content":"theirs"})");
  ASSERT_TRUE(intent(mine));
  ASSERT_TRUE(loop.block_on(tools.intent(other, theirs)));
  EXPECT_EQ(perform(mine).state, ToolEndState::done);
  EXPECT_EQ(content("c.txt"), "mine");
  EXPECT_FALSE(fs::exists(other.folder + "/c.txt"));
  EXPECT_EQ(loop.block_on(tools.call(other, theirs, {})).state, ToolEndState::done);
  EXPECT_EQ(content("c.txt"), "mine");
  EXPECT_TRUE(fs::exists(other.folder + "/c.txt"));
}

TEST_F(BuiltinToolsTest, OfManyShownChangesTheOldestIsForgotten) {
  const auto numbered = [](int number) {
    return call("write_file", R"({"path":"n)" + std::to_string(number) + R"(.txt","content":"x"})",
                "call_" + std::to_string(number));
  };
  for (int number = 1; number <= 65; ++number) ASSERT_TRUE(intent(numbered(number)));
  EXPECT_EQ(perform(numbered(1)).state, ToolEndState::failed);
  EXPECT_THAT(perform(numbered(1)).text, HasSubstr("ask again"));
  for (const int number : {2, 10, 65}) EXPECT_EQ(perform(numbered(number)).state, ToolEndState::done) << number;
}

TEST_F(BuiltinToolsTest, EditsThatCannotBeAreToldBeforeAnybodyIsAsked) {
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"a.txt","old_text":"four","new_text":"4"})")));
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"a.txt","old_text":"e","new_text":"E"})"))) << "it occurs more than once";
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"gone.txt","old_text":"e","new_text":"E"})")));
  // Outside is shown as outside, or not at all; done it is never.
  const hub::ToolCall outside = call("write_file", R"({"path":"../c.txt","content":"x"})");
  if (const auto shown = intent(outside)) EXPECT_FALSE(shown->path_inside);
  EXPECT_EQ(perform(outside).state, ToolEndState::failed);
  EXPECT_FALSE(fs::exists(folder.path() + "/c.txt"));
}

// ---- commands, memory, the conversation ------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, RunsCommandsInTheFolder) {
  const auto shown = intent(call("run_command", R"({"command":"make\nmake test"})"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->kind, ToolKind::execute);
  EXPECT_EQ(shown->title, "make");
  EXPECT_EQ(shown->command, "make\nmake test");
  EXPECT_EQ(shown->detail, "make\nmake test");
  EXPECT_TRUE(runner.requests.empty());
  const auto outcome = run("run_command", R"({"command":"make"})");
  EXPECT_EQ(outcome.state, ToolEndState::done);
  EXPECT_EQ(outcome.text, "so far, so good\n");
  EXPECT_EQ(pieces, "so far");
  ASSERT_EQ(runner.requests.size(), 1U);
  EXPECT_EQ(runner.requests[0].folder, inside());
  EXPECT_EQ(runner.requests[0].timeout, std::chrono::seconds(120));
  for (const auto& [wanted, given] : std::map<std::string, int>{{"5", 5}, {"0", 1}, {"-3", 1}, {"1000000", 3600}}) {
    run("run_command", R"({"command":"make","timeout_s":)" + wanted + "}");
    EXPECT_EQ(runner.requests.back().timeout, std::chrono::seconds(given));
  }
  runner.answer = hub::CommandResult{.output = "oh", .exit_status = 2};
  const auto failed = run("run_command", R"({"command":"make"})");
  EXPECT_EQ(failed.state, ToolEndState::failed);
  EXPECT_EQ(failed.text, "oh\nexit status 2");
  runner.answer = fail(Errc::overloaded, "no more processes");
  EXPECT_EQ(run("run_command", R"({"command":"make"})").text, "no more processes");
}

// The table of free commands: what was judged is what runs, without a shell.
TEST_F(BuiltinToolsTest, ACommandOfTheTableRunsAsItWasJudgedOrNotAtAll) {
  const hub::ToolCall cat = call("run_command", R"({"command":"cat 'a.txt'"})");
  const auto shown = intent(cat);
  ASSERT_TRUE(shown->look);
  EXPECT_EQ(shown->look->problem, "");
  EXPECT_THAT(shown->look->paths, testing::ElementsAre(inside() + "/a.txt"));
  EXPECT_EQ(perform(cat).state, ToolEndState::done);
  ASSERT_EQ(runner.requests.size(), 1U);
  ASSERT_TRUE(runner.requests[0].plain);
  EXPECT_THAT(runner.requests[0].plain->words, testing::ElementsAre(testing::EndsWith("/cat"), "a.txt"));

  ASSERT_TRUE(intent(cat));
  fs::remove(inside() + "/a.txt");
  fs::create_symlink("/etc/passwd", inside() + "/a.txt");
  EXPECT_THAT(perform(cat).text, HasSubstr("has changed since it was decided on"));
  EXPECT_EQ(runner.requests.size(), 1U) << "nothing ran";
  EXPECT_THAT(intent(cat)->look->problem, HasSubstr("outside the folder: /etc/passwd"));
  EXPECT_EQ(perform(cat).state, ToolEndState::done) << "a person allowed it as it stands";
  EXPECT_FALSE(runner.requests.back().plain);
  EXPECT_FALSE(intent(call("run_command", R"({"command":"make"})"))->look) << "nothing that the table knows";
}

TEST_F(BuiltinToolsTest, TheMemoryIsReachedForTheConversation) {
  EXPECT_EQ(intent(call("memory_store", R"({"text":"I like tea"})"))->kind, ToolKind::memory);
  EXPECT_EQ(run("memory_search", R"({"query":"tea"})").text, "Found 1 memory:\n- [fact] tea");
  EXPECT_EQ(run("memory_store", R"({"text":"I like tea"})").state, ToolEndState::done);
  ASSERT_EQ(memory.items.size(), 1U);
  EXPECT_EQ(memory.items[0].conversation, "conv_1");
  EXPECT_EQ(run("memory_forget", R"({"id":"m1"})").text, "Forgotten: m1");
  memory.document = fail(Errc::deadline_exceeded, "timeout waiting for agent at x");
  const auto failed = run("memory_search", R"({"query":"tea"})");
  EXPECT_EQ(failed.state, ToolEndState::failed);
  EXPECT_EQ(failed.text, "timeout waiting for agent at x");
}

TEST_F(BuiltinToolsTest, AsksOfTheConversationItselfNeedNoPermission) {
  for (const auto& [tool, arguments] :
       std::map<std::string, std::string>{{"update_plan", R"({"entries":[{"content":"a"}]})"},
                                          {"ask_user", R"({"questions":[{"question":"which?"}]})"},
                                          {"propose_plan", R"({"plan":"1. do it"})"}}) {
    const auto intended = intent(call(tool, arguments));
    ASSERT_TRUE(intended) << intended.error().message;
    EXPECT_EQ(intended->kind, ToolKind::ask) << tool;
  }
}

// ---- fewer tools, more folders ---------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, WhatIsNotOfferedIsNotThere) {
  tools.offer_only({"read_file", "ask_user", "no_such_tool"});
  std::vector<std::string> names;
  for (const hub::ToolSpec& spec : tools.list()) names.push_back(spec.name);
  EXPECT_THAT(names, testing::ElementsAre("read_file", "ask_user"));
  for (const auto& [tool, arguments] : std::map<std::string, std::string>{{"run_command", R"({"command":"ls"})"},
                                                                          {"write_file", R"({"path":"n","content":"x"})"},
                                                                          {"update_plan", R"({"entries":[{"content":"a"}]})"}})
    EXPECT_EQ(intent(call(tool, arguments)).error().code, Errc::not_found) << tool;
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").state, ToolEndState::done);
}

TEST_F(BuiltinToolsTest, AFurtherFolderIsReachedByAbsolutePathAndNoOther) {
  const std::string more = folder.path() + "/more";
  const std::string other = folder.path() + "/more-than-that";
  for (const std::string& one : {more, other}) {
    fs::create_directories(one);
    std::ofstream(one + "/note.txt") << "two notes\n";
  }
  tools.add_folder(more);
  const auto at = [](const std::string& file) { return R"({"path":")" + file + R"("})"; };
  EXPECT_TRUE(intent(call("read_file", at(more + "/note.txt")))->path_inside);
  EXPECT_EQ(run("read_file", at(more + "/note.txt")).text, "two notes\n");
  EXPECT_EQ(run("list_files", at(more)).state, ToolEndState::done);
  EXPECT_THAT(run("search_files", R"({"pattern":"notes","path":")" + more + R"("})").text,
              HasSubstr(more + "/note.txt:1: two notes"));
  EXPECT_THAT(run("write_file", R"({"content":"x","path":")" + more + R"(/new.txt"})").text,
              HasSubstr("Created " + more + "/new.txt"));
  EXPECT_TRUE(fs::exists(more + "/new.txt"));
  EXPECT_EQ(run("read_file", at("a.txt")).state, ToolEndState::done) << "the working folder is still the first";
  for (const std::string& file : {other + "/note.txt", more + "/../more-than-that/note.txt", std::string("../more/note.txt")}) {
    EXPECT_THAT(perform(call("read_file", at(file), "call_2")).text, HasSubstr("Access denied")) << file;
    EXPECT_FALSE(intent(call("read_file", at(file)))->path_inside) << file;
  }
}

}  // namespace
}  // namespace parlance::service
