// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/embed_address.h"

#include <sys/wait.h>

#include "apps/parlance/config/test_support.h"

namespace parlance::app {
namespace {

class EmbedAddress : public test::ConfigTest {
 protected:
  Settings here(std::map<std::string, std::string> flags = {}) const {
    flags["state"] = base + "/own";
    return resolved(flags);
  }
  std::string address(const std::map<std::string, std::string>& flags = {}) const {
    const auto found = embed_address(here(flags));
    return found ? *found : found.error().message;
  }
  void left_by(pid_t pid) const {
    std::filesystem::create_directory(base + "/own");
    write("own/embed.json", R"({"url":"http://127.0.0.1:9/","pid":)" + std::to_string(pid) + "}");
  }
  static constexpr const char* no_service =
      "no embedding service runs with this gateway: parlance up starts one, or parlance embed with the same --state";
};

TEST_F(EmbedAddress, IsTheServicesPublishedAddressDuringItsLife) {
  {
    const PublishedEmbedAddress published(here(), "http://127.0.0.1:1234/");
    EXPECT_EQ(address(), "http://127.0.0.1:1234/");
    EXPECT_EQ(address({{"embed-listen", "127.0.0.1:5"}}), "http://127.0.0.1:1234/") << "it knows better than a setting";
  }
  EXPECT_EQ(address(), no_service);
  EXPECT_FALSE(std::filesystem::exists(base + "/own/embed.json"));
}

TEST_F(EmbedAddress, WithoutAServiceIsTheConfiguredAddress) {
  EXPECT_EQ(address({{"embed-listen", "127.0.0.1:5"}}), "http://127.0.0.1:5/");
  const auto none = embed_address(here());
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, Errc::disconnected);
}

// Another program may use the port of a killed service.
TEST_F(EmbedAddress, OfADeadServiceIsIgnored) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  left_by(child);
  EXPECT_EQ(address(), no_service);
}

TEST_F(EmbedAddress, AFileWithoutAProcessIsIgnored) {
  for (const char* text : {"", "{", "[]", R"({"url":"http://a/"})", R"({"url":"http://a/","pid":0})",
                           R"({"url":"http://a/","pid":-1})", R"({"url":"http://a/","pid":"1"})"}) {
    std::filesystem::create_directories(base + "/own");
    write("own/embed.json", text);
    EXPECT_EQ(address(), no_service) << text;
  }
}

TEST_F(EmbedAddress, TheCreatedFolderIsPrivate) {
  const PublishedEmbedAddress published(here(), "http://127.0.0.1:1/");
  EXPECT_EQ(std::filesystem::status(base + "/own").permissions(), std::filesystem::perms::owner_all);
}

TEST_F(EmbedAddress, AnotherServicesLaterFileStays) {
  {
    const PublishedEmbedAddress published(here(), "http://127.0.0.1:1/");
    left_by(::getppid());
  }
  EXPECT_EQ(address(), "http://127.0.0.1:9/");
}

}  // namespace
}  // namespace parlance::app
