// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/hub_over_page.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "parlance/base/limits.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/page/following.h"
#include "parlance/face/page/limits.h"
#include "parlance/face/page/permissions.h"
#include "parlance/face/page/requests.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::face {
namespace {

// Approximate size of a delta. A single longer change is referenced, not copied (transport/shared_output.h).
constexpr std::size_t delta_bytes = 64 << 10;
// Bytes that may wait for the system before a page gets the next delta. Later changes wait in the hub, shared by all pages, or in
// the store.
constexpr std::size_t page_output_bytes = 64 << 10;
// Bytes written for pages in a turn of the loop before other work runs: a millisecond of copying.
constexpr std::size_t turn_bytes = 1 << 20;
constexpr auto turn_pause = std::chrono::milliseconds(1);

// The request of a message with unreadable parts, so that the page knows the failed request.
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

}  // namespace

class PageServer::Connection {
 public:
  Connection(PageServer& server, std::unique_ptr<Frames> frames, hub::UserHub hub)
      : server_(server), hub_(std::move(hub)), frames_(std::move(frames)), room_(server.loop_), scope_(server.loop_) {}
  ~Connection() { look(false); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Task<void> read_all();

 private:
  Task<void> take(BytesView frame);
  Task<void> follow();
  template <class Message>
  Task<void> answer(Message message);

  // Requests about the page alone; PageAnswers handles all others.
  Answered<page::OpenConversation> perform(page::OpenConversation& m);
  Answered<page::CloseConversation> perform(page::CloseConversation& m);
  Answered<page::Looking> perform(page::Looking& m);
  template <class Message>
  Answered<Message> perform(Message& m) {
    return server_.answers_.perform(m, hub_);
  }

  void look(bool looking);
  void ready(page::Ready message);
  void send_snapshot();
  void add_wanted(std::vector<hub::Conversation>& conversations) const;
  Task<void> send_changes();
  void send_delta();
  template <class T>
  void send_done(std::string_view request, const T& value);
  void send_failed(std::string request, const Error& error);
  void send(const page::HostMessage& message);

  PageServer& server_;
  hub::UserHub hub_;
  std::unique_ptr<Frames> frames_;
  std::shared_ptr<PageFollowing>
      following_;                    // from `ready` on; shared with an `open` that is under way when the next `ready` comes
  std::vector<std::string> wanted_;  // conversations that each snapshot contains
  std::uint64_t seq_ = 0;
  std::size_t running_ = 0;    // requests
  bool reads_events_ = false;  // a page of events is requested and not answered yet
  bool looking_ = false;
  Scope::Handle follower_;
  Signal room_;  // a request has ended
  Scope scope_;  // destroyed first
};

PageServer::PageServer(Loop& loop, PageSettings settings, agent::AgentBackend* memory)
    : loop_(loop),
      settings_(std::move(settings)),
      answers_(loop, settings_.home, memory, settings_.push, settings_.mcp, settings_.models, settings_.setups),
      scope_(loop) {}

PageServer::~PageServer() = default;

void PageServer::serve(std::unique_ptr<Frames> frames, hub::UserHub hub) { scope_.start(run(std::move(frames), std::move(hub))); }

Task<void> PageServer::run(std::unique_ptr<Frames> frames, hub::UserHub hub) {
  struct Present {
    PageServer& server;
    std::string user;
    Present(PageServer& of, std::string whose) : server(of), user(std::move(whose)) {
      ++server.statistics_.pages;
      server.open_.insert(user);
    }
    ~Present() {
      --server.statistics_.pages;
      server.open_.extract(user);
    }
    Present(const Present&) = delete;
    Present& operator=(const Present&) = delete;
  };
  const Present present(*this, hub.caller()->user);
  Connection connection(*this, std::move(frames), std::move(hub));
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
  // The gateway stops reading from a page that sends requests without reading the answers.
  while (frames_->congested()) co_await frames_->drained().wait();
  while (running_ >= server_.settings_.running_requests) co_await room_.wait();
  ++server_.statistics_.requests;
  auto message = json::from_text<page::PageMessage>(frame);
  if (!message) {
    ++server_.statistics_.malformed;
    send_failed(request_in(frame), message.error());
    co_return;
  }
  // Pages of events are large. A connection sends a single page of events at a time, and the next page after the last has left. A
  // browser that does not read holds a single answer, not an answer for each conversation. Waiting here keeps the order of the
  // requests.
  if (std::holds_alternative<page::OpenConversation>(message->value) ||
      std::holds_alternative<page::OlderEvents>(message->value)) {
    while (reads_events_) co_await room_.wait();
    while (frames_->queued_bytes() > page_output_bytes) co_await frames_->drained().wait();
    reads_events_ = true;
  }
  std::visit(
      [&]<class Message>(Message& m) {
        if constexpr (std::same_as<Message, page::Ready>) {
          if (hub_.check(PagePermissions::of<Message>())) ready(std::move(m));
        } else if constexpr (std::same_as<Message, wire::Other>) {
          ++server_.statistics_.malformed;
          send_failed(request_in(m.raw.json),
                      {.code = Errc::unknown_method, .message = "$.type: unknown message; reload the page"});
        } else {
          scope_.start(answer(std::move(m)));
        }
      },
      message->value);
}

// Handles a request from the arrival to the answer. A request begins at once, so requests take effect in the order of arrival.
template <class Message>
Task<void> PageServer::Connection::answer(Message message) {
  ++running_;
  Result<typename Message::Value> outcome;
  if (const auto may = hub_.check(PagePermissions::of<Message>()); !may) outcome = std::unexpected(may.error());
  else outcome = co_await perform(message);
  if (outcome) send_done(message.request, *outcome);
  else send_failed(std::move(message.request), outcome.error());
  if constexpr (std::same_as<Message, page::OpenConversation> || std::same_as<Message, page::OlderEvents>) reads_events_ = false;
  --running_;
  room_.notify_one();
}

// ---- following -----------------------------------------------------------------------------------------------------------

void PageServer::Connection::ready(page::Ready message) {
  wanted_ = std::move(message.conversations).value_or(std::vector<std::string>{});
  if (wanted_.size() > limits::page_wanted_conversations) wanted_.resize(limits::page_wanted_conversations);
  follower_.cancel();
  following_ = std::make_shared<PageFollowing>(server_.loop_, hub_);
  send_snapshot();
  follower_ = scope_.start(follow());
}

Task<void> PageServer::Connection::follow() {
  for (;;) {
    while (frames_->queued_bytes() > page_output_bytes) co_await frames_->drained().wait();
    co_await following_->gather(delta_bytes);
    const TimePoint sent = server_.loop_.now();
    co_await send_changes();
    co_await sleep_until(server_.loop_, sent + limits::page_batch_time);
  }
}

void PageServer::Connection::send_snapshot() {
  const PageSettings& settings = server_.settings_;
  hub::Snapshot state = hub_.snapshot(limits::page_conversations);
  if (!state.older.empty()) add_wanted(state.conversations);
  page::Snapshot snapshot = to_snapshot(state);
  snapshot.seq = seq_;
  snapshot.version = settings.version;
  snapshot.capabilities = settings.capabilities;  // a page offers only capabilities that its caller may use
  if (!hub_.check(hub::Permission::administer)) std::erase(snapshot.capabilities, "doctor");
  if (!hub_.check(hub::Permission::create))
    std::erase_if(snapshot.capabilities,
                  [](const std::string& capability) { return capability == "databases" || capability == "memory"; });
  snapshot.home = settings.home;
  snapshot.default_folder = settings.default_folder;
  snapshot.attachment_limits = page_attachment_limits();
  snapshot.team = team_of(hub_);
  ++server_.statistics_.snapshots;
  send({std::move(snapshot)});
}

void PageServer::Connection::add_wanted(std::vector<hub::Conversation>& conversations) const {
  std::set<std::string, std::less<>> known;
  for (const hub::Conversation& conversation : conversations) known.insert(conversation.id);
  for (const std::string& id : wanted_)
    if (known.insert(id).second)
      if (const auto found = hub_.find(id)) conversations.push_back(*found);
}

Task<void> PageServer::Connection::send_changes() {
  while (!following_->pending.empty()) {
    while (frames_->queued_bytes() > page_output_bytes) co_await frames_->drained().wait();
    co_await server_.my_turn();
    if (following_->pending.empty()) co_return;  // the page closed the changed conversations
    if (!following_->lost()) {
      send_delta();
      continue;
    }
    following_->forget();
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

void PageServer::Connection::send_delta() {
  ++server_.statistics_.deltas;
  std::vector<PagePiece>& pending = following_->pending;
  const PageDelta delta = server_.texts_.delta(++seq_, pending, delta_bytes);
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(delta.pieces));
  server_.turn_bytes_ += delta.bytes;
  // The page sees the gap and requests a snapshot.
  if (const auto sent = send_joined(*frames_, delta.parts); !sent)
    log(LogLevel::warn, "a delta could not be sent", {{"page", frames_->name()}, {"why", sent.error().message}});
}

// ---- answers -------------------------------------------------------------------------------------------------------------

void PageServer::Connection::send(const page::HostMessage& message) {
  const auto sent = frames_->compose([&](std::string& out) -> Result<void> {
    json::write(out, wire::type_of<page::HostMessage>(), &message);
    return {};
  });
  if (!sent) log(LogLevel::warn, "a message could not be sent", {{"page", frames_->name()}, {"why", sent.error().message}});
}

template <class T>
void PageServer::Connection::send_done(std::string_view request, const T& value) {
  page::Done done{.request = std::string(request)};
  if constexpr (!std::same_as<T, wire::Nothing>) done.value = wire::Raw{.json = json::to_text(value)};
  send({std::move(done)});
}

void PageServer::Connection::send_failed(std::string request, const Error& error) {
  send({page::Failed{.request = std::move(request), .code = std::string(to_string(error.code)), .message = error.message}});
}

// ---- requests ------------------------------------------------------------------------------------------------------------

// No await between the end of `open` and its answer: live events follow the page of events, never the other way round.
auto PageServer::Connection::perform(page::OpenConversation& m) -> Answered<page::OpenConversation> {
  const std::shared_ptr<PageFollowing> following = following_;
  if (!following) co_return fail(Errc::invalid_request, "`ready` comes first");
  PARLANCE_CO_TRY(found, co_await following->open(std::move(m.conversation), m.after, m.limit.value_or(0)));
  if (following != following_) co_return fail(Errc::cancelled, "the page has reconnected meanwhile");
  const std::uint64_t first = found.events.empty() ? found.last_seq + 1 : found.first_seq;
  co_return page::OpenedValue{.events = to_raw(std::move(found.events)), .last_seq = found.last_seq, .first_seq = first};
}

void PageServer::Connection::look(bool looking) {
  if (std::exchange(looking_, looking) == looking) return;
  if (looking) server_.looking_.insert(hub_.caller()->user);
  else server_.looking_.extract(hub_.caller()->user);
}

auto PageServer::Connection::perform(page::Looking& m) -> Answered<page::Looking> {
  look(m.looking);
  co_return wire::Nothing{};
}

auto PageServer::Connection::perform(page::CloseConversation& m) -> Answered<page::CloseConversation> {
  if (following_) following_->close(m.conversation);
  co_return wire::Nothing{};
}

}  // namespace parlance::face
