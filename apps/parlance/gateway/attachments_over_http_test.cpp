// SPDX-License-Identifier: Apache-2.0
// Attachments of a prompt, fetched like a browser: with another client (libcurl), over a real socket.
#include "parlance/face/page/attachments_over_http.h"

#include <ranges>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/base/base64.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::app {
namespace {

using test::GatewayBench;
using testing::HasSubstr;

class AttachmentsOverHttpTest : public testing::Test {
 protected:
  AttachmentsOverHttpTest() {
    bench_.hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(bench_.script, bench_.log));
    conversation_ = hub::test::create(bench_.loop, bench_.hub, {.agent = "scripted", .folder = "/project"});
  }
  // Sends the file with a prompt; returns its address.
  std::string address_of(hub::AttachmentInfo about, std::string data) {
    const auto prompted = bench_.loop.block_on(bench_.hub.submit(
        conversation_, hub::SendPrompt{.text = "look", .attachments = {{.about = std::move(about), .data = std::move(data)}}}));
    EXPECT_TRUE(prompted);
    bench_.until([&] { return hub::test::is_idle(bench_.hub, conversation_); });
    return address_of_last();
  }
  std::string address_of_last() {
    for (const hub::Event& event : bench_.store.logs[conversation_] | std::views::reverse)
      if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body); said != nullptr && said->attachments)
        return std::string(face::attachments_folder) + said->attachments->front().id;
    return "";
  }

  GatewayBench bench_;
  std::string conversation_;
};

TEST_F(AttachmentsOverHttpTest, WhatAPageSentComesBackByteForByte) {
  const std::string bytes("\x89PNG\r\n\x1a\n\0\xff", 10);
  const auto page = bench_.connect("/ws", {"parlance.v1", "token.t0ken"});
  ASSERT_TRUE(page);
  ASSERT_TRUE((*page)->send(R"({"type":"prompt","request":"1","conversation":")" + conversation_ +
                            R"(","text":"","attachments":[{"name":"Größe.png","media_type":"image/png","data":")" +
                            to_base64(bytes) + R"("}]})"));
  EXPECT_THAT(bench_.receive(**page), HasSubstr(R"({"type":"done","request":"1","value":{"turn":)"));
  const HttpResponse answer = bench_.send("GET", address_of_last());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, bytes);
  EXPECT_EQ(GatewayBench::header(answer, "Content-Type"), "image/png");
  EXPECT_EQ(GatewayBench::header(answer, "Content-Disposition"), "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe.png");
  EXPECT_EQ(GatewayBench::header(answer, "Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'; sandbox");
  EXPECT_EQ(GatewayBench::header(answer, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(GatewayBench::header(answer, "Cache-Control"), "no-store");
}

// A page, a drawing with scripts, or a type that would break out of the header.
TEST_F(AttachmentsOverHttpTest, ExecutableTypesAreOnlyEverSaved) {
  struct Kind {
    std::string media_type, answered;
  };
  for (const auto& [media_type, answered] : std::vector<Kind>{{"text/html", "text/html"},
                                                              {"image/svg+xml", "image/svg+xml"},
                                                              {"application/pdf", "application/pdf"},
                                                              {"image/png\r\nSet-Cookie: a=b", "application/octet-stream"},
                                                              {"", "application/octet-stream"}}) {
    const HttpResponse answer = bench_.send("GET", address_of({.media_type = media_type, .name = "a\".b\r\nc"}, "<script>"));
    EXPECT_EQ(answer.status, 200) << media_type;
    EXPECT_EQ(GatewayBench::header(answer, "Content-Type"), answered);
    EXPECT_EQ(GatewayBench::header(answer, "Content-Disposition"), "attachment; filename*=UTF-8''a%22.b%0D%0Ac") << media_type;
    EXPECT_EQ(GatewayBench::header(answer, "Set-Cookie"), "");
    EXPECT_THAT(GatewayBench::header(answer, "Content-Security-Policy"), HasSubstr("sandbox"));
  }
}

TEST_F(AttachmentsOverHttpTest, OneWhoseRowIsGoneIsNotFoundAndTheOthersAreThere) {
  const std::string gone = address_of({.media_type = "image/png"}, "gone");
  const std::string kept = address_of({.media_type = "image/png"}, "kept");
  bench_.store.attachments.erase(gone.substr(face::attachments_folder.size()));
  const HttpResponse answer = bench_.send("GET", gone);
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, HasSubstr("no attachment " + gone.substr(face::attachments_folder.size())));
  EXPECT_EQ(bench_.send("GET", kept).body, "kept");
}

TEST_F(AttachmentsOverHttpTest, AMissingAttachmentIsReportedWithItsReason) {
  const std::string address = address_of({.media_type = "image/png"}, "bytes");
  EXPECT_EQ(bench_.send("GET", address).status, 200);
  EXPECT_EQ(bench_.send("HEAD", address).body, "");
  EXPECT_EQ(bench_.send("GET", "/attachments/none").status, 404);
  const HttpResponse elsewhere =
      bench_.send("GET", address_of({.media_type = "image/png", .url = "https://example.org/a.png"}, ""));
  EXPECT_EQ(elsewhere.status, 404);
  EXPECT_THAT(elsewhere.body, HasSubstr("https://example.org/a.png"));
}

}  // namespace
}  // namespace parlance::app
