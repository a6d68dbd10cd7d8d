// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/framing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>

#include "parlance/base/text.h"

namespace parlance {
namespace {

constexpr std::size_t reported_bytes = 64;  // the beginning of an overlong line

class LineFraming final : public Framing {
 public:
  explicit LineFraming(std::size_t most) : most_(most) {}

  Step next(BytesView buffered, bool at_end) override {
    const void* found = std::memchr(buffered.data() + looked_, '\n', buffered.size() - looked_);
    if (found == nullptr) return without_end(buffered, at_end);
    const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - buffered.data());
    looked_ = 0;
    if (std::exchange(discarding_, false) || length > most_) return too_long(buffered.substr(0, length), length + 1);
    return line(buffered.substr(0, length), length + 1);
  }

  void begin(std::string&) override {}
  Result<void> end(std::string& out, std::size_t begun_at) override {
    if (std::memchr(out.data() + begun_at, '\n', out.size() - begun_at) != nullptr)
      return fail(Errc::internal, "a frame of a line protocol contains a line break");
    escape_line_ends(out, begun_at);
    out += '\n';
    return {};
  }

 private:
  Step line(BytesView text, std::size_t consumed) {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return {.kind = text.empty() ? Step::skipped : Step::complete, .frame = text, .consumed = consumed};
  }

  Step without_end(BytesView buffered, bool at_end) {
    if (at_end) {
      looked_ = 0;
      if (std::exchange(discarding_, false))
        return Step::end_of_stream("the stream ends inside " + what(), std::exchange(head_, {}));
      if (buffered.empty()) return {};
      if (buffered.size() > most_) return too_long(buffered, buffered.size());
      return line(buffered, buffered.size());
    }
    if (buffered.size() > most_) {
      looked_ = 0;
      if (!std::exchange(discarding_, true)) head_.assign(buffered.substr(0, reported_bytes));
      return {.kind = Step::skipped, .consumed = buffered.size()};
    }
    looked_ = buffered.size();
    return {};
  }

  Step too_long(BytesView text, std::size_t consumed) {
    if (head_.empty()) head_.assign(text.substr(0, reported_bytes));
    return {.kind = Step::broken,
            .consumed = consumed,
            .error = Error{.code = Errc::invalid_request, .message = what() + " was dropped", .data = std::exchange(head_, {})}};
  }
  std::string what() const { return "a line of more than " + std::to_string(most_) + " bytes"; }

  std::size_t most_;
  std::size_t looked_ = 0;  // no line break before here
  bool discarding_ = false;
  std::string head_;
};

class ContentLengthFraming final : public Framing {
 public:
  explicit ContentLengthFraming(std::size_t most) : most_(most) {}

  Step next(BytesView buffered, bool at_end) override {
    const std::size_t head_end = buffered.find("\r\n\r\n");
    if (head_end == BytesView::npos) {
      if (buffered.size() > most_header) return Step::end_of_stream("a header of more than 4096 bytes");
      if (at_end && !buffered.empty()) return Step::end_of_stream("the stream ends inside a header");
      return {};
    }
    std::size_t length = 0;
    bool found = false;
    std::size_t from = 0;
    const BytesView head = buffered.substr(0, head_end);
    while (from <= head.size()) {
      const std::size_t to = std::min(head.find("\r\n", from), head.size());
      const BytesView header = head.substr(from, to - from);
      from = to + 2;
      const std::size_t colon = header.find(':');
      if (colon == BytesView::npos || !equal_ignoring_case(trim(header.substr(0, colon)), "content-length")) continue;
      const auto number = parse_number<std::size_t>(trim(header.substr(colon + 1)));
      if (!number) return Step::end_of_stream("a Content-Length that is no number");
      length = *number;
      found = true;
    }
    if (!found) return Step::end_of_stream("a header without Content-Length");
    if (length > most_)
      return Step::end_of_stream("a frame of " + std::to_string(length) + " bytes; the limit is " + std::to_string(most_));
    const std::size_t whole = head_end + 4 + length;
    if (buffered.size() < whole) {
      if (at_end) return Step::end_of_stream("the stream ends inside a frame");
      return {};
    }
    return {.kind = Step::complete, .frame = buffered.substr(head_end + 4, length), .consumed = whole};
  }

  // The length is known only at the end, so its place is kept with blanks, which the header's grammar allows.
  void begin(std::string& out) override { out += header_template; }
  Result<void> end(std::string& out, std::size_t begun_at) override {
    const std::size_t length = out.size() - begun_at - header_template.size();
    std::array<char, 20> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), length);
    const auto count = static_cast<std::size_t>(end - digits.data());
    out.replace(begun_at + header_template.size() - 4 - count, count, digits.data(), count);
    return {};
  }

 private:
  static constexpr std::size_t most_header = 4096;
  static constexpr std::string_view header_template = "Content-Length:           \r\n\r\n";  // room for ten digits

  std::size_t most_;
};

class JsonObjectFraming final : public Framing {
 public:
  explicit JsonObjectFraming(std::size_t most) : most_(most) {}

  Step next(BytesView buffered, bool at_end) override {
    if (depth_ == 0 && looked_ == 0) {
      std::size_t blank = 0;
      while (blank < buffered.size() && is_blank(buffered[blank])) ++blank;
      if (blank != 0) return {.kind = Step::skipped, .consumed = blank};
      if (buffered.empty()) return {};
      if (buffered[0] != '{') return Step::end_of_stream("expected a JSON object");
    }
    for (; looked_ < buffered.size(); ++looked_) {
      const char c = buffered[looked_];
      if (in_text_) {
        if (escaped_) escaped_ = false;
        else if (c == '\\') escaped_ = true;
        else if (c == '"') in_text_ = false;
      } else if (c == '"') {
        in_text_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if ((c == '}' || c == ']') && --depth_ == 0) {
        const std::size_t length = looked_ + 1;
        looked_ = 0;
        return {.kind = Step::complete, .frame = buffered.substr(0, length), .consumed = length};
      }
    }
    if (buffered.size() > most_) return Step::end_of_stream("an object of more than " + std::to_string(most_) + " bytes");
    if (at_end && !buffered.empty()) return Step::end_of_stream("the stream ends inside an object");
    return {};
  }

  void begin(std::string&) override {}
  Result<void> end(std::string& out, std::size_t) override {
    out += '\n';
    return {};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  std::size_t most_;
  std::size_t looked_ = 0;
  int depth_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

}  // namespace

Framing::Step Framing::Step::end_of_stream(std::string why, Bytes head) {
  return {.kind = fatal, .error = Error{.code = Errc::disconnected, .message = std::move(why), .data = std::move(head)}};
}

void escape_line_ends(std::string& out, std::size_t begun_at) {
  struct LineEnd {
    std::string_view character;
    std::string_view escape;
  };
  constexpr LineEnd line_ends[] = {{"\xC2\x85", "\\u0085"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}};
  const std::string_view frame = std::string_view(out).substr(begun_at);
  const auto is_there = [frame](const LineEnd& line_end) { return frame.find(line_end.character) != std::string_view::npos; };
  if (std::ranges::none_of(line_ends, is_there)) return;
  std::string escaped;
  escaped.reserve(frame.size() + frame.size() / 8);
  for (std::size_t at = 0; at < frame.size();) {
    const auto* const found = std::ranges::find_if(
        line_ends, [rest = frame.substr(at)](const LineEnd& line_end) { return rest.starts_with(line_end.character); });
    if (found == std::end(line_ends)) {
      escaped += frame[at++];
    } else {
      escaped += found->escape;
      at += found->character.size();
    }
  }
  out.replace(begun_at, std::string::npos, escaped);
}

std::unique_ptr<Framing> line_framing(std::size_t most_bytes) { return std::make_unique<LineFraming>(most_bytes); }
std::unique_ptr<Framing> content_length_framing(std::size_t most_bytes) {
  return std::make_unique<ContentLengthFraming>(most_bytes);
}
std::unique_ptr<Framing> json_object_framing(std::size_t most_bytes) { return std::make_unique<JsonObjectFraming>(most_bytes); }

}  // namespace parlance
