// SPDX-License-Identifier: Apache-2.0
// All recorded sessions, cut anywhere: no part of a line is taken for a line.
#include "parlance/protocol/claude/dialect.h"
#include "parlance/protocol/claude/replay_test_support.h"

namespace parlance::claude {
namespace {

using test::Record;
using test::Replay;

// A stream may end at any byte. The earlier lines are complete, so only the last line matters: its part is not taken for a line,
// and the next whole line is read normally.
TEST_P(Replay, NoPartOfALineIsTakenForOne) {
  for (const Side side : {Side::host, Side::agent}) {
    const auto dialect = control_dialect(side, [](const Error&, BytesView) {});
    for (const Record& record : records) {
      if (record.from_host != (side == Side::agent) || !record.is_message) continue;
      for (std::size_t length = 1; length < record.line.size(); ++length) {
        const Message message = dialect->decode(BytesView(record.line).substr(0, length));
        const bool fails_its_call = message.kind == MessageKind::reply && message.error != nullptr;
        ASSERT_TRUE(message.kind == MessageKind::malformed || fails_its_call) << record.line.substr(0, length);
        ASSERT_FALSE(message.answer || message.fatal);
      }
      static_cast<void>(dialect->decode(record.line));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sessions, Replay, ::testing::ValuesIn(test::recordings(test::recordings_folder)), test::name_of);

TEST(Recordings, AreAllThere) { EXPECT_EQ(test::recordings(test::recordings_folder).size(), 283U); }

}  // namespace
}  // namespace parlance::claude
