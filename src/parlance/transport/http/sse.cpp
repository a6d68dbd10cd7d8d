// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/text.h"
#include "parlance/transport/http/http_client.h"

namespace parlance {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Result<void> SseParser::feed(BytesView bytes, const std::function<Result<void>(SseEvent)>& on_event) {
  while (!bytes.empty()) {
    if (last_was_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);  // the second half of a CRLF that was cut
    last_was_cr_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    const BytesView piece = bytes.substr(0, end);
    if (piece.size() > limit_ - std::min(limit_, partial_.size() + event_.data.size()))
      return fail(Errc::overloaded, "a server-sent event is larger than " + std::to_string(limit_) + " bytes");
    if (end == BytesView::npos) {
      partial_ += piece;
      return {};
    }
    last_was_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (partial_.empty()) {
      PARLANCE_TRY_DO(line(piece, on_event));
    } else {
      partial_ += piece;
      const std::string whole = std::exchange(partial_, {});
      PARLANCE_TRY_DO(line(whole, on_event));
    }
  }
  return {};
}

Result<void> SseParser::line(BytesView text, const std::function<Result<void>(SseEvent)>& on_event) {
  if (std::exchange(at_start_, false) && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.empty()) {
    // An event without data is none; the id stays for the events to come.
    SseEvent complete{.event = std::exchange(event_.event, {}), .data = std::exchange(event_.data, {}), .id = event_.id};
    if (!std::exchange(has_data_, false)) return {};
    return on_event(std::move(complete));
  }
  const std::size_t colon = text.find(':');
  if (colon == 0) return {};  // a comment, which keeps the connection alive
  const BytesView field = text.substr(0, colon);
  BytesView value = colon == BytesView::npos ? BytesView{} : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  } else if (field == "event") {
    event_.event = value;
  } else if (field == "id" && value.find('\0') == BytesView::npos) {
    event_.id = value;
  } else if (field == "retry") {
    if (const auto ms = parse_number<std::uint32_t>(value)) retry_ = std::chrono::milliseconds(*ms);
  }
  return {};
}

}  // namespace parlance
