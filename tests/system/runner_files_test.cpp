// SPDX-License-Identifier: Apache-2.0
// Requests about the folder of a conversation on a runner's machine: answered there or refused with a reason, and never from the
// gateway's disk.
#include <filesystem>
#include <fstream>

#include "tests/system/fake_runner.h"
#include "tests/system/runner.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

void put(const std::string& file, std::string_view text = "x\n") {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file) << text;
}

class RunnerFiles : public RunnerTest {
 protected:
  void begin() {
    start_up();
    runner = launch_runner(base, token);
    until_connected(*runner);
    page = connect();
  }
  std::string found(std::string_view members) { return json::to_text(at(done(*page, "files", members), {"paths"})); }
  static std::string in_conversation(const std::string& id, const std::string& folder, const std::string& typed) {
    return R"("conversation":")" + id + R"(","folder":")" + folder + R"(","typed":")" + typed + "\"";
  }
  std::string why_not(const std::string& members) { return text_at(refused(*page, "files", members), {"message"}); }
  std::string why_not_in(const std::string& folder, std::string_view typed = "") {
    return why_not(R"("agent":"box/parlance","folder":")" + folder + R"(","typed":")" + std::string(typed) + "\"");
  }

  std::unique_ptr<Program> runner;
  std::unique_ptr<PageClient> page;
};

TEST_F(RunnerFiles, BehindAnAtAreFilesOfTheRunnersMachineByTheSameRules) {
  put(farm() + "/src/needle.txt");
  put(farm() + "/needle.log");
  put(farm() + "/.gitignore", "*.log\n");
  put(farm() + "/node_modules/needle.js");
  put(work() + "/needle-of-the-gateway.txt");
  begin();
  const std::string id = on_runner(*page);
  EXPECT_EQ(found(in_conversation(id, farm(), "ndl")), R"(["src/needle.txt"])");
  EXPECT_EQ(found(in_conversation(id, farm(), "ndl") + R"(,"excluded":["**/*.txt"])"), "[]");
  EXPECT_EQ(found(in_conversation(id, work(), "ndl") + R"(,"folders":["/etc"])"), R"(["src/needle.txt"])")
      << "its own folders are meant, whatever a page names";
  EXPECT_EQ(found(R"("agent":"box/parlance","folder":")" + farm() + R"(/src","typed":"")"), R"(["needle.txt"])")
      << "before it begins";
  EXPECT_EQ(found(R"("folder":")" + work() + R"(","typed":"ndl")"), R"(["needle-of-the-gateway.txt"])")
      << "of no runner, as ever";
}

TEST_F(RunnerFiles, NoFileOutsideTheOfferIsReachableInAnyWay) {
  put(path("secret") + "/needle.txt");
  put(work() + "/needle.txt");
  begin();
  std::filesystem::create_directory_symlink(path("secret"), farm() + "/link");
  EXPECT_THAT(why_not_in("/etc"), HasSubstr("does not offer /etc"));
  EXPECT_THAT(why_not_in(farm() + "/../secret"), HasSubstr("does not offer"));
  EXPECT_THAT(why_not_in(farm() + "/link"), HasSubstr("not offered by this runner"));
  EXPECT_THAT(why_not_in(farm() + "/none"), HasSubstr("no folder on this machine"));
  EXPECT_EQ(found(R"("agent":"box/parlance","folder":")" + farm() + R"(","typed":"ndl")"), "[]") << "no link is followed";
  EXPECT_EQ(found(R"("agent":"box/parlance","folder":")" + farm() + R"(","typed":"ndl","folders":[")" + farm() + "/link\"]"),
            "[]");
}

TEST_F(RunnerFiles, AnAbsentRunnerDiffersFromARunnerWithoutFiles) {
  put(work() + "/needle.txt");
  begin();
  const std::string id = on_runner(*page);
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
  const auto away =
      AllOf(HasSubstr("the runner box"), HasSubstr("is not connected since 20"), HasSubstr("parlance runner --name box"));
  EXPECT_THAT(why_not(in_conversation(id, work(), "ndl")), away);
  EXPECT_THAT(why_not_in(farm()), away);
}

// Features of the conversation's folder that exist only on the gateway's own disk.
TEST_F(RunnerFiles, LocalFeaturesAreRefusedWithAReason) {
  put(farm() + "/data.sqlite");
  begin();
  on_runner(*page);
  EXPECT_THAT(answer("GET", "databases").body, Not(HasSubstr(farm())));
  EXPECT_THAT(text_at(refused(*page, "sessions", R"("agent":"box/parlance","folder":")" + farm() + "\""), {"message"}),
              HasSubstr("cannot list its sessions"));
  EXPECT_THAT(text_at(refused(*page, "adopt", R"("agent":"box/parlance","folder":"/etc","session":"s")"), {"message"}),
              HasSubstr("does not offer /etc"));
}

// Attachments and named files are sent along, as bytes or as a path on the runner's machine: no path is looked up on a disk here.
TEST_F(RunnerFiles, AttachmentsAndNamedFilesGoAlongWithAPrompt) {
  begin();
  const std::string id = on_runner(*page);
  const auto expect_answer = [&](std::string_view members, const std::string& answer) {
    done(*page, "prompt", R"("conversation":")" + id + R"(","text":"hello",)" + std::string(members));
    until([&] { return page->text(id).find(answer) != std::string::npos; }, answer);
    done(*page, "stop", R"("conversation":")" + id + "\"");
    until([&] { return text_at(page->conversations.at(id), {"state"}) == "idle"; }, "the end of the turn");
  };
  expect_answer(R"("attachments":[{"name":"a.png","media_type":"image/png","data":"iVBORw=="}])", "an image (");
  expect_answer(R"("context":[{"path":")" + farm() + R"(/none.txt"}])", "[@none.txt](file://" + farm());
  EXPECT_EQ(page->count(id, "error"), 0U);
}

// Any program with the token may connect, in any version and with any behaviour.
class FilesOfAFake : public RunnerFiles {
 protected:
  void begin_with(FakeRunner::Answer to_files) {
    start_up();
    fake = FakeRunner::connect(loop, "ws" + base.substr(4) + "runner", token, farm(), std::move(to_files));
    page = connect();
    until([&] { return fake->is_taken(); }, "the offer to be taken");
  }
  std::unique_ptr<FakeRunner> fake;
};

TEST_F(FilesOfAFake, ASilentRunnerBlocksNoOther) {
  begin_with([](const std::string&) { return std::string(); });
  std::vector<std::string> asked;
  for (int i = 0; i < 12; ++i)
    asked.push_back(page->request("files", R"("agent":"box/parlance","folder":")" + farm() + R"(","typed":"a")"));
  EXPECT_EQ(found(R"("folder":")" + work() + R"(","typed":"zzz")"), "[]") << "the gateway's own meanwhile";
  until([&] { return std::ranges::all_of(asked, [&](const std::string& one) { return page->answered(one); }); }, "12 answers");
  std::size_t at_once = 0;
  for (const std::string& one : asked) {
    const std::string why = text_at(page->answers.at(one), {"message"});
    at_once += why.find("did not list its files in time") != std::string::npos ? 1 : 0;
    EXPECT_THAT(why, testing::AnyOf(HasSubstr("did not list its files in time"), HasSubstr("many requests for its files")));
  }
  EXPECT_EQ(at_once, 8U) << "no more of them wait";
}

TEST_F(FilesOfAFake, AFloodingRunnerFillsNoList) {
  begin_with([](const std::string&) {
    std::string paths = R"("two\nlines","\u001b[2J","")";
    for (int i = 0; i < 20'000; ++i) paths += ",\"f" + std::to_string(i) + "\"";
    return R"("result":{"paths":[)" + paths + "," + '"' + std::string(100'000, 'x') + "\"],\"all\":true}";
  });
  const json::Value reply = done(*page, "files", R"("agent":"box/parlance","folder":")" + farm() + R"(","typed":"a")");
  EXPECT_EQ(at(reply, {"paths"}).array()->size(), 20U);
  EXPECT_THAT(json::to_text(reply), AllOf(Not(HasSubstr("lines")), Not(HasSubstr("\\u001b")), HasSubstr("\"f19\"")));
}

TEST_F(FilesOfAFake, AnOldRunnerNeedsAnUpdate) {
  begin_with([](const std::string&) { return std::string(R"("error":{"code":-32601,"message":"Method not found"})"); });
  EXPECT_THAT(why_not_in(farm()), AllOf(HasSubstr("the runner box cannot list its files"), HasSubstr("(0.0.1)"),
                                        HasSubstr("update parlance on its machine")));
}

TEST_F(FilesOfAFake, AnInvalidAnswerOfARunnerIsAnError) {
  begin_with([](const std::string&) { return std::string(R"("result":{"paths":"all"})"); });
  EXPECT_THAT(why_not_in(farm()), HasSubstr("paths"));
}

TEST_F(FilesOfAFake, ARunnerThatDisconnectsDuringARequestIsReported) {
  begin_with([&](const std::string&) {
    loop.post([this] { fake->close(); });
    return std::string();
  });
  EXPECT_FALSE(why_not_in(farm()).empty());
  EXPECT_THAT(why_not_in(farm()), HasSubstr("is not connected since 20"));
}

}  // namespace
}  // namespace parlance::test
