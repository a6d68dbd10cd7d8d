// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/discovery.h"

#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/iflow/limits.h"
#include "parlance/driver/iflow/test_support.h"

namespace parlance::driver {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::string_view node_script = "#!/usr/bin/env node\nconsole.log('0.5.19')\n";

class DiscoveryTest : public test::InstalledTest {
 protected:
  std::string link(const std::string& name, const std::string& to) {
    fs::create_directories(fs::path(path(name)).parent_path());
    fs::create_symlink(to, path(name));
    return path(name);
  }
  Reporter report() {
    return [this](std::string_view reason) { reasons_.emplace_back(reason); };
  }
  std::optional<std::string> find(Surroundings place) { return get(find_iflow(loop, std::move(place), report())); }

  std::vector<std::string> reasons_;
};

TEST_F(DiscoveryTest, AProgramInPathIsFoundFirst) {
  const std::string program = make("bin/iflow", node_script);
  make("home/.local/bin/iflow", node_script);
  EXPECT_EQ(find({.path = path("none") + ":" + path("bin"), .home = path("home")}), program);
}

TEST_F(DiscoveryTest, LoginShellFindsTheProgram) {
  const std::string program = make("nvm/bin/iflow", node_script);
  const std::string shell =
      make("shell",
           "#!/bin/sh\n[ \"$1\" = -lc ] || exit 1\necho 'Welcome back!'\necho /no/such/iflow\necho " + program + "\necho bye\n");
  EXPECT_EQ(find({.path = "/usr/bin:/bin", .shell = shell, .home = path("home")}), program);
}

TEST_F(DiscoveryTest, FailedShellIsLoggedAndKnownFoldersAreSearched) {
  const std::string shell = make("shell", "#!/bin/sh\necho broken >&2\nexit 3\n");
  const std::string program = make("home/.npm-global/bin/iflow", node_script);
  EXPECT_EQ(find({.path = path("none"), .shell = shell, .home = path("home")}), program);
  EXPECT_THAT(reasons_, Contains(HasSubstr("exit code 3: broken")));
}

TEST_F(DiscoveryTest, TheKnownFoldersAreLookedAtInTheOrderOfTheSdk) {
  if (fs::exists("/usr/local/bin/iflow")) GTEST_SKIP() << "one is installed here";
  for (const std::string folder : {".yarn/bin", "node_modules/.bin", ".local/bin", ".npm-global/bin"}) {
    const std::string program = make("home/" + folder + "/iflow", node_script);
    EXPECT_EQ(find({.path = path("none"), .home = path("home")}), program) << "before all that were there already";
  }
}

TEST_F(DiscoveryTest, EndlessShellOutputIsStopped) {
  const std::string shell = make("shell", "#!/bin/sh\nwhile true; do echo /bin/ls; done\n");
  EXPECT_EQ(find({.path = path("none"), .shell = shell, .home = path("home")}), std::nullopt);
  EXPECT_THAT(reasons_, Contains(HasSubstr("prints more than")));
}

TEST_F(DiscoveryTest, MissingInstallationNamesTheRemedy) {
  EXPECT_EQ(find({.path = path("none"), .home = path("home")}), std::nullopt);
  EXPECT_THAT(reasons_, Contains(HasSubstr("npm install -g @iflow-ai/iflow-cli")));
  EXPECT_EQ(get(discover_iflow(loop, {}, report())), std::nullopt);
}

TEST_F(DiscoveryTest, TheScriptIsWhereTheLinkLeads) {
  const std::string script = make("lib/node_modules/@iflow-ai/iflow-cli/bundle/entry.js", node_script);
  const std::string program = link("bin/iflow", "../lib/node_modules/@iflow-ai/iflow-cli/bundle/entry.js");
  EXPECT_EQ(script_of_iflow(program, report()), fs::canonical(script));
  EXPECT_EQ(node_of_iflow(program, {}, report()), std::nullopt);
  const std::string node = make("bin/node", "#!/bin/sh\n");
  EXPECT_EQ(node_of_iflow(program, {}, report()), node);
}

TEST_F(DiscoveryTest, NodeIsFoundAboveTheRealPlaceAndInPath) {
  make("opt/lib/node_modules/iflow/entry.js", node_script);
  const std::string program = link("links/iflow", path("opt/lib/node_modules/iflow/entry.js"));
  const std::string other = make("path/node", "#!/bin/sh\n");
  EXPECT_EQ(node_of_iflow(program, {.path = path("path")}, report()), other);
  const std::string node = make("opt/bin/node", "#!/bin/sh\n");
  EXPECT_EQ(node_of_iflow(program, {.path = path("path")}, report()), fs::canonical(node));
}

TEST_F(DiscoveryTest, AWrapperIsReadAndAnythingElseIsRefused) {
  make("bin/app/cli.js", node_script);
  const std::string wrapper =
      make("bin/iflow", "#!/bin/sh\nbasedir=$(dirname \"$0\")\nexec node  \"$basedir/app/cli.js\" \"$@\"\n");
  EXPECT_EQ(script_of_iflow(wrapper, report()), fs::canonical(path("bin/app/cli.js")));
  EXPECT_EQ(script_of_iflow(make("a", "exec node \"$basedir/gone.js\""), report()), std::nullopt);
  EXPECT_THAT(reasons_, Contains(HasSubstr("gone.js, which is not there")));
  EXPECT_EQ(script_of_iflow(make("b", std::string("\177ELF\0cli.js", 11)), report()), std::nullopt);
  EXPECT_EQ(script_of_iflow(make("c", "node app/cli.js\n" + std::string(limits::iflow_wrapper_bytes, '#')), report()),
            std::nullopt);
  EXPECT_EQ(script_of_iflow(path("missing"), report()), std::nullopt);
  EXPECT_EQ(script_of_iflow(link("loop", "loop"), report()), std::nullopt);
}

TEST_F(DiscoveryTest, DiscoverReturnsAllThreeParts) {
  make("bin/app/cli.js", node_script);
  const std::string program = link("bin/iflow", "app/cli.js");
  const std::string node = make("bin/node", "#!/bin/sh\necho noise\necho v-$2\n");
  const auto found = get(discover_iflow(loop, {.path = path("bin")}, report()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->program, program);
  EXPECT_EQ(found->script, fs::canonical(path("bin/app/cli.js")));
  EXPECT_EQ(found->node, node);
  EXPECT_EQ(get(version_of_iflow(loop, *found, report())), "v---version");
}

TEST_F(DiscoveryTest, BinaryProgramRunsByItself) {
  const std::string program = make("bin/iflow", "#!/bin/sh\necho 1.2.3\n");
  const auto found = get(discover_iflow(loop, {.path = path("bin")}, report()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->program, program);
  EXPECT_EQ(found->script + found->node, "");
  EXPECT_EQ(get(version_of_iflow(loop, *found, report())), "1.2.3");
  EXPECT_EQ(get(version_of_iflow(loop, {.program = "/no/such/iflow"}, report())), "");
}

}  // namespace
}  // namespace parlance::driver
