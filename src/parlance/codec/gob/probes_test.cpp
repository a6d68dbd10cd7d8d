// SPDX-License-Identifier: Apache-2.0
// Hand-made input with a Go server's results, compared with our decoder. The server here is minimal: headers and bodies in turn,
// and an answer for each call with an error or none.
#include <map>
#include <set>

#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob {
namespace {

using namespace test;

struct PathArgs {
  std::string path{};
  static constexpr auto wire = fields(field<&PathArgs::path>("Path", ""));
};

struct Sequence {
  std::uint64_t seq = 0;
  static constexpr auto wire = fields(field<&Sequence::seq>("Seq", "").or_default());
};

struct Outcome {
  std::multiset<std::pair<std::uint64_t, bool>> answers{};  // Seq, and whether an error
  bool closed = false;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

void PrintTo(const Outcome& outcome, std::ostream* out) {
  for (const auto& [seq, error] : outcome.answers) *out << (error ? "error " : "reply ") << seq << ", ";
  *out << (outcome.closed ? "closed" : "open");
}

bool reads_body(Decoder& decoder, std::string_view method) {
  if (method.ends_with(".Chat")) return decoder.read<ChatArgs>().has_value();
  if (method.ends_with(".MemorySearch")) return decoder.read<MemorySearchArgs>().has_value();
  if (method.ends_with(".MemoryGet")) return decoder.read<PathArgs>().has_value();
  return method.ends_with(".Stats") && decoder.read<wire::Nothing>().has_value();
}

Outcome serve(BytesView stream) {
  Decoder decoder;
  Outcome outcome;
  std::optional<Request> call;
  const auto answer = [&](bool error) {
    outcome.answers.emplace(call->seq, error);
    call.reset();
  };
  while (!outcome.closed && !stream.empty()) {
    const Split split = split_message(stream);
    if (split.state == Split::State::need_more) break;
    stream.remove_prefix(split.consumed);
    outcome.closed = split.state == Split::State::bad_length;
    if (split.state != Split::State::message) {
      if (call) answer(true);
      continue;
    }
    const auto progress = decoder.feed(split.message);
    if (progress && *progress != Progress::value) continue;
    outcome.closed = decoder.broken();
    if (call) {
      answer(!progress || !reads_body(decoder, call->method));
    } else {
      auto header = progress ? decoder.read<Request>() : Result<Request>(fail(progress.error()));
      if (header) call = *std::move(header);
      else outcome.closed = true;
    }
  }
  return outcome;
}

std::uint64_t seq_of(const json::Value& header) {
  auto read = json::from_text<Sequence>(json::to_text(header));
  return read ? read->seq : 0;
}

Outcome recorded(const json::Value& probe) {
  Outcome outcome;
  const json::Array& answers = *probe.find("answers")->array();
  for (std::size_t n = 0; n + 1 < answers.size(); n += 2)  // header, body
    outcome.answers.emplace(seq_of(answers[n]), !answers[n].text_or("Error", "").empty());
  outcome.closed = probe.boolean_or("closed_by_server", false);
  return outcome;
}

TEST(Probes, AreAnsweredAsByGo) {
  // Where we differ from Go, and mean to.
  const std::map<std::string_view, Outcome> different{
      {"interface-unknown-name", {{{1, false}, {77, false}}, false}},  // no registration needed
      {"uint-for-int", {{{1, false}, {77, false}}, false}},            // kinder: the value fits
      {"empty-message", {{{1, true}}, true}},                   // the same here: the body then stands where a header is due
      {"slice-count-100m", {{{1, true}, {77, false}}, false}},  // Go takes 8 GB and answers after seconds
      {"length-4g", {{{1, true}, {77, false}}, false}},         // Go takes 4 GB and waits
      {"truncated", {{}, false}},                               // in the recording, Go saw the end of input; here, none follows
      {"handler-panic", {{{1, false}}, false}}};                // no panic here
  const json::Value probes = parse(read_whole(vectors() + "probes.json"));
  std::size_t checked = 0;
  for (const json::Value& probe : *probes.array()) {
    const std::string_view name = probe.text_or("name", "");
    std::string stream;
    if (!from_hex(probe.text_or("sent", ""), stream)) continue;  // the three large probes: bounds_test.cpp builds them in full
    const auto own = different.find(name);
    EXPECT_EQ(serve(stream), own != different.end() ? own->second : recorded(probe)) << name;
    ++checked;
  }
  EXPECT_GT(checked, 40U);
}

TEST(Probes, AnswersThatAGoClientTakesAreTakenByOurs) {
  const json::Value probes = parse(read_whole(vectors() + "probes_client.json"));
  std::size_t replies = 0;
  for (const json::Value& probe : *probes.array()) {
    const std::string name(probe.text_or("name", ""));
    std::string stream;
    for (const json::Value& sent : *probe.find("answers_sent")->array()) {
      std::string part;
      if (sent.text() != nullptr && from_hex(*sent.text(), part)) stream += part;
    }
    KeepingDecoder decoder;
    const auto done = feed_all(decoder, stream, [&](Decoder& d) {
      if (d.has_field("Error")) {
        EXPECT_TRUE(d.read<Response>()) << name;
      } else {
        EXPECT_TRUE(d.read_any()) << name;  // all later values can be read and dropped
        if (const auto reply = d.read<ChatReply>(); reply && !reply->content.empty()) ++replies;
      }
    });
    EXPECT_EQ(done.has_value(), name != "garbage") << name;
  }
  EXPECT_GT(replies, 8U);
}

}  // namespace
}  // namespace parlance::gob
