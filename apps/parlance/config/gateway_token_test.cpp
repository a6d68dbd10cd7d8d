// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/gateway_token.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"
#include "parlance/gateway/token_file.h"

namespace parlance::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class GatewayToken : public test::ConfigTest {
 protected:
  std::string kept(const std::string& text, std::filesystem::perms mode = std::filesystem::perms(0600)) const {
    const std::string path = write("token", text);
    std::filesystem::permissions(path, mode);
    return path;
  }
  static GatewayAddress to(const std::string& address) { return *GatewayAddress::parse(address, page_path); }
};

TEST_F(GatewayToken, IsTheSingleWordOfAPrivateFile) {
  EXPECT_EQ(read_token_file(kept("secret\n")).value(), "secret");
  EXPECT_EQ(read_token_file(kept("\xef\xbb\xbfsecret\r\n")).value(), "secret") << "as an editor on Windows writes it";
  const auto open = read_token_file(kept("secret", std::filesystem::perms(0640)));
  EXPECT_EQ(open.error().code, Errc::denied);
  EXPECT_THAT(open.error().message, AllOf(HasSubstr("chmod 600"), Not(HasSubstr("secret"))));
  EXPECT_THAT(read_token_file(kept("one two")).error().message, AllOf(HasSubstr("more than one word"), Not(HasSubstr("two"))));
  EXPECT_THAT(read_token_file(kept("\n")).error().message, HasSubstr("there is no token in"));
  EXPECT_EQ(read_token_file("/nowhere/token").error().code, Errc::not_found);
  EXPECT_FALSE(read_token_file("/dev/null"));
}

TEST_F(GatewayToken, TheOneOfTheStateFolderIsShownToThisMachineAlone) {
  const std::string made = gateway::resolve_token("auto", base + "/state").value_or("none");
  const Settings settings = resolved({{"state", base + "/state"}});
  EXPECT_EQ(token_for(to("ws://127.0.0.1:1"), "", settings).value_or(""), made);
  EXPECT_THAT(token_for(to("wss://box.example"), "", settings).error().message, HasSubstr("--token-file"));
  EXPECT_EQ(token_for(to("wss://box.example"), kept("mine"), settings).value_or(""), "mine");
  EXPECT_EQ(token_for(to("wss://box.example"), "", resolved({{"token", "given"}})).value_or(""), "given");
}

}  // namespace
}  // namespace parlance::app
