// SPDX-License-Identifier: Apache-2.0
// Every recorded session, on both sides: the recorded other side's bytes go in byte by byte. Our side writes the same messages as
// the recorded side, equally often, with the same ids and contents. This includes answers to invalid messages.
#include <deque>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/recording.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::acp {
namespace {

using test::Record;

const std::string folder = PARLANCE_SOURCE_DIR "/tests/vectors/acp";

using Answer = Result<wire::Raw>;

// One side of ours in place of the recorded side.
class Replayed {
 public:
  Replayed(Side side, Flavour flavour) : side_(side), scope_(loop_) {
    router_.on_unknown(unknown_method);
    const auto serve = [this](const auto& method) { serve_method(method); };
    if (side == Side::agent) method::of_agent.each(serve);
    else method::of_client.each(serve);
    auto [near, far] = memory_pair(loop_, {.one_byte_reads = true, .capacity = 4 << 20});
    other_ = std::move(far);
    peer_.emplace(loop_, framed_stream(loop_, std::move(near), line_framing()), dialect(side, flavour), router_);
    scope_.start([](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); }(*peer_));
    scope_.start(read());
  }
  ~Replayed() {
    scope_.cancel();
    peer_.reset();
  }

  void play(const std::vector<Record>& records) {
    for (const Record& record : records) {
      if (record.from_client == (side_ == Side::client)) ours(record.message);
      else theirs(record);
      while (loop_.run_ready()) {}
    }
  }
  const std::vector<json::Value>& wrote() const { return wrote_; }

 private:
  template <class P, class R>
  void serve_method(const wire::Call<P, R>& call) {
    router_.on(std::string(call.method), wire::any_call(), [this](const wire::Raw&, Context& context) -> Task<Answer> {
      OneShot<Answer>& slot = slot_of(to_string(context.id));
      co_return co_await slot.get();
    });
  }
  template <class P>
  void serve_method(const wire::Notice<P>& notice) {
    router_.on(notice, [this](const P&, Context&) { ++notices; });
  }
  OneShot<Answer>& slot_of(const std::string& id) {
    auto& slot = slots_[id];
    if (!slot) slot = std::make_unique<OneShot<Answer>>(loop_);
    return *slot;
  }

  // Our side repeats the recorded side's actions.
  void ours(const json::Value& message) {
    const std::string name(message.text_or("method", ""));
    const json::Value* id = message.find("id");
    const json::Value* params = message.find("params");
    if (name.empty()) {
      if (id != nullptr && (message.find("result") != nullptr || message.find("error") != nullptr)) settle(*id, message);
    } else if (id != nullptr) {
      our_ids_[json::to_text(*id)] = ++calls_;
      const bool cancels = name == method::cancel.method;
      scope_.start(
          call(cancels ? std::string(method::cancel_request.method) : name, params == nullptr ? "{}" : json::to_text(*params)));
    } else if (name == method::cancel.method) {
      static_cast<void>(peer_->notify(method::cancel, *json::from_text<OfSession>(json::to_text(*params))));
    } else if (name == method::update.method) {
      static_cast<void>(peer_->notify(method::update, *json::from_text<SessionUpdate>(json::to_text(*params))));
    }
  }
  Task<void> call(std::string name, std::string params) {
    static_cast<void>(co_await peer_->call_named(name, wire::any_call(), wire::Raw{std::move(params)}, no_deadline));
  }
  void settle(const json::Value& id, const json::Value& message) {
    const json::Value* error = message.find("error");
    Answer answer = wire::Raw{error == nullptr ? json::to_text(*message.find("result")) : ""};
    if (error != nullptr) {
      const json::Value* data = error->find("data");
      answer = fail(jsonrpc::with_code(static_cast<long>(error->integer_or("code", 0)),
                                       std::string(error->text_or("message", "")), data == nullptr ? "" : json::to_text(*data)));
    }
    slot_of(json::to_text(id)).set(std::move(answer));
  }

  // The recorded other side's messages, with our numbers in place of the recorded numbers.
  void theirs(const Record& record) {
    json::Value message = record.message;
    if (json::Object* members = message.object(); members != nullptr && message.text_or("method", "").empty())
      if (const json::Value* id = members->find("id"); id != nullptr && !id->is_null())
        if (const auto found = our_ids_.find(json::to_text(*id)); found != our_ids_.end())
          members->set("id", std::int64_t(found->second));
    const std::string line = (record.is_message || message.text() == nullptr ? json::to_text(message) : record.line) + "\n";
    EXPECT_EQ(other_->try_write(line), line.size());
  }

  Task<void> read() {
    std::string text;
    char buffer[4096];
    for (;;) {
      const auto got = co_await read_some(*other_, buffer);
      if (!got || *got == 0) co_return;
      text.append(buffer, *got);
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
        if (auto value = json::parse(text.substr(0, end))) wrote_.push_back(*std::move(value));
    }
  }

  Side side_;
  Loop loop_{Loop::Time::virtual_};
  Router router_;
  std::unique_ptr<ByteStream> other_;
  std::optional<Peer> peer_;
  std::map<std::string, std::unique_ptr<OneShot<Answer>>> slots_;
  std::map<std::string, std::uint64_t> our_ids_;
  std::uint64_t calls_ = 0;
  std::vector<json::Value> wrote_;
  Scope scope_;

 public:
  std::size_t notices = 0;
};

class Replay : public testing::TestWithParam<std::string> {
 protected:
  static Flavour flavour() { return GetParam().starts_with("iflow") ? Flavour::iflow : Flavour::standard; }
  // Every message of the recorded side is among our messages.
  static std::string missing(const Replayed& side, const json::Value& recorded) {
    const json::Value* id = recorded.find("id");
    json::Value wanted = recorded;
    // Ours numbers its calls by itself.
    const bool is_call = !recorded.text_or("method", "").empty();
    if (is_call) std::erase_if(wanted.object()->members, [](const auto& member) { return member.first == "id"; });
    // Each implementation has its own message for an unknown method.
    if (const json::Value* error = wanted.find("error"); error != nullptr && error->integer_or("code", 0) == code::unknown_method)
      wanted.object()->set("error", *json::parse(R"({"code":-32601})"));
    std::string nearest = "nothing was written";
    for (const json::Value& message : side.wrote()) {
      std::string why = test::missing_in(message, wanted);
      if (why.empty()) return "";
      const json::Value* theirs = message.find("id");
      if (!is_call && id != nullptr && theirs != nullptr && *theirs == *id) nearest = why;
    }
    return json::to_text(recorded).substr(0, 300) + ": " + nearest;
  }
  // A vendor's notice, or a request without an id: the recorder's test that such messages are skipped. Ours has no such messages.
  static bool is_strange_notice(const json::Value& message) {
    const std::string_view name = message.text_or("method", "");
    return !name.empty() && message.find("id") == nullptr && name != method::cancel.method && name != method::update.method;
  }
  void replay(Side side) {
    const std::vector<Record> records = test::read_recording(folder + "/" + GetParam());
    Replayed ours(side, flavour());
    ours.play(records);
    for (const Record& record : records) {
      if (!record.is_message || record.from_client != (side == Side::client) || is_strange_notice(record.message)) continue;
      EXPECT_EQ(missing(ours, record.message), "");
    }
  }
};

TEST_P(Replay, OurClientWritesTheRecordedMessages) { replay(Side::client); }
TEST_P(Replay, OurAgentWritesTheRecordedMessages) { replay(Side::agent); }

INSTANTIATE_TEST_SUITE_P(Vectors, Replay, testing::ValuesIn(test::recordings(folder)), [](const auto& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace parlance::acp
