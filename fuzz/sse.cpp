// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stream of server-sent events. Checks beyond "no crash": the cuts of the bytes make no difference, and a received
// event written again is received unchanged.
#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/check.h"
#include "parlance/transport/http/http_client.h"

namespace {

using namespace parlance;

constexpr std::size_t most_event_bytes = 2048;

struct Seen {
  std::vector<std::string> events;
  bool failed = false;
};

Seen parse(BytesView bytes, std::size_t piece) {
  SseParser parser(most_event_bytes);
  Seen seen;
  while (!bytes.empty() && !seen.failed) {
    const auto fed = parser.feed(bytes.substr(0, piece), [&](const SseEvent& event) -> Result<void> {
      PARLANCE_CHECK(event.data.size() <= most_event_bytes, "an event within the limit");
      seen.events.push_back(event.event + '\0' + event.data + '\0' + event.id);
      return {};
    });
    seen.failed = !fed;
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const BytesView bytes(reinterpret_cast<const char*>(data), size);
  const Seen whole = parse(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t piece : {1U, 5U}) {
    const Seen cut = parse(bytes, piece);
    PARLANCE_CHECK(cut.events == whole.events && cut.failed == whole.failed, "the same events however it is cut");
  }

  SseParser parser;
  std::string again;
  std::string first;
  (void)parser.feed(bytes, [&](const SseEvent& event) -> Result<void> {
    std::string lines = event.data;
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 7) lines.replace(at, 1, "\ndata: ");
    again = "event: " + event.event + "\nid: " + event.id + "\ndata: " + lines + "\n\n";
    first = event.event + '\0' + event.data + '\0' + event.id;
    return {};
  });
  if (!again.empty() && again.size() < most_event_bytes) {
    const Seen second = parse(again, 3);
    PARLANCE_CHECK(second.events.size() == 1 && second.events[0] == first, "the last event survives another way");
  }
  return 0;
}
