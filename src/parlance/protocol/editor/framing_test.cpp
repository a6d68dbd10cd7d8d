// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/editor/framing.h"

#include <gtest/gtest.h>

namespace parlance::editor {
namespace {

void say(SharedLineFraming& framing, std::string& out, std::string_view text) {
  framing.next_is_text();
  const std::size_t begun = out.size();
  framing.begin(out);
  out += text;
  ASSERT_TRUE(framing.end(out, begun));
}
void send(SharedLineFraming& framing, std::string& out, std::string_view message) {
  const std::size_t begun = out.size();
  framing.begin(out);
  out += message;
  ASSERT_TRUE(framing.end(out, begun));
}

TEST(SharedLineFraming, AMessageBeginsANewLineAfterAnyText) {
  SharedLineFraming framing;
  std::string out;
  send(framing, out, "{1}");
  say(framing, out, "> ");
  send(framing, out, "{2}");
  send(framing, out, "{3}");
  say(framing, out, "text\n");
  send(framing, out, "{4}");
  EXPECT_EQ(out, "{1}\n> \n{2}\n{3}\ntext\n{4}\n");
}

TEST(SharedLineFraming, NothingPrintedChangesNothing) {
  SharedLineFraming framing;
  std::string out;
  say(framing, out, "> ");
  say(framing, out, "");
  send(framing, out, "{}");
  EXPECT_EQ(out, "> \n{}\n");
}

// A prompt goes out before the message that closes its line is known.
TEST(SharedLineFraming, TheLineStaysOpenAcrossWrites) {
  SharedLineFraming framing;
  std::string first;
  say(framing, first, "a");
  std::string second;
  send(framing, second, "{}");
  EXPECT_EQ(second, "\n{}\n");
}

}  // namespace
}  // namespace parlance::editor
