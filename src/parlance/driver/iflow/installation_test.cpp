// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/installation.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/iflow/limits.h"
#include "parlance/driver/iflow/test_support.h"

namespace parlance::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class IflowInstallationTest : public test::InstalledTest {
 protected:
  // A script of Node behind a link, and the Node beside that.
  void install() {
    make("bin/app/cli.js", "#!/usr/bin/env node\n");
    fs::create_symlink("app/cli.js", path("bin/iflow"));
    make("bin/node", "#!/bin/sh\necho 0.5.19\n");
  }
  IflowInstallation& made(IflowInstallationSettings settings = {}) {
    settings.place = {.path = path("bin")};
    settings.report = [](std::string_view) {};
    return *(installation = std::make_unique<IflowInstallation>(loop, std::move(settings)));
  }
  std::vector<std::string> words(const std::string& node = "") {
    const auto start = get(installation->start(node));
    return start ? start->words() : std::vector<std::string>{start.error().message};
  }
  std::unique_ptr<IflowInstallation> installation;
};

TEST_F(IflowInstallationTest, IsStartedWithTheNodeOfThePersonElseWithItsOwnElseByItself) {
  install();
  made();
  const std::string script = fs::canonical(path("bin/app/cli.js"));
  EXPECT_THAT(words("/opt/node"), ElementsAre("/opt/node", script));
  EXPECT_THAT(words(), ElementsAre(path("bin/node"), script));
  fs::remove(path("bin/iflow"));
  EXPECT_THAT(words(), ElementsAre(path("bin/node"), script)) << "what was found is remembered";
  make("bin/iflow", std::string("\x7f"
                                "ELF\0",
                                5));
  installation->forget();
  EXPECT_THAT(words("/opt/node"), ElementsAre(path("bin/iflow"))) << "there is nothing that Node could run";
  fs::remove(path("bin/iflow"));
  installation->forget();
  EXPECT_THAT(words(), ElementsAre(HasSubstr("npm install -g @iflow-ai/iflow-cli")));
}

TEST_F(IflowInstallationTest, AProgramThatAPersonNamedIsNotLookedFor) {
  install();
  const std::string own = make("own/iflow", "#!/bin/sh\n");
  made({.program = own});
  EXPECT_THAT(words(), ElementsAre(own));
  made({.program = path("own/none")});
  EXPECT_FALSE(get(installation->found()));
}

TEST_F(IflowInstallationTest, WhetherItIsThereIsRemembered) {
  made();
  EXPECT_FALSE(get(installation->availability()).available);
  install();
  EXPECT_FALSE(get(installation->availability()).available) << "for a while";
  installation->forget();
  const Availability there = get(installation->availability());
  EXPECT_TRUE(there.available);
  EXPECT_EQ(there.version, "0.5.19");
  EXPECT_EQ(there.path, path("bin/iflow"));
  EXPECT_EQ(there.diagnosis, "iFlow 0.5.19, installed as " + path("bin/iflow"));
}

TEST(IflowInstallation, ThatItIsNotThereIsBelievedForAWhileOnly) {
  Loop loop(Loop::Time::virtual_);
  int looks = 0;
  IflowInstallation counted(loop,
                            {.place = {.path = "/nowhere"}, .report = [&](std::string_view) { ++looks; }, .program = "none"});
  EXPECT_FALSE(loop.block_on(counted.found()));
  EXPECT_FALSE(loop.block_on(counted.found()));
  EXPECT_EQ(looks, 1);
  loop.advance(limits::iflow_unavailable_for);
  EXPECT_FALSE(loop.block_on(counted.found()));
  EXPECT_EQ(looks, 2);
}

TEST_F(IflowInstallationTest, ItsSettingsAreWrittenWhereThereIsSomethingToSay) {
  made({.settings_path = path("home/settings.json")});
  EXPECT_FALSE(installation->write_settings("")->changed);
  EXPECT_FALSE(fs::exists(path("home"))) << "no model is given, so there is no setting to write";
  EXPECT_TRUE(installation->write_settings("glm-4.6")->changed);
  EXPECT_FALSE(installation->write_settings("glm-4.6")->changed);
  EXPECT_THAT(test::read_file(path("home/settings.json")), HasSubstr(R"("modelName": "glm-4.6")"));
  made({.settings_path = path("home/settings.json"), .base_url = "https://models.example", .api_key = "k"});
  EXPECT_TRUE(installation->write_settings("")->changed);
  const std::string text = test::read_file(path("home/settings.json"));
  EXPECT_THAT(text, HasSubstr(R"("modelName": "glm-4.6")"));
  EXPECT_THAT(text, HasSubstr(R"("baseUrl": "https://models.example")"));
  EXPECT_THAT(text, HasSubstr(R"("apiKey": "k")"));
}

}  // namespace
}  // namespace parlance::driver
