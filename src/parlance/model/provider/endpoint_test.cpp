// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/endpoint.h"

#include <gtest/gtest.h>

#include "parlance/base/uri.h"

namespace parlance::model {
namespace {

Result<Endpoint> endpoint(Kind kind, std::string url) {
  return make_endpoint({.kind = kind, .url = std::move(url), .key = {"sk-secret-1", "PARLANCE_API_KEY"}});
}

TEST(Endpoint, CompletesTypedAddresses) {
  const std::vector<std::pair<std::string, std::string>> openai{
      {"", "https://api.openai.com/v1/chat/completions"},
      {"http://localhost:11434", "http://localhost:11434/v1/chat/completions"},
      {"http://localhost:11434/", "http://localhost:11434/v1/chat/completions"},
      {"https://host/api/v1/", "https://host/api/v1/chat/completions"},
      {"https://host/v1/chat/completions", "https://host/v1/chat/completions"},
      {"https://host/deploy?api-version=3", "https://host/deploy/chat/completions?api-version=3"},
      {"HTTP://[::1]:8080/v1", "HTTP://[::1]:8080/v1/chat/completions"}};
  for (const auto& [given, expected] : openai) EXPECT_EQ(endpoint(Kind::openai, given)->url, expected);
  const std::vector<std::pair<std::string, std::string>> anthropic{
      {"", "https://api.anthropic.com/v1/messages"},
      {"http://127.0.0.1:9", "http://127.0.0.1:9/v1/messages"},
      {"https://host/anthropic", "https://host/anthropic/v1/messages"},
      {"https://host/v1/messages", "https://host/v1/messages"}};
  for (const auto& [given, expected] : anthropic) EXPECT_EQ(endpoint(Kind::anthropic, given)->url, expected);
}

TEST(Endpoint, AnInvalidAddressIsRefused) {
  for (const char* url : {"localhost:11434", "ftp://host/", "http://", "http:///v1", "https://host/v1#part", "https://ho st/",
                          "https://host/\r\nX: y"})
    EXPECT_EQ(endpoint(Kind::openai, url).error().code, Errc::invalid_params) << url;
}

TEST(Endpoint, AKeyWithALineBreakIsRefused) {
  const auto made = make_endpoint({.kind = Kind::openai, .key = {"sk-1\r\nX: y", "OPENAI_API_KEY"}});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("OPENAI_API_KEY"), std::string::npos);
  EXPECT_EQ(made.error().message.find("sk-1"), std::string::npos);
}

TEST(Endpoint, SecretsOfTheAddressAreNotShown) {
  EXPECT_EQ(endpoint(Kind::openai, "https://me:pass@host:8443/v1?key=abc")->shown, "https://host:8443/v1/chat/completions");
}

TEST(StatusError, ReportsCausePlaceAndRemedy) {
  const Endpoint with_key = *endpoint(Kind::openai, "https://host/v1");
  Endpoint without = with_key;
  without.key = {};
  const auto error = [](const Endpoint& at, int status, std::string body) {
    return status_error(at, "m-1", {.status = status, .body = std::move(body)});
  };
  const auto expect = [](const Error& said, Errc code, std::initializer_list<std::string_view> parts) {
    EXPECT_EQ(said.code, code) << said.message;
    for (const std::string_view part : parts) EXPECT_NE(said.message.find(part), std::string::npos) << said.message;
    EXPECT_NE(said.message.find("https://host/v1/chat/completions"), std::string::npos) << said.message;
  };
  expect(error(with_key, 401, R"({"error":{"message":"bad key"}})"), Errc::denied,
         {"does not accept the key from PARLANCE_API_KEY", "bad key"});
  expect(error(without, 401, ""), Errc::denied, {"wants a key", "PARLANCE_API_KEY or OPENAI_API_KEY or OPENCLAW_API_KEY"});
  expect(error(with_key, 404, R"({"error":"no such model"})"), Errc::not_found,
         {"m-1", "no such model", "check the model's name"});
  expect(error(with_key, 400, R"({"error":{"message":"This model's maximum context length is 4096 tokens"}})"),
         Errc::invalid_params, {"too long", "new conversation"});
  expect(error(with_key, 413, ""), Errc::invalid_params, {"too long"});
  expect(error(with_key, 429, R"({"error":{"message":"slow down"}})"), Errc::overloaded, {"rate", "slow down"});
  expect(error(with_key, 429, R"({"error":{"message":"pay","code":"insufficient_quota"}})"), Errc::denied, {"no credit"});
  expect(error(with_key, 529, ""), Errc::overloaded, {"529"});
  expect(error(with_key, 422, R"({"detail":"what?"})"), Errc::invalid_request, {"what?"});
  expect(error(with_key, 302, "<html>moved</html>"), Errc::failed, {"302", "is this the address of a model?"});
}

TEST(StatusError, NeverRepeatsTheKeyNorFloodsTheReader) {
  const Endpoint at = *endpoint(Kind::openai, "https://host/v1");
  const Error said = status_error(
      at, "m", {.status = 401, .body = R"({"error":{"message":"key sk-secret-1 is\nbad )" + std::string(5000, 'x') + R"("}})"});
  EXPECT_EQ(said.message.find("sk-secret-1"), std::string::npos);
  EXPECT_EQ(said.message.find('\n'), std::string::npos);
  EXPECT_LT(said.message.size(), 1000U);
}

TEST(ApiKey, TheFirstVariableOfTheKindWins) {
  std::vector<std::string> asked;
  const auto environment = [&](std::string_view name) -> std::optional<std::string> {
    asked.emplace_back(name);
    if (name == "OPENAI_API_KEY") return " o \n";
    if (name == "ANTHROPIC_API_KEY") return "a";
    return std::nullopt;
  };
  const auto openai = find_api_key(Kind::openai, environment, "");
  EXPECT_EQ(openai->text, "o");
  EXPECT_EQ(openai->origin, "OPENAI_API_KEY");
  EXPECT_EQ(find_api_key(Kind::anthropic, environment, "")->text, "a");
  asked.clear();
  EXPECT_EQ(find_api_key(Kind::rehearsal, environment, "")->text, "");
  EXPECT_TRUE(asked.empty());
}

TEST(SplitUrl, AnIpv6HostHasNoBrackets) {
  EXPECT_EQ(split_url("http://[::1]:11434/v1")->host, "::1");
  EXPECT_TRUE(is_loopback(split_url("http://[::1]/")->host)) << "its key may travel in clear text";
  for (const char* bad : {"http://[", "http://[]:1/"}) EXPECT_FALSE(split_url(bad)) << bad;
}

}  // namespace
}  // namespace parlance::model
