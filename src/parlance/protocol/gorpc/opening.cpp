// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/gorpc/opening.h"

#include "parlance/base/text.h"

namespace parlance::gorpc {
namespace {

constexpr std::size_t most_head_bytes = 4096;

bool begins(BytesView bytes, BytesView word) { return bytes.substr(0, word.size()) == word.substr(0, bytes.size()); }

}  // namespace

Opening recognise(BytesView bytes) {
  if (bytes.size() < 2) return Opening::need_more;
  const auto second = static_cast<unsigned char>(bytes[1]);
  // The first gob message defines a type: its second byte begins a negative number of more than one byte (0x80 and above).
  // In text the second byte is ASCII, so '{' (a length of 123) and 'C' (67) cannot be mistaken.
  if (second >= 0x80) return Opening::gob;
  if (bytes[0] == '{' || bytes[0] == ' ' || bytes[0] == '\n' || bytes[0] == '\r' || bytes[0] == '\t') return Opening::json;
  static constexpr BytesView preface = "PRI * HTTP/2.0";
  if (begins(bytes, preface)) return bytes.size() >= preface.size() ? Opening::grpc : Opening::need_more;
  static constexpr BytesView connect = "CONNECT ";
  if (begins(bytes, connect)) return bytes.size() >= connect.size() ? Opening::http : Opening::need_more;
  for (const BytesView method :
       {BytesView("GET "), BytesView("POST "), BytesView("HEAD "), BytesView("PUT "), BytesView("OPTIONS ")})
    if (begins(bytes, method)) return bytes.size() >= method.size() ? Opening::http_other : Opening::need_more;
  return Opening::gob;
}

HttpOpening read_http_head(BytesView bytes) {
  HttpOpening head;
  std::size_t from = 0;
  bool first = true;
  for (;;) {
    const std::size_t end = bytes.find('\n', from);
    if (end == BytesView::npos) {
      head.broken = bytes.size() > most_head_bytes;
      return head;
    }
    BytesView line = bytes.substr(from, end - from);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    from = end + 1;
    if (first) {
      const auto words = split(line, ' ');
      if (words.size() < 2) {
        head.broken = true;
        return head;
      }
      head.method = words[0];
      head.path = words[1];
      first = false;
    } else if (line.empty()) {
      head.complete = true;
      head.consumed = from;
      return head;
    }
  }
}

}  // namespace parlance::gorpc
