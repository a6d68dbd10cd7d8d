// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/http_errors.h"

#include <gtest/gtest.h>

namespace parlance::gateway {
namespace {

struct Tea {
  std::string kind{};
  static constexpr auto wire = wire::fields(wire::field<&Tea::kind>("kind", "Green or black."));
};

TEST(HttpErrors, InvalidJsonAndAWrongBodyHaveDifferentErrors) {
  EXPECT_EQ(read_body<Tea>(R"({"kind":"green"})")->kind, "green");
  for (const char* text : {"", "no JSON", "kind=green", R"({"kind":)"}) {
    const Error why = read_body<Tea>(text).error();
    EXPECT_EQ(why.code, Errc::invalid_request) << text;
    EXPECT_TRUE(why.message.starts_with("the request's body is no JSON: at byte ")) << why.message;
    EXPECT_EQ(http_status_of(why.code), 400);
  }
  EXPECT_EQ(read_body<Tea>("null").error().message, "$: expected an object, found null");
  EXPECT_EQ(read_body<Tea>("{}").error().message, "$.kind: missing");
}

TEST(HttpErrors, TheMemberThatIsWrongIsNamedForPrograms) {
  EXPECT_EQ(
      error_json({.code = Errc::invalid_params, .message = "$.input[2]: it is empty"}),
      R"({"error":{"message":"$.input[2]: it is empty","type":"invalid_request_error","param":"input[2]","code":"invalid_params"}})");
  EXPECT_EQ(error_json(with_code({.code = Errc::not_found, .message = "no such model"}, "model_not_found")),
            R"({"error":{"message":"no such model","type":"invalid_request_error","param":null,"code":"model_not_found"}})");
}

TEST(HttpErrors, AClientLearnsWhetherToTryAgain) {
  const auto header = [](Errc code, std::string_view name) -> std::string {
    for (const auto& [key, value] : error_reply({.code = code, .message = "no"}).headers)
      if (key == name) return value;
    return "";
  };
  EXPECT_EQ(header(Errc::overloaded, "X-Should-Retry"), "true");
  EXPECT_EQ(header(Errc::overloaded, "Retry-After"), "1");
  EXPECT_EQ(header(Errc::failed, "X-Should-Retry"), "false") << "it costs as much the second time";
  EXPECT_EQ(header(Errc::failed, "Retry-After"), "");
}

}  // namespace
}  // namespace parlance::gateway
