#include "hub/event_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/limits.h"

namespace parlance::hub {

namespace {
bool is_piece(const EventBody& body) {
  return std::holds_alternative<event::Text>(body) || std::holds_alternative<event::ThinkingContent>(body) ||
         std::holds_alternative<event::ToolOutput>(body);
}
}  // namespace

EventLog::EventLog(Loop& loop, Store& store, std::string conversation, std::uint64_t last_seq, Callbacks callbacks)
    : loop_(loop),
      store_(store),
      conversation_(std::move(conversation)),
      last_seq_(last_seq),
      callbacks_(std::move(callbacks)),
      last_piece_(loop.now() - limits::event_piece_time),
      settled_(loop),
      retry_(*this),
      scope_(loop) {}

void EventLog::append(EventBody body) {
  unwritten_bytes_ += weight_of(body);
  if (piece_ && append_piece(*piece_, body)) {
    if (weight_of(*piece_) >= limits::event_piece_bytes + sizeof(Event)) flush_piece();
    return;
  }
  flush_piece();
  if (!is_piece(body)) return number(std::move(body));
  piece_ = std::move(body);
  // The first piece after a silence goes out with this turn of the loop; a stream is cut into pictures of a screen.
  if (loop_.now() - last_piece_ >= limits::event_piece_time) loop_.at_turn_end(*this);
  else Timer::start(loop_, last_piece_ + limits::event_piece_time);
}

void EventLog::put(const Conversation& conversation) {
  next_.conversation = conversation;
  changed();
}

void EventLog::put(const Ask& ask) {
  for (Ask& waiting : next_.asks) {
    if (waiting.id != ask.id) continue;
    waiting = ask;
    return changed();
  }
  next_.asks.push_back(ask);
  changed();
}

void EventLog::put(const Rule& rule) {
  next_.rules.push_back(rule);
  changed();
}

void EventLog::put(Attachment attachment) {
  unwritten_bytes_ += attachment.data.size();
  next_.attachments.push_back(std::move(attachment));
  changed();
}

void EventLog::remove_attachment(std::string id) {
  next_.removed_attachments.push_back(std::move(id));
  changed();
}

void EventLog::changed() {
  ++issued_;
  loop_.at_turn_end(*this);
}

void EventLog::number(EventBody body) {
  next_.events.push_back({.seq = ++last_seq_, .time = callbacks_.time_text(), .body = std::move(body)});
  changed();
}

void EventLog::flush_piece() {
  if (!piece_) return;
  Timer::stop();
  last_piece_ = loop_.now();
  EventBody whole = std::move(*piece_);
  piece_.reset();
  number(std::move(whole));
}

void EventLog::on_timer() { flush_piece(); }

void EventLog::on_turn_end() {
  if (piece_ && !Timer::running()) flush_piece();
  begin();
}

void EventLog::begin() {
  if (!writing_ && !next_.empty()) scope_.start(write());
}

Task<void> EventLog::write() {
  writing_ = true;
  while (!next_.empty()) {
    // Shared with the store's thread while it writes, and with those who hear of it afterwards.
    const auto shared = std::make_shared<Commit>(std::exchange(next_, {}));
    Commit& batch = *shared;
    if (!batch.events.empty() || !batch.attachments.empty()) batch.events_of = conversation_;
    const std::uint64_t up_to = issued_;
    std::size_t bytes = 0;
    for (const Event& event : batch.events) bytes += weight_of(event.body);
    for (const Attachment& attachment : batch.attachments) bytes += attachment.data.size();
    const Result<void> done = co_await store_.write(shared);
    if (!done) {
      put_back(std::move(batch));
      failure_ = done.error();
      failed_ = true;
      ++failures_;
      retry_.start(loop_, loop_.now() + limits::store_retry);
      callbacks_.health(&failure_);
      break;
    }
    if (std::exchange(failed_, false)) callbacks_.health(nullptr);
    unwritten_bytes_ -= std::min(bytes, unwritten_bytes_);
    committed_ = std::max(committed_, up_to);
    events_ += batch.events.size();
    ++commits_;
    batch.attachments.clear();  // nobody who hears of it wants their bytes
    callbacks_.told(shared);
    settled_.notify_all();
  }
  if (next_.empty() && !piece_) unwritten_bytes_ = 0;
  writing_ = false;
  settled_.notify_all();
}

// What failed goes before what came since; the newer state of a row wins.
void EventLog::put_back(Commit batch) {
  Commit newer = std::exchange(next_, std::move(batch));
  if (newer.conversation) next_.conversation = std::move(newer.conversation);
  std::move(newer.events.begin(), newer.events.end(), std::back_inserter(next_.events));
  std::move(newer.attachments.begin(), newer.attachments.end(), std::back_inserter(next_.attachments));
  std::move(newer.removed_attachments.begin(), newer.removed_attachments.end(), std::back_inserter(next_.removed_attachments));
  std::move(newer.rules.begin(), newer.rules.end(), std::back_inserter(next_.rules));
  for (Ask& ask : newer.asks) {
    const auto same = std::find_if(next_.asks.begin(), next_.asks.end(), [&](const Ask& old) { return old.id == ask.id; });
    if (same == next_.asks.end()) next_.asks.push_back(std::move(ask));
    else *same = std::move(ask);
  }
}

Task<Result<void>> EventLog::written() {
  flush_piece();
  const std::uint64_t wanted = issued_;
  const std::uint64_t failures = failures_;
  while (committed_ < wanted) {
    if (failures_ != failures) co_return std::unexpected(failure_);
    co_await settled_.wait();
  }
  co_return Result<void>{};
}

}  // namespace parlance::hub
