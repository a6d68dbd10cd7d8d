// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/interface.h"

#include <charconv>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"

namespace parlance::gob {

void Counts::put_in(std::string& out) {
  std::size_t from = out.size();  // end of the bytes to move
  out.resize(out.size() + static_cast<std::size_t>(extra_));
  char* to = out.data() + out.size();
  for (auto note = notes_.rbegin(); note != notes_.rend(); ++note) {
    const std::size_t size = from - note->at;
    to -= size;
    std::char_traits<char>::move(to, out.data() + note->at, size);
    to -= uint_size(note->value);
    put_uint(to, note->value);
    from = note->at;
  }
  notes_.clear();
  extra_ = 0;
}

Result<void> InterfaceWriter::write(std::string_view json, int depth) {
  if (!is_valid_utf8(json)) return fail(Errc::invalid_params, "gob: interface value is not UTF-8");
  json::Reader reader(json, depth);
  if (value(reader) && reader.finish()) return {};
  return fail(Errc::invalid_params,
              "gob: interface value is no JSON: at byte " + std::to_string(reader.offset()) + ": " + reader.fault());
}

bool InterfaceWriter::value(json::Reader& reader) {
  switch (reader.peek()) {
    case json::Token::object: return object(reader);
    case json::Token::array: return array(reader);
    case json::Token::number: {
      const std::string_view text = reader.read_number();
      return reader.ok() && number(text);
    }
    case json::Token::null: write_uint(out_, 0); return reader.read_null();
    case json::Token::boolean: {
      bool on = false;
      if (!reader.read_boolean(on)) return false;
      head("bool", id_bool);
      out_.append({2, 0, on ? '\1' : '\0'});
      return true;
    }
    case json::Token::text: {
      std::string text;
      if (!reader.read_text(text)) return false;
      head("string", id_string);
      write_uint(out_, 1 + uint_size(text.size()) + text.size());
      out_ += '\0';
      write_bytes(out_, text);
      return true;
    }
    case json::Token::end: return reader.fail("the document ends too early");
    case json::Token::bad: break;
  }
  return reader.fail("expected a value");
}

bool InterfaceWriter::number(std::string_view text) {
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto r = std::from_chars(text.data(), end, whole); r.ec == std::errc{} && r.ptr == end) {
    head("int", id_int);
    write_uint(out_, 1 + uint_size(int_bits(whole)));
    out_ += '\0';
    write_int(out_, whole);
    return true;
  }
  double real = 0;
  if (const auto parsed = json::parse(text)) parsed->number(real);  // beyond the range of a double: as the other readers
  head("float64", id_float);
  write_uint(out_, 1 + uint_size(double_bits(real)));
  out_ += '\0';
  write_double(out_, real);
  return true;
}

bool InterfaceWriter::object(json::Reader& reader) {
  needs_.any_map = true;
  head("map[string]interface {}", pool_.any_map().id);
  const std::size_t bytes = counts_.open(out_);
  out_ += '\0';
  const std::size_t members = counts_.open(out_);
  std::uint64_t count = 0;
  for (bool more = reader.enter_object(); more; more = reader.next_member(), ++count) {
    write_bytes(out_, reader.key());
    if (!value(reader)) return false;
  }
  counts_.close(members, count);
  counts_.close(bytes, counts_.bytes_since(bytes, out_));
  return reader.ok();
}

bool InterfaceWriter::array(json::Reader& reader) {
  needs_.any_slice = true;
  head("[]interface {}", pool_.any_slice().id);
  const std::size_t bytes = counts_.open(out_);
  out_ += '\0';
  const std::size_t elements = counts_.open(out_);
  std::uint64_t count = 0;
  for (bool more = reader.enter_array(); more; more = reader.next_element(), ++count)
    if (!value(reader)) return false;
  counts_.close(elements, count);
  counts_.close(bytes, counts_.bytes_since(bytes, out_));
  return reader.ok();
}

}  // namespace parlance::gob
