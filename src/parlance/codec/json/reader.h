// SPDX-License-Identifier: Apache-2.0
// Pull reader for a JSON document (RFC 8259). It checks all passed input, copies only requested values, and reports the
// boundaries of every value, so that raw parts stay unchanged. The last of duplicate members counts (readers above implement
// this). Why not simdjson: docs/decisions/0003-json-reader.md. The text must outlive the reader and be valid UTF-8
// (`check_utf8`). One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/codec/json/limits.h"

namespace parlance::json {

bool check_utf8(std::string_view text);  // By simdjson: several GB/s.

enum class Token : std::uint8_t { object, array, text, number, boolean, null, end, bad };
std::string_view name_of(Token token);  // "an object", "a number", …

class Reader {
 public:
  explicit Reader(std::string_view text, int depth_limit = limits::json_depth)
      : at_(text.data()), begin_(text.data()), end_(text.data() + text.size()), depth_left_(depth_limit) {}

  Token peek();  // Kind of the next value, after white space.

  //   for (bool more = reader.enter_object(); more; more = reader.next_member()) { reader.key() … read the value … }
  // Both return false at the end of the object and after a fault: check ok().
  bool enter_object();
  bool next_member();
  std::string_view key() const { return key_; }  // Decoded; valid until the next key.
  bool enter_array();
  bool next_element();

  bool read_text(std::string& out);
  // Without a copy if the text has no escape: `out` then views the document, otherwise `decoded`.
  bool read_text(std::string_view& out, std::string& decoded);
  bool read_boolean(bool& out);
  bool read_null();
  std::string_view read_number();              // Text of the number after a check of its grammar; empty after a fault.
  bool skip(std::string_view* raw = nullptr);  // Any value; `raw` is exactly its text.

  bool finish();  // Only white space may follow.

  bool ok() const { return fault_ == nullptr; }
  const char* fault() const { return fault_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  bool fail(const char* what);

 private:
  void skip_space();
  bool read_key();
  bool scan_text(std::string_view& plain, std::string* decoded);
  bool scan_escaped(const char* run, std::string* decoded);
  bool decode_escape(std::string& out);
  bool read_hex4(unsigned& out);
  bool close_or_comma(char close, bool& closed);
  bool descend();

  const char* at_;
  const char* begin_;
  const char* end_;
  const char* fault_ = nullptr;
  int depth_left_;
  std::string_view key_;
  std::string decoded_key_;
};

}  // namespace parlance::json
