#include "service/hub_over_page.h"

#include <algorithm>
#include <optional>

#include "base/log.h"
#include "base/text.h"
#include "codec/json/typed.h"
#include "codec/json/writer.h"
#include "service/memory_documents.h"
#include "service/page_attachments.h"
#include "store/event_tables.h"
#include "transport/shared_output.h"

namespace parlance::service {
namespace {

// One delta is about so long, unless one change alone is longer: that one is referred to, not copied (transport/shared_output.h).
constexpr std::size_t delta_bytes = 64 << 10;
// Waiting for the system to take it, before a page gets its next delta. What is behind it waits in the watcher, shared by all.
constexpr std::size_t page_output_bytes = 64 << 10;
// Written for pages in one turn of the loop, then others have theirs: a millisecond of copying.
constexpr std::size_t turn_bytes = 1 << 20;
constexpr auto turn_pause = std::chrono::milliseconds(1);

constexpr std::string_view no_memory = "this host has no memory";
constexpr std::int64_t page_search_hits = 50;  // a page of results; whoever wants more has asked for too little

hub::Mode to_hub(page::Mode mode) {
  switch (mode) {
    case page::Mode::default_: return hub::Mode::default_;
    case page::Mode::auto_edit: return hub::Mode::auto_edit;
    case page::Mode::yolo: return hub::Mode::yolo;
    case page::Mode::plan: return hub::Mode::plan;
    case page::Mode::smart: return hub::Mode::smart;
  }
  return hub::Mode::default_;
}

std::vector<wire::Raw> to_raw(const std::vector<hub::Event>& events) {
  std::vector<wire::Raw> out;
  out.reserve(events.size());
  for (const hub::Event& event : events) out.push_back({.json = store::event_json(event)});
  return out;
}

page::PromptedValue to_value(hub::Prompted prompted) {
  page::PromptedValue value;
  if (!prompted.turn.empty()) value.turn = std::move(prompted.turn);
  else value.queued = std::move(prompted.queued);
  return value;
}

// The request of a message that cannot be read as a whole, so that the page knows which of its requests failed.
std::string request_in(std::string_view text) {
  std::string request;
  if (!json::check_utf8(text)) return request;
  json::Reader reader(text);
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "request" && reader.peek() == json::Token::text) reader.read_text(request);
    else reader.skip();
  }
  return request;
}

// What `done` carries; nothing for requests that have nothing to say.
using Value = std::optional<std::string>;

template <class T>
Result<Value> value_of(const T& value) {
  return Value(json::to_text(value));
}

Result<Value> nothing_of(Result<void> done) {
  if (!done) return std::unexpected(std::move(done).error());
  return Value();
}

}  // namespace

class PageServer::Connection {
 public:
  Connection(PageServer& server, std::unique_ptr<Frames> frames)
      : server_(server), frames_(std::move(frames)), room_(server.loop_), scope_(server.loop_) {}

  Task<void> read_all();

 private:
  Task<void> take(BytesView frame);
  Task<void> follow();
  template <class Message>
  Task<void> answer(Message message);

  Task<Result<Value>> perform(page::OpenConversation& m);
  Task<Result<Value>> perform(page::OlderEvents& m);
  Task<Result<Value>> perform(page::CloseConversation& m);
  Task<Result<Value>> perform(page::NewConversation& m);
  Task<Result<Value>> perform(page::Prompt& m);
  Task<Result<Value>> perform(page::Withdraw& m);
  Task<Result<Value>> perform(page::Stop& m);
  Task<Result<Value>> perform(page::GoOn& m);
  Task<Result<Value>> perform(page::Answer& m);
  Task<Result<Value>> perform(page::Reask& m);
  Task<Result<Value>> perform(page::SetConversation& m);
  Task<Result<Value>> perform(page::DeleteConversation& m);
  Task<Result<Value>> perform(page::RevokeRule& m);
  Task<Result<Value>> perform(page::SearchMemories& m);
  Task<Result<Value>> perform(page::ListMemories& m);
  Task<Result<Value>> perform(page::ForgetMemory& m);

  void ready();
  void send_snapshot();
  Task<void> send_changes();
  void send_delta();
  void drop_pending(std::string_view conversation);
  void send_done(std::string_view request, const Value& value);
  void send_failed(std::string request, const Error& error);
  void send(const page::HostMessage& message);
  hub::Hub& hub() { return server_.hub_; }

  PageServer& server_;
  std::unique_ptr<Frames> frames_;
  std::shared_ptr<hub::Watcher> watcher_;  // from `ready` on; shared with an `open` that is under way when the next `ready` comes
  std::vector<hub::ChangePtr> pending_;    // taken from the watcher, not sent yet
  std::uint64_t seq_ = 0;
  std::size_t running_ = 0;  // requests
  Scope::Handle follower_;
  Signal room_;  // a request has ended
  Scope scope_;  // goes first
};

PageServer::PageServer(Loop& loop, hub::Hub& hub, PageSettings settings, AgentBackend* memory)
    : loop_(loop), hub_(hub), memory_(memory), settings_(std::move(settings)), folders_(loop, settings_.home), scope_(loop) {}

PageServer::~PageServer() = default;

void PageServer::serve(std::unique_ptr<Frames> frames) { scope_.start(run(std::move(frames))); }

Task<void> PageServer::run(std::unique_ptr<Frames> frames) {
  struct Present {
    std::size_t& pages;
    explicit Present(std::size_t& count) : pages(count) { ++pages; }
    ~Present() { --pages; }
  };
  const Present present(statistics_.pages);
  Connection connection(*this, std::move(frames));
  co_await connection.read_all();
}

// ---- reading -----------------------------------------------------------------------------------------------------------

Task<void> PageServer::Connection::read_all() {
  for (;;) {
    const auto batch = co_await read_frames(*frames_);
    if (!batch || batch->empty()) co_return;
    for (const BytesView frame : *batch) co_await take(frame);
  }
}

Task<void> PageServer::Connection::take(BytesView frame) {
  // A page that asks without reading the answers is not read from either.
  while (frames_->congested()) co_await frames_->drained().wait();
  while (running_ >= server_.settings_.running_requests) co_await room_.wait();
  ++server_.statistics_.requests;
  auto message = json::from_text<page::PageMessage>(frame);
  if (!message) {
    ++server_.statistics_.malformed;
    send_failed(request_in(frame), message.error());
    co_return;
  }
  std::visit(
      [&]<class Message>(Message& m) {
        if constexpr (std::same_as<Message, page::Ready>) {
          ready();
        } else if constexpr (std::same_as<Message, wire::Other>) {
          ++server_.statistics_.malformed;
          send_failed(request_in(m.raw.json),
                      {.code = Errc::unknown_method, .message = "$.type: this host does not know such a message"});
        } else {
          scope_.start(answer(std::move(m)));
        }
      },
      message->value);
}

// One request, from its arrival to its one answer. It begins at once, so requests take effect in the order in which they came.
template <class Message>
Task<void> PageServer::Connection::answer(Message message) {
  ++running_;
  const Result<Value> outcome = co_await perform(message);
  if (outcome) send_done(message.request, *outcome);
  else send_failed(std::move(message.request), outcome.error());
  --running_;
  room_.notify_one();
}

// ---- following -----------------------------------------------------------------------------------------------------------

void PageServer::Connection::ready() {
  follower_.cancel();
  watcher_ = hub().watch();
  pending_.clear();
  send_snapshot();
  follower_ = scope_.start(follow());
}

Task<void> PageServer::Connection::follow() {
  for (;;) {
    // What waits, waits in the watcher, which knows its bounds.
    while (frames_->congested()) co_await frames_->drained().wait();
    pending_ = co_await watcher_->next();
    const TimePoint sent = server_.loop_.now();
    co_await send_changes();
    co_await sleep_until(server_.loop_, sent + limits::page_batch_time);
  }
}

void PageServer::Connection::send_snapshot() {
  const PageSettings& settings = server_.settings_;
  page::Snapshot snapshot = to_snapshot(hub().snapshot());
  snapshot.seq = seq_;
  snapshot.version = settings.version;
  snapshot.capabilities = settings.capabilities;
  snapshot.home = settings.home;
  snapshot.default_folder = settings.default_folder;
  snapshot.attachment_limits = page_attachment_limits();
  ++server_.statistics_.snapshots;
  send({std::move(snapshot)});
}

Task<void> PageServer::Connection::send_changes() {
  while (!pending_.empty()) {
    while (frames_->queued_bytes() > page_output_bytes) co_await frames_->drained().wait();
    co_await server_.my_turn();
    if (pending_.empty()) co_return;  // the page closed what they were about
    const bool lost =
        std::ranges::any_of(pending_, [](const auto& change) { return std::holds_alternative<hub::change::Resync>(*change); });
    if (!lost) {
      send_delta();
      continue;
    }
    pending_.clear();
    send_snapshot();
  }
}

Task<void> PageServer::my_turn() {
  for (;;) {
    if (turn_ != loop_.now()) {
      turn_ = loop_.now();
      turn_bytes_ = 0;
    }
    if (turn_bytes_ < turn_bytes) co_return;
    co_await sleep_for(loop_, turn_pause);
  }
}

// As many of the pending changes as one delta takes. Put together from texts that other pages use as well; the test reads it back as
// a page::Delta.
void PageServer::Connection::send_delta() {
  ++server_.statistics_.deltas;
  static const auto comma = std::make_shared<const std::string>(",");
  static const auto end = std::make_shared<const std::string>("]}");
  std::string begin = R"({"type":"delta","seq":)";
  json::write_integer(begin, ++seq_);
  begin += R"(,"ops":[)";
  std::vector<SharedBytes> parts{std::make_shared<const std::string>(std::move(begin))};
  std::size_t bytes = 0;
  std::size_t taken = 0;
  for (; taken < pending_.size() && bytes < delta_bytes; ++taken) {
    if (taken != 0) parts.push_back(comma);
    parts.push_back(server_.texts_.op(pending_[taken]));
    bytes += parts.back()->size();
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken));
  server_.turn_bytes_ += bytes;
  parts.push_back(end);
  // The page sees the gap and asks for a snapshot.
  if (const auto sent = send_joined(*frames_, parts); !sent)
    log(LogLevel::warn, "a delta could not be sent", {{"page", frames_->name()}, {"why", sent.error().message}});
}

// What waits here was taken from the watcher before the page said that it opens or closes the conversation: the page of events of an
// opened one has all of it.
void PageServer::Connection::drop_pending(std::string_view conversation) {
  std::erase_if(pending_, [&](const hub::ChangePtr& change) {
    const auto* events = std::get_if<hub::change::EventsAppended>(change.get());
    return events != nullptr && events->conversation == conversation;
  });
}

// ---- answers -------------------------------------------------------------------------------------------------------------

void PageServer::Connection::send(const page::HostMessage& message) {
  const auto sent = frames_->compose([&](std::string& out) -> Result<void> {
    json::write(out, wire::type_of<page::HostMessage>(), &message);
    return {};
  });
  if (!sent) log(LogLevel::warn, "a message could not be sent", {{"page", frames_->name()}, {"why", sent.error().message}});
}

void PageServer::Connection::send_done(std::string_view request, const Value& value) {
  page::Done done{.request = std::string(request)};
  if (value) done.value = wire::Raw{.json = *value};
  send({std::move(done)});
}

void PageServer::Connection::send_failed(std::string request, const Error& error) {
  send({page::Failed{.request = std::move(request), .code = std::string(to_string(error.code)), .message = error.message}});
}

// ---- requests ------------------------------------------------------------------------------------------------------------

// No await between the end of `open` and its answer: live events follow the page of events, never the other way round.
Task<Result<Value>> PageServer::Connection::perform(page::OpenConversation& m) {
  const std::shared_ptr<hub::Watcher> watcher = watcher_;
  if (!watcher) co_return fail(Errc::invalid_request, "`ready` comes first");
  PARLANCE_CO_TRY(events, co_await watcher->open(m.conversation, m.after, m.limit.value_or(0)));
  if (watcher != watcher_) co_return fail(Errc::cancelled, "the page began anew meanwhile");
  drop_pending(m.conversation);
  co_return value_of(page::OpenedValue{.events = to_raw(events.events),
                                       .last_seq = events.last_seq,
                                       .first_seq = events.events.empty() ? events.last_seq + 1 : events.first_seq});
}

Task<Result<Value>> PageServer::Connection::perform(page::OlderEvents& m) {
  PARLANCE_CO_TRY(events, co_await hub().older(std::move(m.conversation), m.before, m.limit.value_or(0)));
  co_return value_of(
      page::OlderValue{.events = to_raw(events.events), .first_seq = events.events.empty() ? 1 : events.first_seq});
}

Task<Result<Value>> PageServer::Connection::perform(page::CloseConversation& m) {
  if (watcher_) watcher_->close(m.conversation);
  drop_pending(m.conversation);
  co_return Value();
}

Task<Result<Value>> PageServer::Connection::perform(page::NewConversation& m) {
  PARLANCE_CO_TRY(folder, co_await server_.folders_.resolve(std::move(m.folder)));
  PARLANCE_CO_TRY(made, co_await hub().create({.agent = std::move(m.agent),
                                               .folder = std::move(folder),
                                               .mode = to_hub(m.mode.value_or(page::Mode::default_)),
                                               .model = std::move(m.model).value_or(""),
                                               .think = m.think.value_or(false)}));
  co_return value_of(page::ConversationValue{.conversation = {.json = store::conversation_json(made)}});
}

Task<Result<Value>> PageServer::Connection::perform(page::Prompt& m) {
  PARLANCE_CO_TRY(attachments, to_attachments(std::move(m.attachments).value_or(std::vector<page::AttachedFile>{})));
  PARLANCE_CO_TRY(prompted, co_await hub().prompt(std::move(m.conversation), std::move(m.text), {}, std::move(attachments)));
  co_return value_of(to_value(std::move(prompted)));
}

Task<Result<Value>> PageServer::Connection::perform(page::Withdraw& m) {
  co_return nothing_of(co_await hub().withdraw(std::move(m.conversation), std::move(m.queued)));
}

Task<Result<Value>> PageServer::Connection::perform(page::Stop& m) { co_return nothing_of(hub().stop(m.conversation)); }

Task<Result<Value>> PageServer::Connection::perform(page::GoOn& m) { co_return nothing_of(hub().go_on(m.conversation)); }

Task<Result<Value>> PageServer::Connection::perform(page::Answer& m) {
  PARLANCE_CO_TRY_DO(co_await hub().answer(std::move(m.ask),
                                           {.digest = std::move(m.digest),
                                            .option = std::move(m.option),
                                            .text = std::move(m.text),
                                            .answers = std::move(m.answers).value_or(std::vector<std::vector<std::string>>{})}));
  co_return Value();
}

Task<Result<Value>> PageServer::Connection::perform(page::Reask& m) {
  PARLANCE_CO_TRY(prompted, co_await hub().reask(std::move(m.ask)));
  co_return value_of(to_value(std::move(prompted)));
}

Task<Result<Value>> PageServer::Connection::perform(page::SetConversation& m) {
  hub::ConversationChanges changes{.title = std::move(m.title), .model = std::move(m.model), .think = m.think};
  if (m.mode) changes.mode = to_hub(*m.mode);
  PARLANCE_CO_TRY_DO(co_await hub().set(std::move(m.conversation), std::move(changes)));
  co_return Value();
}

Task<Result<Value>> PageServer::Connection::perform(page::DeleteConversation& m) {
  co_return nothing_of(co_await hub().remove(std::move(m.conversation)));
}

Task<Result<Value>> PageServer::Connection::perform(page::RevokeRule& m) {
  co_return nothing_of(co_await hub().revoke(std::move(m.rule)));
}

Task<Result<Value>> PageServer::Connection::perform(page::SearchMemories& m) {
  if (server_.memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  if (trim(m.query).empty()) co_return fail(Errc::invalid_params, "$.query: it is empty");
  PARLANCE_CO_TRY(document,
                  co_await server_.memory_->memory_search(
                      {.query = std::move(m.query), .category = std::move(m.category).value_or(""), .limit = page_search_hits}));
  co_return value_of(memories_in(document));
}

Task<Result<Value>> PageServer::Connection::perform(page::ListMemories& m) {
  if (server_.memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  MemoryListing listing{.category = std::move(m.category).value_or(""),
                        .conversation = std::move(m.conversation).value_or(""),
                        .before = std::move(m.before).value_or("")};
  if (m.limit) listing.limit = static_cast<std::int64_t>(std::clamp<std::uint64_t>(*m.limit, 1, limits::memory_page_entries));
  PARLANCE_CO_TRY(document, co_await server_.memory_->memory_list(std::move(listing)));
  co_return value_of(memories_in(document));
}

Task<Result<Value>> PageServer::Connection::perform(page::ForgetMemory& m) {
  if (server_.memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  PARLANCE_CO_TRY_DO(co_await server_.memory_->memory_forget(std::move(m.id)));
  co_return Value();
}

}  // namespace parlance::service
