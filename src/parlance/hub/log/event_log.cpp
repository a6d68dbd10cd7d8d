// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/event_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parlance/base/check.h"
#include "parlance/base/holds.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/log/shared_store.h"

namespace parlance::hub {

namespace {

bool is_piece(const EventBody& body) { return holds<event::Text, event::ThinkingContent, event::ToolOutput>(body); }

// The text of an answer or a thought; null for other events. Output of tools stays whole: pages fold it.
std::string* divisible_text(EventBody& body) {
  if (auto* text = std::get_if<event::Text>(&body)) return &text->text;
  auto* thought = std::get_if<event::ThinkingContent>(&body);
  return thought != nullptr ? &thought->text : nullptr;
}

std::size_t bytes_of(const Commit& changes) {
  std::size_t bytes = 0;
  for (const Event& event : changes.events) bytes += weight_of(event.body);
  for (const Attachment& attachment : changes.attachments) bytes += attachment.data.size();
  return bytes;
}

// Visits every list of a commit: joining and splitting of batches share this function, so no list is forgotten.
template <class Visitor>
void for_each_list(Commit& a, Commit& b, Visitor visit) {
  visit(a.events, b.events);
  visit(a.attachments, b.attachments);
  visit(a.asks, b.asks);
  visit(a.rules, b.rules);
  visit(a.used_rules, b.used_rules);
  visit(a.spent, b.spent);
  visit(a.removed_rules, b.removed_rules);
  visit(a.removed_attachments, b.removed_attachments);
  visit(a.done, b.done);
  visit(a.audit, b.audit);
}

// Appends the items of `from`. Moved items leave as many empty items behind.
void move_behind(Commit& into, Commit& from) {
  for_each_list(into, from, [](auto& to, auto& items) { std::ranges::move(items, std::back_inserter(to)); });
  if (from.conversation) into.conversation = std::move(from.conversation);
}

// The reverse: the first items of `whole` fill the empty items of `part`.
void take_first(Commit& part, Commit& whole) {
  for_each_list(part, whole, [](auto& items, auto& all) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(items.size());
    std::move(all.begin(), end, items.begin());
    all.erase(all.begin(), end);
  });
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

// ---- input ---------------------------------------------------------------------------------------------------------------

void EventLog::append(EventBody body) {
  std::string* const text = divisible_text(body);
  if (text == nullptr || text->size() <= limits::event_text_bytes) return append_whole(std::move(body));
  const std::string whole = std::move(*text);
  for (std::string_view rest = whole; !rest.empty();) {
    std::string_view part = utf8_prefix(rest, limits::event_text_bytes);
    if (part.empty()) part = rest.substr(0, limits::event_text_bytes);  // bytes outside of UTF-8 have no characters
    *text = part;
    append_whole(body);
    flush_piece();
    rest.remove_prefix(part.size());
  }
}

void EventLog::append_whole(EventBody body) {
  unwritten_bytes_ += weight_of(body);
  if (piece_ && append_piece(*piece_, body)) {
    if (weight_of(*piece_) >= limits::event_piece_bytes + sizeof(Event)) flush_piece();
    return;
  }
  flush_piece();
  if (!is_piece(body)) return add_event(std::move(body));
  piece_ = std::move(body);
  // The first piece after a pause is written with this turn of the loop; later pieces of a stream are joined for the time of one
  // screen frame.
  if (loop_.now() - last_piece_ >= limits::event_piece_time) loop_.at_turn_end(*this);
  else Timer::start(loop_, last_piece_ + limits::event_piece_time);
}

Commit& EventLog::open_part() {
  if (waiting_.empty() || waiting_.back().is_operation != in_operation_) waiting_.push_back({.is_operation = in_operation_});
  return waiting_.back().changes;
}

void EventLog::put(const Conversation& conversation) {
  open_part().conversation = std::make_shared<const Conversation>(conversation);
  changed();
}

void EventLog::put(const Ask& ask) {
  open_part().asks.push_back(ask);
  changed();
}

void EventLog::put_used(Rule rule) {
  std::vector<Rule>& used = open_part().used_rules;
  std::erase_if(used, [&](const Rule& earlier) { return earlier.id == rule.id; });  // only the latest state of a rule counts
  used.push_back(std::move(rule));
}
void EventLog::put(const Rule& rule) {
  open_part().rules.push_back(rule);
  changed();
}

void EventLog::put(AuditEntry entry) {
  open_part().audit.push_back(std::move(entry));
  changed();
}

void EventLog::put(SpentOn spent) {
  open_part().spent.push_back(std::move(spent));
  changed();
}

void EventLog::put(Attachment attachment) {
  unwritten_bytes_ += attachment.data.size();
  open_part().attachments.push_back(std::move(attachment));
  changed();
}

void EventLog::remove_attachment(std::string id) {
  open_part().removed_attachments.push_back(std::move(id));
  changed();
}

void EventLog::put(CommandDone done) {
  PARLANCE_CHECK(in_operation_, "a command whose effect can be undone");
  open_part().done.push_back(std::move(done));
  changed();
}

void EventLog::begin_at(std::uint64_t last_seq) {
  PARLANCE_CHECK(idle(), "an idle log");
  last_seq_ = last_seq;
  committed_ = issued_;
  failed_ = closed_ = false;
}

void EventLog::forget(Error error) {
  failure_ = std::move(error);
  failed_ = closed_ = true;
  discard();
}

void EventLog::discard() {
  piece_.reset();
  Timer::stop();
  retry_.stop();
  std::vector<Part> operations;
  for (Part& part : waiting_)
    if (part.is_operation) operations.push_back(std::move(part));
  waiting_.clear();
  unwritten_bytes_ = 0;
  roll_back(std::move(operations), failure_);
  settled_.notify_all();
}

void EventLog::end() {
  scope_.cancel();
  Timer::stop();
  retry_.stop();
  const std::deque<Part> last = std::exchange(waiting_, {});  // destroyed after the last use of this object
}

void EventLog::changed() {
  ++issued_;
  loop_.at_turn_end(*this);
}

void EventLog::add_event(EventBody body) {
  open_part().events.push_back({.time = callbacks_.time_text(), .body = std::move(body)});
  changed();
}

void EventLog::flush_piece() {
  if (!piece_) return;
  Timer::stop();
  last_piece_ = loop_.now();
  EventBody whole = std::move(*piece_);
  piece_.reset();
  add_event(std::move(whole));
}

EventLog::Outcome EventLog::operation(const std::function<void()>& work, Operation then) {
  flush_piece();
  in_operation_ = true;
  waiting_.push_back({.is_operation = true, .then = std::move(then), .outcome = std::make_shared<OneShot<Result<void>>>(loop_)});
  const Outcome outcome = waiting_.back().outcome;
  work();
  flush_piece();
  in_operation_ = false;
  waiting_.push_back({});  // two operations never share a part
  changed();
  return outcome;
}

void EventLog::on_timer() { flush_piece(); }

void EventLog::on_turn_end() {
  if (piece_ && !Timer::running()) flush_piece();
  begin();
}

// ---- writing -------------------------------------------------------------------------------------------------------------

void EventLog::begin() {
  if (closed_) discard();
  if (!writing_ && !waiting_.empty()) scope_.start(write());
}

// Events get numbers at the write, so a withdrawn event leaves no gap.
void EventLog::number(Commit& batch) const {
  std::uint64_t seq = last_seq_;
  for (Event& event : batch.events) event.seq = ++seq;
  if (!batch.empty()) batch.events_of = conversation_;
}

Task<void> EventLog::write() {
  writing_ = true;
  while (!waiting_.empty()) {
    std::vector<Part> parts(std::move_iterator(waiting_.begin()), std::move_iterator(waiting_.end()));
    waiting_.clear();
    // Shared with the store's thread during the write, and with subscribers afterwards.
    const auto batch = std::make_shared<Commit>();
    for (Part& part : parts) move_behind(*batch, part.changes);
    number(*batch);
    const std::uint64_t up_to = issued_;
    Result<void> outcome;
    if (!batch->empty()) outcome = co_await store_.write(batch);
    if (!outcome && is_command_ended(outcome.error())) {  // the store works
      withdraw_operations(std::move(parts), *batch, outcome.error());
      continue;
    }
    if (!outcome) {
      failed(std::move(parts), *batch, std::move(outcome).error());
      break;
    }
    done(std::move(parts), batch, up_to);
    if (closed_) discard();
  }
  if (waiting_.empty() && !piece_) unwritten_bytes_ = 0;
  writing_ = false;
  settled_.notify_all();
}

void EventLog::done(std::vector<Part> parts, const std::shared_ptr<Commit>& batch, std::uint64_t up_to) {
  if (!closed_ && std::exchange(failed_, false)) callbacks_.health(nullptr);
  unwritten_bytes_ -= std::min(bytes_of(*batch), unwritten_bytes_);
  committed_ = std::max(committed_, up_to);
  events_ += batch->events.size();
  last_seq_ += batch->events.size();
  batch->attachments.clear();  // no subscriber needs their bytes
  if (!batch->empty()) {
    ++commits_;
    callbacks_.written(batch);
  }
  for (Part& part : parts) {
    if (!part.is_operation) continue;
    if (part.then.done) part.then.done();
    part.outcome->set({});
  }
  settled_.notify_all();
}

// Withdraws also later operations: their callers get the error at once, before the store works again.
void EventLog::failed(std::vector<Part> parts, Commit& batch, Error error) {
  const bool was_closed = closed_;
  if (!was_closed) failure_ = std::move(error);
  failed_ = true;
  closed_ = closed_ || is_not_owner(failure_);
  ++failures_;
  withdraw_operations(std::move(parts), batch, failure_);
  if (!closed_) retry_.start(loop_, loop_.now() + limits::store_retry);
  if (!was_closed) callbacks_.health(&failure_);
}

void EventLog::withdraw_operations(std::vector<Part> parts, Commit& batch, const Error& error) {
  for (Part& part : parts) take_first(part.changes, batch);
  std::ranges::move(waiting_, std::back_inserter(parts));
  waiting_.clear();
  std::vector<Part> operations;
  Part rest;
  for (Part& part : parts) {
    if (part.is_operation) operations.push_back(std::move(part));
    else move_behind(rest.changes, part.changes);
  }
  if (closed_) return roll_back(std::move(operations), error);
  waiting_.push_back(std::move(rest));
  roll_back(std::move(operations), error);
  waiting_.front().changes.conversation = std::make_shared<const Conversation>(callbacks_.row());
}

void EventLog::roll_back(std::vector<Part> operations, const Error& error) {
  for (auto part = operations.rbegin(); part != operations.rend(); ++part) {
    unwritten_bytes_ -= std::min(bytes_of(part->changes), unwritten_bytes_);
    if (part->then.undo) part->then.undo();
    part->outcome->set(std::unexpected(error));
  }
}

Task<void> EventLog::at_rest() {
  while (!idle()) co_await settled_.wait();
}

Task<Result<void>> EventLog::written() {
  flush_piece();
  const std::uint64_t wanted = issued_;
  const std::uint64_t failures = failures_;
  while (committed_ < wanted) {
    if (closed_ || failures_ != failures) co_return std::unexpected(failure_);
    co_await settled_.wait();
  }
  co_return Result<void>{};
}

}  // namespace parlance::hub
