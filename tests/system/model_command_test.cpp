// SPDX-License-Identifier: Apache-2.0
// parlance model: connections are stored, listed without their keys, tested, and used by a running gateway.
#include "tests/support/model_server.h"
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* secret = "sk-0123456789-hidden";

class ModelCommand : public ConversationsTest {
 protected:
  Finished model(Words words, std::string_view input = "", Variables set = {}) {
    words.insert(words.begin(), "model");
    words.insert(words.end(), {"--state", state()});
    return parlance(std::move(words), input, std::move(set));
  }
  // Names the agent, because the name of its model changes.
  std::string chat(const std::string& text) {
    const auto response =
        answer("POST", "v1/chat/completions", R"({"model":"parlance","messages":[{"role":"user","content":")" + text + R"("}]})");
    return response.status == 200 ? text_at(parsed(response.body), {"choices", "0", "message", "content"}) : response.body;
  }
  std::string stored() const { return read_file(state() + "/models.json"); }
};

TEST_F(ModelCommand, AKeyIsStoredPrivatelyAndNeverPrinted) {
  const Finished added = model({"add", "openrouter", "--model", "m", "--key-stdin"}, secret);
  EXPECT_EQ(added.code, 0) << added.errors;
  EXPECT_EQ(mode_of(state() + "/models.json"), 0600U);
  EXPECT_THAT(stored(), HasSubstr(secret));
  const Finished listed = model({"list"});
  EXPECT_THAT(listed.out, AllOf(HasSubstr("openrouter"), HasSubstr("https://openrouter.ai/api/v1"), HasSubstr("key stored")));
  const Finished json = model({"list", "--json"});
  const Finished config = parlance({"config", "--origin", "--state", state()});
  EXPECT_THAT(config.out, HasSubstr("model connection openrouter"));
  for (const Finished& one : {added, listed, json, config}) EXPECT_THAT(one.out + one.errors, Not(HasSubstr(secret)));
  EXPECT_EQ(model({"remove", "openrouter"}).code, 0);
  EXPECT_THAT(stored(), Not(HasSubstr(secret)));
  EXPECT_THAT(model({"remove", "openrouter"}).errors, HasSubstr("unknown model connection \"openrouter\""));
}

TEST_F(ModelCommand, AKeyFileStaysTheOnlyPlaceOfTheKey) {
  const std::string file = state() + "-key";
  write_file(file, secret);
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  EXPECT_THAT(model({"add", "openai", "--key-file", file}).errors, HasSubstr("chmod 600"));
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  EXPECT_EQ(model({"add", "openai", "--key-file", file, "--key-stdin"}).code, 2);
  EXPECT_EQ(model({"add", "openai", "--key-file", file}).code, 0);
  EXPECT_THAT(stored(), AllOf(HasSubstr(file), Not(HasSubstr(secret))));
  const Finished listed = model({"list"});
  EXPECT_THAT(listed.out + listed.errors, AllOf(HasSubstr("key in " + file), Not(HasSubstr(secret))));
  std::filesystem::remove(file);
  const Finished tested = model({"test"});
  EXPECT_EQ(tested.code, 1);
  EXPECT_THAT(tested.errors,
              AllOf(StartsWith("parlance: the model connection openai: the key cannot be read: "), HasSubstr(file)));
  EXPECT_EQ(tested.errors.find("connection openai"), tested.errors.rfind("connection openai")) << "named once";
}

TEST_F(ModelCommand, AKeyOfAVariableStaysInTheEnvironment) {
  const ModelServer server(loop, "OK");
  const Words add{"add", "other", "--url", server.url(), "--key-env", "WORK_TOKEN"};
  EXPECT_THAT(model(add).errors, HasSubstr("the environment has no variable WORK_TOKEN"));
  EXPECT_EQ(stored(), "");
  const Finished added = model(add, "", {{"WORK_TOKEN", secret}});
  EXPECT_EQ(added.code, 0) << added.errors;
  EXPECT_THAT(stored(), AllOf(HasSubstr("WORK_TOKEN"), Not(HasSubstr(secret))));
  EXPECT_THAT(model({"list"}).out, HasSubstr("key in variable WORK_TOKEN"));
  const Finished missing = model({"test"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.errors, StartsWith("parlance: the model connection other: the key cannot be read: the environment has no "
                                         "variable WORK_TOKEN; start parlance again from an environment with it, or store"));
  const Finished checked = parlance({"doctor", "--state", state()});
  EXPECT_THAT(checked.out, AllOf(HasSubstr("variable WORK_TOKEN"),
                                 HasSubstr("store the connection again with parlance model add"), Not(HasSubstr("0600"))));
  EXPECT_EQ(model({"test"}, "", {{"WORK_TOKEN", secret}}).code, 0);
  EXPECT_EQ(server.key, std::string("Bearer ") + secret);
}

TEST_F(ModelCommand, ARunningGatewayReadsTheVariableAtUse) {
  const ModelServer server(loop, "the server");
  const Words add{"add", "other", "--url", server.url(), "--key-env"};
  const auto with = [&add](std::string variable) {
    Words words = add;
    words.push_back(std::move(variable));
    return words;
  };
  ASSERT_EQ(model(with("WORK_TOKEN"), "", {{"WORK_TOKEN", secret}}).code, 0);
  start_up({}, {{"WORK_TOKEN", secret}, {"GEMINI_API_KEY", "sk-gemini"}, {"LATER_TOKEN", secret}});
  EXPECT_EQ(chat("hello"), "the server");
  EXPECT_EQ(server.key, std::string("Bearer ") + secret);
  ASSERT_EQ(model(with("GEMINI_API_KEY"), "", {{"GEMINI_API_KEY", "sk-other"}}).code, 0);
  EXPECT_EQ(chat("hello"), "the server");
  EXPECT_EQ(server.key, "Bearer sk-gemini") << "the gateway's own value";
  ASSERT_EQ(model(with("LATER_TOKEN"), "", {{"LATER_TOKEN", secret}}).code, 0);
  EXPECT_THAT(chat("hello"), AllOf(HasSubstr("no variable LATER_TOKEN"), HasSubstr("start parlance again")))
      << "the agent inherits only variables that a connection named at the start";
}

TEST_F(ModelCommand, ListsKeysOfTheEnvironmentWithTheCommandToStoreThem) {
  const Finished listed = model({"list"}, "", {{"GEMINI_API_KEY", secret}});
  EXPECT_THAT(listed.out, AllOf(HasSubstr("parlance model add gemini --key-env GEMINI_API_KEY"), Not(HasSubstr(secret))));
}

TEST_F(ModelCommand, FaultsOfTheCommandLineStoreNothing) {
  for (const Words& words :
       {Words{"add", "acme", "--key-stdin"}, Words{"add", "other", "--key-stdin"}, Words{"add", "openrouter", "--key-stdin"},
        Words{"add", "openai", "--url", "http://host.example/v1", "--key-stdin"},
        Words{"add", "openai", "--name", "A b", "--key-stdin"}, Words{"add", "openai", "--key-env", "NO_SUCH_VARIABLE"},
        Words{"add", "openai"}}) {
    const Finished refused = model(words, words.back() == "--key-stdin" ? secret : "");
    EXPECT_EQ(refused.code, 2) << refused.errors;
    EXPECT_THAT(refused.errors, Not(HasSubstr(secret)));
  }
  EXPECT_EQ(stored(), "");
}

TEST_F(ModelCommand, TestReportsTheLatencyOrTheFault) {
  ModelServer server(loop, "OK");
  EXPECT_THAT(model({"test"}).errors, HasSubstr("parlance model add"));
  ASSERT_EQ(model({"add", "other", "--url", server.url(), "--key-stdin"}, secret).code, 0);
  const Finished good = model({"test"});
  EXPECT_EQ(good.code, 0) << good.errors;
  EXPECT_THAT(good.out, AllOf(HasSubstr("other answers in "), HasSubstr(" ms (large)")));
  server.status = 401;
  const Finished refused = model({"test", "other"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr(server.url()), HasSubstr("the key from the model connection other"), Not(HasSubstr(secret))));
}

TEST_F(ModelCommand, ARunningGatewayUsesAChangeFromTheNextTurnOn) {
  start_up();
  EXPECT_THAT(chat("hello"), Not(HasSubstr("first server")));
  ModelServer first(loop, "the first server");
  ASSERT_EQ(model({"add", "other", "--url", first.url(), "--key-stdin"}, secret).code, 0);
  EXPECT_EQ(chat("hello"), "the first server");
  EXPECT_EQ(first.key, std::string("Bearer ") + secret);
  const ModelServer second(loop, "the second server");
  ASSERT_EQ(model({"add", "ollama", "--url", second.url()}).code, 0);
  EXPECT_EQ(chat("hello"), "the second server");
  EXPECT_EQ(second.key, "") << "a key goes to the address that it was stored for";
  until_observed([&] { return answer("GET", "v1/models").body.find("ollama") != std::string::npos; },
                 "the new name among the models");
  write_file(state() + "/models.json", "{");
  EXPECT_THAT(chat("hello"), AllOf(HasSubstr("models.json"), Not(HasSubstr("the second server"))));
  EXPECT_THAT(answer("GET", "health").body, Not(HasSubstr(secret)));
}

TEST_F(ModelCommand, AConversationGetsItsTitleFromTheModel) {
  ModelServer server(loop, "Race in the timer");
  ASSERT_EQ(model({"add", "other", "--url", server.url()}).code, 0);
  const auto chats = [&server] { return std::ranges::count(server.paths, "/v1/chat/completions"); };
  const auto title_after_a_turn = [this](bool titled) {
    const auto page = connect();
    const std::string id = new_conversation(*page);
    prompt(*page, id, "why does it fail?");
    until_turns(*page, id, 1);
    const auto title = [&] { return text_at(page->conversations[id], {"title"}); };
    if (titled) until([&] { return title() != "why does it fail?"; }, "the title of the model");
    return title();
  };
  start_up();
  until_agent();
  EXPECT_EQ(title_after_a_turn(true), "Race in the timer");
  EXPECT_EQ(chats(), 2);
  kill_everything();
  start_up({"--titles", "off"});
  until_agent();
  EXPECT_EQ(title_after_a_turn(false), "why does it fail?");
  EXPECT_EQ(chats(), 3);
}

TEST_F(ModelCommand, AnUnusableFileStopsTheStartWithItsPlaceAndARemedy) {
  std::filesystem::create_directories(state());
  write_file(state() + "/models.json", R"({"version":2,"connections":[]})");
  std::filesystem::permissions(state() + "/models.json",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto failed = launch_up();
  until([&] { return failed->ended(); }, "the end of up");
  EXPECT_THAT(failed->errors, AllOf(HasSubstr("models.json"), HasSubstr("version is not 1"), HasSubstr("--model")));
}

}  // namespace
}  // namespace parlance::test
