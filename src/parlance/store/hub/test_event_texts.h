// SPDX-License-Identifier: Apache-2.0
// A test of every hub store: stored texts of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/store.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store::test {

inline std::shared_ptr<const hub::Conversation> conversation(std::string id) {
  return std::make_shared<const hub::Conversation>(
      hub::Conversation{{.id = std::move(id), .agent = "a", .folder = "/f"},
                        {.created_at = "2026-01-01T00:00:00.000Z", .updated_at = "2026-01-01T00:00:00.000Z"}});
}

// An event of each kind, then events with texts that need care.
inline std::vector<hub::Event> events_of_all_kinds() {
  std::vector<hub::Event> events;
  const auto add = [&](hub::EventBody body) {
    events.push_back({.seq = events.size() + 1, .time = "2026-01-01T00:00:00.000Z", .body = std::move(body)});
  };
  [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
    (add(std::variant_alternative_t<Kind, hub::AnyEvent>{}), ...);
  }(std::make_index_sequence<std::variant_size_v<hub::AnyEvent>>());
  add(hub::event::Text{.text = "It's \"quoted\" \\ \n\t\x01 主题 \xf0\x9f\x98\x80 {a,b}"});
  add(hub::event::ToolStart{.call = "k", .tool = "run", .input_json = "{ \"a\" : [1, 2.50, \"\\u00e9\\ud83d\\ude00\"] }"});
  add(hub::event::ToolUpdate{.call = "k", .input_json = "[]", .content = {{hub::Diff{.path = "p", .after = "x"}}}});
  add(hub::event::Usage{.input_tokens = UINT64_MAX, .cost = hub::Cost{.amount = 0.1}});
  add(hub::event::Cleared{.by = "ann"});
  return events;
}

// Writes events of all kinds. Their texts are the JSON of the written events, and of the events that the store reads.
inline void compare_texts(Loop& loop, hub::Store& store) {
  const std::vector<hub::Event> written = events_of_all_kinds();
  ASSERT_TRUE(loop.block_on(store.commit({.conversation = conversation("c1"), .events_of = "c1", .events = written})));
  struct Range {
    std::uint64_t after;
    std::uint64_t before;
    std::size_t limit;
    std::size_t count;
  };
  for (const Range range : {Range{0, UINT64_MAX, 0, written.size()}, Range{3, 20, 0, 16}, Range{2, 20, 5, 5}}) {
    const auto events = loop.block_on(store.events("c1", range.after, range.before, range.limit));
    const auto texts = loop.block_on(store.event_texts("c1", range.after, range.before, range.limit));
    ASSERT_TRUE(events && texts);
    ASSERT_EQ(events->size(), range.count);
    ASSERT_EQ(texts->size(), range.count);
    for (std::size_t i = 0; i < range.count; ++i) {
      const hub::EventText& text = (*texts)[i];
      EXPECT_EQ(text.seq, (*events)[i].seq);
      EXPECT_EQ(text.event_json, wire_form::event_json((*events)[i]));
      EXPECT_EQ(text.event_json, wire_form::event_json(written[text.seq - 1]));
    }
  }
  EXPECT_TRUE(loop.block_on(store.event_texts("c9", 0, UINT64_MAX, 0))->empty());
}

}  // namespace parlance::store::test
