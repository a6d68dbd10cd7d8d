// SPDX-License-Identifier: Apache-2.0
// Any bytes as HTTP/1.x requests on a connection. Checks beyond "no crash": any cuts of the bytes give the same requests. A
// broken request may be refused earlier or later, but the bytes behind are never a request. Header and body stay within their
// limits.
#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/check.h"
#include "parlance/transport/http/http1.h"

namespace {

using namespace parlance;
using http1::Progress;

constexpr std::size_t most_header_bytes = 1024;
constexpr std::size_t most_body_bytes = 2048;

std::vector<std::string> read(BytesView bytes, std::size_t piece) {
  std::vector<std::string> seen;
  auto reader = std::make_unique<http1::RequestReader>(most_header_bytes, most_body_bytes);
  Bytes buffer;
  while (!bytes.empty()) {
    buffer += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (!buffer.empty()) {
      const Progress progress = reader->feed(buffer);
      PARLANCE_CHECK(progress.consumed <= buffer.size(), "nothing is consumed that is not there");
      buffer.erase(0, progress.consumed);
      if (progress.state == Progress::failed) {
        PARLANCE_CHECK(progress.status >= 400 && progress.status < 600 && !progress.error.empty(), "a refusal with a reason");
        return seen;
      }
      if (progress.state == Progress::need_more) {
        PARLANCE_CHECK(buffer.size() <= most_header_bytes, "little waits");
        break;
      }
      if (progress.state == Progress::head && reader->feed({}).state != Progress::done) continue;
      const ServerRequest& request = reader->request();
      PARLANCE_CHECK(request.body.size() <= most_body_bytes, "a body within the limit");
      seen.push_back(request.method + " " + request.path + " " + std::to_string(request.headers.size()) + " " + request.body);
      reader = std::make_unique<http1::RequestReader>(most_header_bytes, most_body_bytes);
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const BytesView bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = read(bytes, std::max<std::size_t>(bytes.size(), 1));
  PARLANCE_CHECK(whole == read(bytes, 1), "the same requests byte by byte");
  PARLANCE_CHECK(whole == read(bytes, 11), "the same requests in elevens");
  return 0;
}
