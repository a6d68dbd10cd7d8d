// SPDX-License-Identifier: Apache-2.0
// Where the key for an embedding service comes from, and to whom it is never sent.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/server/embed/embedder_via_http.h"

namespace parlance::server {
namespace {

TEST(FindEmbedKey, OneVendorsKeyIsNotSentToAnother) {
  const auto variable = [](std::string_view name) -> std::optional<std::string> {
    if (name == "OPENAI_API_KEY") return "sk-openai";
    return std::nullopt;
  };
  EXPECT_EQ(find_embed_key("https://api.openai.com/v1", variable, "")->text, "sk-openai");
  EXPECT_EQ(find_embed_key("http://api.openai.com/v1", variable, "")->text, "");
  EXPECT_EQ(find_embed_key("https://api.example.com/v1", variable, "")->text, "");
  const auto own = [](std::string_view name) -> std::optional<std::string> { return std::string(name); };
  EXPECT_EQ(find_embed_key("http://127.0.0.1:1", own, "")->origin, "PARLANCE_EMBED_API_KEY");
}

TEST(FindEmbedKey, AFileForItsOwnerAloneWins) {
  std::string folder = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/key";
  std::ofstream(file) << "sk-in-a-file\n";
  const auto variable = [](std::string_view) -> std::optional<std::string> { return "sk-of-the-environment"; };
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  EXPECT_EQ(find_embed_key("http://127.0.0.1:1", variable, file)->text, "sk-in-a-file");
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  const auto readable = find_embed_key("http://127.0.0.1:1", variable, file);
  ASSERT_FALSE(readable);
  EXPECT_EQ(readable.error().code, Errc::denied);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parlance::server
