// SPDX-License-Identifier: Apache-2.0
// A connection of a page with each fault, for the oracle.
#include "tests/simulator/page_witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::simulator {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// A page opens a conversation with three events.
struct WitnessOfAPage : ::testing::Test {
  WitnessOfAPage() {
    gateway(page::Snapshot{.seq = 7});
    open("open", {1, 2, 3});
  }
  void gateway(auto message) { witness.from_gateway(json::to_text(page::HostMessage{std::move(message)})); }
  void open(const std::string& request, const std::vector<int>& events) {
    witness.from_page(
        json::to_text(page::PageMessage{page::OpenConversation{.request = request, .conversation = "conversation"}}));
    const page::OpenedValue value{.events = raw(events), .last_seq = 3, .first_seq = 1};
    gateway(page::Done{.request = request, .value = wire::Raw{.json = json::to_text(value)}});
  }
  void change(std::uint64_t number, const std::vector<int>& events) {
    gateway(page::Delta{.seq = number, .ops = {{page::EventsOp{.conversation = "conversation", .events = raw(events)}}}});
  }
  static std::vector<wire::Raw> raw(const std::vector<int>& events) {
    std::vector<wire::Raw> texts;
    for (const int event : events) texts.push_back({.json = R"({"seq":)" + std::to_string(event) + R"(,"time":""})"});
    return texts;
  }
  Ledger ledger;
  PageWitness witness{ledger};
};

TEST_F(WitnessOfAPage, AgreesWithEachEventOnce) {
  change(8, {4, 5});
  change(9, {6});
  open("again", {1, 2, 3});
  change(10, {4});
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
}

TEST_F(WitnessOfAPage, FindsALostEvent) {
  change(8, {4, 6});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("sends event 6 after event 4")));
}

TEST_F(WitnessOfAPage, FindsARepeatedEvent) {
  change(8, {4});
  change(9, {4});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("sends event 4 after event 4")));
}

TEST_F(WitnessOfAPage, FindsAnEventOfAClosedConversation) {
  gateway(page::Snapshot{.seq = 7});
  change(8, {4});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("of a closed conversation")));
}

TEST_F(WitnessOfAPage, FindsALostChange) {
  change(9, {4});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("sends change 9 after change 7")));
}

TEST_F(WitnessOfAPage, FindsAGapInAPageOfEvents) {
  open("again", {1, 3});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("has event 3 in place of 2")));
}

}  // namespace
}  // namespace parlance::simulator
