// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/page/messages.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::page {
namespace {

template <class T>
std::string again(std::string_view text) {
  const auto value = json::from_text<T>(text);
  return value ? json::to_text(*value) : value.error().message;
}

// Every message of the page, with all its members: read and written again it is the same.
TEST(PageMessages, OfThePageComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"type":"ready"})",
          R"({"type":"open","request":"1","conversation":"c","after":7,"limit":100})",
          R"({"type":"older","request":"1","conversation":"c","before":7,"limit":100})",
          R"({"type":"close","request":"1","conversation":"c"})",
          R"({"type":"new","request":"1","agent":"a","folder":"/f","mode":"autoEdit","model":"m","think":true})",
          R"({"type":"prompt","request":"1","conversation":"c","text":"hello"})",
          R"({"type":"prompt","request":"1","conversation":"c","text":"","attachments":[{"name":"a.png","media_type":"image/png","data":"YWJj"}]})",
          R"({"type":"withdraw","request":"1","conversation":"c","queued":"q"})",
          R"({"type":"stop","request":"1","conversation":"c"})",
          R"({"type":"go_on","request":"1","conversation":"c"})",
          R"({"type":"answer","request":"1","ask":"k","digest":"d","option":"o","text":"t","answers":[["a","b"],[]]})",
          R"({"type":"reask","request":"1","ask":"k"})",
          R"({"type":"set","request":"1","conversation":"c","title":"t","mode":"plan","model":"","think":false})",
          R"({"type":"delete","request":"1","conversation":"c"})",
          R"({"type":"revoke","request":"1","rule":"r"})",
          R"({"type":"memory_search","request":"1","query":"q","category":"fact"})",
          R"({"type":"memory_list","request":"1","category":"fact","conversation":"c","before":"m","limit":20})",
          R"({"type":"memory_forget","request":"1","id":"m"})",
      })
    EXPECT_EQ(again<PageMessage>(text), text);
}

TEST(PageMessages, OfTheHostComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"type":"snapshot","seq":3,"version":"v","capabilities":["x"],"home":"/h","default_folder":"/d","attachment_limits":{"files":2,"bytes":10,"picture_bytes":5,"media_types":["image/png"]},"agents":[{"id":"a"}],"services":[],"conversations":[{"id":"c"}],"asks":[],"rules":[]})",
          R"({"type":"delta","seq":4,"ops":[{"op":"conversation","conversation":{"id":"c"}},{"op":"conversation_removed","id":"c"},{"op":"events","conversation":"c","events":[{"seq":1},{"seq":2}]},{"op":"ask","ask":{}},{"op":"rule","rule":{}},{"op":"rule_removed","id":"r"},{"op":"agent","agent":{}},{"op":"service","service":{}}]})",
          R"({"type":"done","request":"1","value":{"turn":"t"}})",
          R"({"type":"done","request":"1"})",
          R"({"type":"failed","request":"1","code":"not_found","message":"m"})",
      })
    EXPECT_EQ(again<HostMessage>(text), text);
}

TEST(PageMessages, MemoriesComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"memories":[{"id":"m","text":"t","category":"fact","importance":0.5,"source":"agent","conversation":"c","event":7,"created_at":"2024-05-06T07:08:09Z","score":0.75,"matched":"both"}],"next":"m"})",
          R"({"memories":[]})",
      })
    EXPECT_EQ(again<MemoriesValue>(text), text);
}

TEST(PageMessages, AFaultNamesItsPlace) {
  EXPECT_EQ(again<PageMessage>(R"({"type":"prompt","request":"1","conversation":"c"})"), "$.text: missing");
  EXPECT_EQ(again<PageMessage>(R"({"type":"prompt","request":"1","conversation":5,"text":""})"),
            "$.conversation: expected text, found a number");
  EXPECT_EQ(again<PageMessage>(R"({"type":"open","request":"1","conversation":"c","after":-1})"),
            "$.after: number out of range: -1");
  EXPECT_EQ(again<PageMessage>(R"({"type":"answer","request":"1","ask":"a","digest":"d","answers":[["x"],"y"]})"),
            "$.answers[1]: expected an array, found text");
  EXPECT_TRUE(again<PageMessage>(R"({"type":"set","request":"1","conversation":"c","mode":"turbo"})")
                  .starts_with("$.mode: expected one of"));
  EXPECT_EQ(again<PageMessage>(R"({"request":"1"})"), "$.type: missing");
}

}  // namespace
}  // namespace parlance::page
