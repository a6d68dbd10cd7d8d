// SPDX-License-Identifier: Apache-2.0
// Our own file tools for a model: the displayed action is the executed action, within the decided limits.

#include <gmock/gmock.h>

#include "parlance/toolbox/builtin_tools_test_support.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;
using hub::ToolEndState;
using hub::ToolKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BuiltinFileToolsTest : public test::BuiltinToolsBench {};

// ---- reading -------------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinFileToolsTest, ListsFolders) {
  const auto flat = run("list_files", "");
  EXPECT_EQ(flat.state, ToolEndState::done);
  EXPECT_THAT(flat.text, AllOf(HasSubstr("a.txt  14 bytes\n"), HasSubstr("src/\n"), Not(HasSubstr("b.cpp"))));
  EXPECT_THAT(run("list_files", R"({"recursive":true})").text, HasSubstr("src/b.cpp"));
  EXPECT_EQ(run("list_files", R"({"path":"nowhere"})").state, ToolEndState::failed);
  EXPECT_EQ(perform(call("list_files", R"({"path":".."})")).state, ToolEndState::failed) << "without an approval";
  EXPECT_THAT(run("list_files", R"({"path":".."})").text, HasSubstr("project/"));
}

TEST_F(BuiltinFileToolsTest, ReadsFilesAndLines) {
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").text, "one\ntwo\nthree\n");
  EXPECT_THAT(run("read_file", R"({"path":"a.txt","start_line":2,"end_line":2})").text, testing::StartsWith("two\n"));
  EXPECT_THAT(run("read_file", R"({"path":"a.txt","start_line":3})").text, testing::StartsWith("three\n"));
  EXPECT_THAT(run("read_file", R"({"path":"gone.txt"})").text, AllOf(HasSubstr("File not found"), HasSubstr("gone.txt")));
  std::ofstream(folder.path() + "/secret") << "SECRET";
  const auto outside = perform(call("read_file", R"({"path":"../secret"})"));
  EXPECT_EQ(outside.state, ToolEndState::failed);
  EXPECT_THAT(outside.text, AllOf(HasSubstr("Access denied"), Not(HasSubstr("SECRET"))));
  const auto read_intent = intent(call("read_file", R"({"path":"a.txt","start_line":2,"end_line":3})"));
  ASSERT_TRUE(read_intent);
  EXPECT_EQ(read_intent->kind, ToolKind::read);
  EXPECT_EQ(read_intent->title, "a.txt, lines 2 to 3");
  EXPECT_TRUE(read_intent->path_inside);
}

// ---- approved actions outside the folder
// ---------------------------------------------------------------------------------------

TEST_F(BuiltinFileToolsTest, AReadOutsideIsDescribedAndWorksAfterADecision) {
  std::ofstream(folder.path() + "/secret") << "SECRET";
  fs::create_symlink("../secret", inside() + "/notes");
  const std::string real = fs::canonical(folder.path()).string() + "/secret";
  for (const std::string path : {"../secret", "notes"}) {
    const hub::ToolCall read = call("read_file", R"({"path":")" + path + R"("})");
    const auto read_intent = intent(read);
    ASSERT_TRUE(read_intent);
    EXPECT_FALSE(read_intent->path_inside) << "policy has to see that";
    EXPECT_EQ(read_intent->real_path, real);
    EXPECT_EQ(read_intent->title, path + " (really " + real + ")") << "and a person";
    EXPECT_EQ(perform(read).text, "SECRET");
    EXPECT_THAT(perform(read).text, HasSubstr("Access denied")) << "an answer is for one call";
  }
  EXPECT_THAT(run("search_files", R"({"pattern":"SEC","path":"../secret"})").text, HasSubstr(real + ":1: SECRET"));
}

TEST_F(BuiltinFileToolsTest, TheApprovedFileIsRead) {
  std::ofstream(folder.path() + "/secret") << "SECRET";
  std::ofstream(folder.path() + "/other") << "OTHER";
  fs::create_symlink("../other", inside() + "/notes");
  const hub::ToolCall read = call("read_file", R"({"path":"notes"})");
  ASSERT_TRUE(intent(read));
  fs::remove(inside() + "/notes");
  fs::create_symlink("../secret", inside() + "/notes");
  EXPECT_EQ(perform(read).text, "OTHER") << "the link was followed before the question";
  const hub::ToolCall plain = call("read_file", R"({"path":"a.txt"})");
  ASSERT_TRUE(intent(plain));
  fs::remove(inside() + "/a.txt");
  fs::create_symlink("../secret", inside() + "/a.txt");
  EXPECT_THAT(perform(plain).text, HasSubstr("Access denied"));
}

// Also when the replacement comes between the decision and the call.
TEST_F(BuiltinFileToolsTest, AFolderReplacedByALinkIsNotFollowed) {
  const std::string outside = folder.path() + "/outside";
  fs::create_directories(outside);
  std::ofstream(outside + "/secret") << "SECRET";
  std::ofstream(inside() + "/secret") << "mine";
  const hub::ToolCall decided = call("read_file", R"({"path":"secret"})");
  ASSERT_TRUE(intent(decided));
  fs::rename(inside(), folder.path() + "/moved");
  fs::create_symlink(outside, inside());
  EXPECT_THAT(perform(decided).text, HasSubstr("leads through a link to " + fs::canonical(outside).string()));
  for (const auto& [tool, arguments] : {std::pair{"read_file", R"({"path":"secret"})"},
                                        {"list_files", "{}"},
                                        {"search_files", R"({"pattern":"SEC"})"},
                                        {"write_file", R"({"path":"made.txt","content":"x"})"}}) {
    const hub::ToolOutcome outcome = run(tool, arguments);
    EXPECT_NE(outcome.state, hub::ToolEndState::done) << tool;
    EXPECT_THAT(outcome.text, HasSubstr("leads through a link to")) << tool;
  }
  EXPECT_FALSE(fs::exists(outside + "/made.txt"));
}

TEST_F(BuiltinFileToolsTest, SearchesText) {
  const auto found = run("search_files", R"({"pattern":"two"})");
  EXPECT_THAT(found.text, AllOf(HasSubstr("a.txt:2: two\n"), HasSubstr("src/b.cpp:1: int two = 2;\n")));
  EXPECT_THAT(run("search_files", R"({"pattern":"TWO","ignore_case":true,"name":"*.cpp"})").text,
              AllOf(HasSubstr("b.cpp"), Not(HasSubstr("a.txt"))));
  EXPECT_THAT(run("search_files", R"({"pattern":"t[wh]","regex":true,"path":"src"})").text, Not(HasSubstr("a.txt")));
  EXPECT_THAT(run("search_files", R"({"pattern":"nothing like it"})").text, HasSubstr("Nothing found"));
  EXPECT_EQ(run("search_files", R"({"pattern":"(","regex":true})").state, ToolEndState::failed);
}

// ---- writing -------------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinFileToolsTest, TheShownTextIsWritten) {
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

TEST_F(BuiltinFileToolsTest, OtherArgumentsOfTheCallHaveNoEffect) {
  ASSERT_TRUE(intent(call("write_file", R"({"path":"c.txt","content":"as shown"})")));
  EXPECT_EQ(perform(call("write_file", R"({"path":"evil.txt","content":"not shown"})")).state, ToolEndState::done);
  EXPECT_EQ(content("c.txt"), "as shown");
  EXPECT_FALSE(fs::exists(inside() + "/evil.txt"));
}

TEST_F(BuiltinFileToolsTest, AChangeIsMadeOnceAndOnlyAfterItsPreview) {
  const hub::ToolCall write = call("write_file", R"({"path":"c.txt","content":"x"})");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  ASSERT_TRUE(intent(write));
  EXPECT_EQ(perform(write).state, ToolEndState::done);
  fs::remove(inside() + "/c.txt");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  EXPECT_FALSE(fs::exists(inside() + "/c.txt"));
}

TEST_F(BuiltinFileToolsTest, AFileChangedMeanwhileStaysUnchanged) {
  const hub::ToolCall edit = call("edit_file", R"({"path":"a.txt","old_text":"two","new_text":"2"})");
  ASSERT_TRUE(intent(edit));
  put("a.txt", "concurrent two\n");
  const auto refused = perform(edit);
  EXPECT_EQ(refused.state, ToolEndState::failed);
  EXPECT_THAT(refused.text, HasSubstr("changed"));
  EXPECT_EQ(content("a.txt"), "concurrent two\n");

  const hub::ToolCall write = call("write_file", R"({"path":"c.txt","content":"mine"})");
  ASSERT_TRUE(intent(write));
  put("c.txt", "theirs");
  EXPECT_EQ(perform(write).state, ToolEndState::failed);
  EXPECT_EQ(content("c.txt"), "theirs");
}

// Models restart the numbers of their calls in every conversation, so two waiting calls may have the same name.
TEST_F(BuiltinFileToolsTest, CallsOfTwoConversationsAreApart) {
  hub::SessionSetup other{.id = "conv_2", .folder = folder.path() + "/other"};
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

TEST_F(BuiltinFileToolsTest, OfManyShownChangesTheOldestIsForgotten) {
  const auto numbered = [](int number) {
    return call("write_file", R"({"path":"n)" + std::to_string(number) + R"(.txt","content":"x"})",
                "call_" + std::to_string(number));
  };
  for (int number = 1; number <= 65; ++number) ASSERT_TRUE(intent(numbered(number)));
  EXPECT_EQ(perform(numbered(1)).state, ToolEndState::failed);
  EXPECT_THAT(perform(numbered(1)).text, HasSubstr("ask again"));
  for (const int number : {2, 10, 65}) EXPECT_EQ(perform(numbered(number)).state, ToolEndState::done) << number;
}

TEST_F(BuiltinFileToolsTest, ImpossibleEditsAreReportedBeforeAQuestion) {
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"a.txt","old_text":"four","new_text":"4"})")));
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"a.txt","old_text":"e","new_text":"E"})"))) << "it occurs more than once";
  EXPECT_FALSE(intent(call("edit_file", R"({"path":"gone.txt","old_text":"e","new_text":"E"})")));
  // Outside paths are displayed as outside, or not at all; the call never runs.
  const hub::ToolCall outside = call("write_file", R"({"path":"../c.txt","content":"x"})");
  if (const auto shown = intent(outside)) EXPECT_FALSE(shown->path_inside);
  EXPECT_EQ(perform(outside).state, ToolEndState::failed);
  EXPECT_FALSE(fs::exists(folder.path() + "/c.txt"));
}

// ---- more folders ----------------------------------------------------------------------------------------------------

TEST_F(BuiltinFileToolsTest, AFurtherFolderIsReachedByItsRealPathsOnly) {
  const std::string more = folder.path() + "/more";
  const std::string other = folder.path() + "/more-than-that";
  for (const std::string& path : {more, other}) {
    fs::create_directories(path);
    std::ofstream(path + "/note.txt") << "two notes\n";
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
  EXPECT_EQ(run("read_file", at("../more/note.txt")).text, "two notes\n") << "judged is where it lies, not how it was named";
  EXPECT_TRUE(intent(call("read_file", at("../more/note.txt")))->path_inside);
  for (const std::string& file :
       {other + "/note.txt", more + "/../more-than-that/note.txt", std::string("../more-than-that/note.txt")}) {
    EXPECT_THAT(perform(call("read_file", at(file), "call_2")).text, HasSubstr("Access denied")) << file;
    EXPECT_FALSE(intent(call("read_file", at(file)))->path_inside) << file;
  }
}

// ---- files open in an editor --------------------------------------------------------------------------------------------------

class FakeOpenFiles final : public OpenFiles {
 public:
  bool reads(const std::string& conversation) const override { return can_read && conversation == "conv_1"; }
  bool writes(const std::string&) const override { return can_write; }
  Task<Result<std::string>> read(std::string, std::string path) override {
    asked.push_back(path);
    if (failure) co_return fail(*failure);
    const auto found = texts.find(path);
    if (found == texts.end()) co_return fail(Errc::not_found, "no such file");
    co_return found->second;
  }
  Task<Result<void>> write(std::string, std::string path, std::string text) override {
    texts[path] = std::move(text);
    co_return Result<void>{};
  }
  bool can_read = true;
  bool can_write = true;
  std::optional<Error> failure;
  std::map<std::string, std::string> texts;
  std::vector<std::string> asked;
};

class OpenFilesTest : public test::BuiltinToolsBench {
 protected:
  OpenFilesTest() { tools.use(open); }
  std::string at(const std::string& name) const { return inside() + "/" + name; }
  FakeOpenFiles open;
};

TEST_F(OpenFilesTest, UnsavedTextIsReadAndChangedInTheEditor) {
  open.texts[at("a.txt")] = "one\nTWO\nthree\n";
  EXPECT_EQ(run("read_file", R"({"path":"a.txt","start_line":2,"end_line":2})").text.substr(0, 4), "TWO\n");
  const auto changed = run("edit_file", R"({"path":"a.txt","old_text":"TWO","new_text":"2"})");
  EXPECT_EQ(changed.state, ToolEndState::done) << changed.text;
  EXPECT_EQ(changed.diff->before, "one\nTWO\nthree\n");
  EXPECT_EQ(open.texts[at("a.txt")], "one\n2\nthree\n");
  EXPECT_EQ(content("a.txt"), "one\ntwo\nthree\n") << "saving is the editor's";
  EXPECT_EQ(run("write_file", R"({"path":"new.txt","content":"hello"})").text, "Created new.txt.");
  EXPECT_EQ(open.texts[at("new.txt")], "hello");
}

TEST_F(OpenFilesTest, FilesMissingInTheEditorAreReadFromTheDisk) {
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").text, "one\ntwo\nthree\n") << "it lies there, and the editor has none";
  EXPECT_EQ(run("read_file", R"({"path":"none.txt"})").state, ToolEndState::failed);
  EXPECT_THAT(open.asked, Not(testing::Contains(at("none.txt")))) << "no question about a missing file";
  run("edit_file", R"({"path":"a.txt","old_text":"two","new_text":"2"})");
  EXPECT_EQ(content("a.txt"), "one\n2\nthree\n");
  open.failure = Error{.code = Errc::denied, .message = "Access denied"};
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").text, "one\n2\nthree\n");
  EXPECT_EQ(run("write_file", R"({"path":"src/b.cpp","content":"x"})").state, ToolEndState::done);
  EXPECT_EQ(content("src/b.cpp"), "x");
  open.failure.reset();
  open.can_write = false;
  open.texts[at("a.txt")] = "not saved";
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").text, "not saved");
  run("edit_file", R"({"path":"a.txt","old_text":"2","new_text":"two"})");
  EXPECT_EQ(content("a.txt"), "one\ntwo\nthree\n") << "an unwritable path is changed in place";
}

TEST_F(OpenFilesTest, TheShownTextIsStillCurrent) {
  open.texts[at("a.txt")] = "one\n";
  const hub::ToolCall edit = call("edit_file", R"({"path":"a.txt","old_text":"one","new_text":"1"})");
  ASSERT_TRUE(intent(edit));
  open.texts[at("a.txt")] = "one or two\n";  // a person types
  const auto outcome = perform(edit);
  EXPECT_EQ(outcome.state, ToolEndState::failed);
  EXPECT_THAT(outcome.text, HasSubstr("has changed since the preview"));
  EXPECT_EQ(open.texts[at("a.txt")], "one or two\n");
  const hub::ToolCall make = call("write_file", R"({"path":"new.txt","content":"mine"})");
  ASSERT_TRUE(intent(make));
  put("new.txt", "theirs");
  EXPECT_EQ(perform(make).state, ToolEndState::failed);
  EXPECT_FALSE(open.texts.contains(at("new.txt")));
}

// The file's real location decides; an editor with wider access is not asked.
TEST_F(OpenFilesTest, OutsideTheFolderTheEditorIsNotAsked) {
  std::ofstream(folder.path() + "/secret") << "secret";
  std::filesystem::create_symlink(folder.path() + "/secret", at("link.txt"));
  open.texts[at("link.txt")] = "mine";
  open.texts[folder.path() + "/secret"] = "mine";
  EXPECT_EQ(perform(call("read_file", R"({"path":"../secret"})")).state, ToolEndState::failed);
  EXPECT_EQ(perform(call("read_file", R"({"path":"link.txt"})")).state, ToolEndState::failed);
  EXPECT_FALSE(intent(call("write_file", R"({"path":"link.txt","content":"x"})")) &&
               perform(call("write_file", R"({"path":"link.txt","content":"x"})")).state == ToolEndState::done);
  EXPECT_TRUE(open.asked.empty());
  EXPECT_EQ(open.texts[folder.path() + "/secret"], "mine");
}

}  // namespace
}  // namespace parlance::toolbox
