// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/gorpc/framing.h"

#include <algorithm>

#include "parlance/codec/gob/message.h"

namespace parlance::gorpc {
namespace {

// A longer message means a broken or hostile peer: refused at once.
constexpr std::uint64_t bearable_bytes = std::uint64_t{1} << 30;

class GobFraming final : public Framing {
 public:
  explicit GobFraming(std::size_t most) : most_(most) {}

  Step next(BytesView buffered, bool at_end) override {
    if (skip_left_ != 0 && buffered.empty() && at_end) return Step::end_of_stream("unexpected EOF");
    if (skip_left_ != 0) return skip(buffered);
    const gob::Split split = gob::split_message(buffered, most_);
    switch (split.state) {
      case gob::Split::State::message: return {.kind = Step::complete, .frame = split.message, .consumed = split.consumed};
      case gob::Split::State::need_more:
        if (at_end && !buffered.empty()) return Step::end_of_stream("unexpected EOF");
        return {};
      case gob::Split::State::bad_length: return Step::end_of_stream("gob: encoded unsigned integer out of range");
      case gob::Split::State::too_long:
        if (split.wanted > bearable_bytes)
          return Step::end_of_stream("a gob message of " + std::to_string(split.wanted) + " bytes was announced; the limit is " +
                                     std::to_string(most_));
        skip_left_ = split.wanted + split.consumed;  // with its length
        return skip(buffered);
    }
    return {};
  }

  void begin(std::string&) override {}  // The encoder writes the lengths: a frame holds several messages.
  Result<void> end(std::string&, std::size_t) override { return {}; }

 private:
  Step skip(BytesView buffered) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(skip_left_, buffered.size()));
    skip_left_ -= now;
    if (skip_left_ != 0) return now == 0 ? Step{} : Step{.kind = Step::skipped, .consumed = now};
    return {.kind = Step::broken,
            .consumed = now,
            .error = Error{.code = Errc::invalid_request,
                           .message = "the message is larger than " + std::to_string(most_) + " bytes"}};
  }

  std::size_t most_;
  std::uint64_t skip_left_ = 0;
};

}  // namespace

std::unique_ptr<Framing> gob_framing(std::size_t most_bytes) { return std::make_unique<GobFraming>(most_bytes); }

}  // namespace parlance::gorpc
