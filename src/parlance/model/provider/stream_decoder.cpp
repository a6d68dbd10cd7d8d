// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/stream_decoder.h"

#include <utility>

#include "parlance/model/provider/endpoint.h"

namespace parlance::model {

std::int64_t tokens(const std::optional<double>& count, std::int64_t before) {
  return count && *count >= 1 && *count < 1e15 ? static_cast<std::int64_t>(*count) : before;
}

Result<void> BodyReader::feed_events(BytesView bytes) {
  return events_.feed(bytes, [this](SseEvent event) { return decoder_.event(event.event, event.data); });
}

Result<void> BodyReader::feed(BytesView bytes) {
  if (form_ == Form::events) return feed_events(bytes);
  if (form_ == Form::unknown) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start == BytesView::npos) return {};
    if (bytes[start] == '<') return fail(Errc::not_found, std::string(web_page_sentence));
    form_ = bytes[start] == '{' ? Form::document : Form::events;
    if (form_ == Form::events) return feed_events(bytes.substr(start));
  }
  if (document_.size() + bytes.size() > 2 * byte_limit_) return fail(Errc::failed, "the answer is too long");
  document_ += bytes;
  return {};
}

Result<Completion> BodyReader::finish() {
  if (form_ == Form::document) PARLANCE_TRY_DO(decoder_.whole(document_));
  // A last event without its blank line still counts: servers that close early leave it out.
  if (form_ == Form::events) PARLANCE_TRY_DO(feed_events("\n\n"));
  return decoder_.finish();
}

}  // namespace parlance::model
