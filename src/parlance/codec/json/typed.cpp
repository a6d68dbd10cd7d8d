// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/typed.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "parlance/base/base64.h"
#include "parlance/base/text.h"

namespace parlance::json {
namespace {

using wire::Field;
using wire::Kind;
using wire::Type;

struct Fault {
  std::string path;     // built from the inside out while the reader unwinds
  std::string message;  // empty: the document itself is broken, the reader says how
};

// The tag of the chosen object: a second tag may differ (the last duplicate wins).
struct Chosen {
  std::string_view tag_field;
  bool* again = nullptr;
};

class TypedReader {
 public:
  TypedReader(Reader& reader, ReadOptions options) : reader_(reader), options_(options) {}

  bool read(const Type& type, void* into) {
    switch (type.kind) {
      case Kind::boolean: return expect(Token::boolean, "a boolean") && reader_.read_boolean(*static_cast<bool*>(into));
      case Kind::integer: return read_integer(type, into);
      case Kind::number: return read_number(type, into);
      case Kind::text: return expect(Token::text, "text") && reader_.read_text(*static_cast<std::string*>(into));
      case Kind::bytes: return read_bytes(*static_cast<wire::Blob*>(into));
      case Kind::raw: return read_raw(*static_cast<wire::Raw*>(into));
      case Kind::enumeration: return read_enum(type, into);
      case Kind::object: return read_object(type, into);
      case Kind::list: return read_list(type, into);
      case Kind::map: return read_map(type, into);
      case Kind::optional:
        if (reader_.peek() == Token::null) {
          type.reset(into);
          return reader_.read_null();
        }
        return read(type.element(), type.optional->emplace(into));
      case Kind::nullable:
        if (reader_.peek() == Token::null) {
          type.reset(into);
          type.enumeration->set(into, 1);
          return reader_.read_null();
        }
        return read(type.element(), type.optional->emplace(into));
      case Kind::tagged: return read_tagged(type, into);
    }
    return false;
  }

  Fault& fault() { return fault_; }

 private:
  bool refuse(std::string message) {
    if (fault_.message.empty()) fault_.message = std::move(message);
    return false;
  }

  // Prepends a place to the path of the fault.
  bool refuse_at(std::string_view place) {
    fault_.path.insert(0, place);
    return false;
  }
  bool refuse_member(std::string_view name) { return refuse_at("." + std::string(name)); }

  bool refuse_range(std::string_view number) { return refuse("number out of range: " + std::string(number)); }

  bool expect(Token wanted, std::string_view what) { return reader_.peek() == wanted || refuse_other(what); }

  bool refuse_other(std::string_view what) {
    const Token found = reader_.peek();
    if (found == Token::end || found == Token::bad) return reader_.fail("expected a value");
    if (!reader_.skip()) return false;  // only similar at the beginning: "no JSON" is not null
    return refuse("expected " + std::string(what) + ", found " + std::string(name_of(found)));
  }

  bool read_integer(const Type& type, void* into) {
    if (!expect(Token::number, "an integer")) return false;
    const std::string_view text = reader_.read_number();
    if (!reader_.ok()) return false;
    const char* end = text.data() + text.size();
    std::int64_t i = 0;
    if (const auto r = std::from_chars(text.data(), end, i); r.ec == std::errc{} && r.ptr == end)
      return write_integer(type, into, wire::AnyInteger::of(i)) || refuse_range(text);
    std::uint64_t u = 0;
    if (const auto r = std::from_chars(text.data(), end, u); r.ec == std::errc{} && r.ptr == end)
      return write_integer(type, into, wire::AnyInteger::of(u)) || refuse_range(text);
    // 5.0 and 1e3 are integers too: writers with only doubles send such numbers.
    double d = 0;
    const auto r = std::from_chars(text.data(), end, d);
    if (r.ec != std::errc{} || std::trunc(d) != d) return refuse("expected an integer, found " + std::string(text));
    if (std::abs(d) >= 9.2e18) return refuse_range(text);
    return write_integer(type, into, wire::AnyInteger::of(static_cast<std::int64_t>(d))) || refuse_range(text);
  }

  bool read_number(const Type& type, void* into) {
    if (!expect(Token::number, "a number")) return false;
    const std::string_view text = reader_.read_number();
    if (!reader_.ok()) return false;
    double d = 0;
    const auto r = std::from_chars(text.data(), text.data() + text.size(), d);
    if (r.ec != std::errc{}) return refuse_range(text);
    write_number(type, into, d);
    return true;
  }

  bool read_bytes(wire::Blob& into) {
    std::string text;
    if (!expect(Token::text, "base64 text") || !reader_.read_text(text)) return false;
    auto bytes = from_base64(text);
    if (!bytes) return refuse("expected base64 text");
    into.bytes = *std::move(bytes);
    return true;
  }

  bool read_raw(wire::Raw& into) {
    std::string_view raw;
    if (!reader_.skip(&raw)) return false;
    into.json.assign(raw);
    return true;
  }

  bool read_enum(const Type& type, void* into) {
    std::string text;
    if (!expect(Token::text, "text") || !reader_.read_text(text)) return false;
    const auto names = type.enumeration->names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) {
        type.enumeration->set(into, static_cast<int>(i));
        return true;
      }
    }
    if (type.enumeration->unknown != nullptr) {
      *type.enumeration->unknown(into) = std::move(text);
      return true;
    }
    std::string message = "expected one of";
    for (const std::string_view name : names) message += " \"" + std::string(name) + "\"";
    return refuse(message + ", found \"" + text + "\"");
  }

  bool same_name(std::string_view key, const Field& field) const {
    if (key == field.name || (!field.alias.empty() && key == field.alias)) return true;
    return options_.loose_names && (loosely_equal(key, field.name) || (!field.alias.empty() && loosely_equal(key, field.alias)));
  }

  static bool loosely_equal(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    const auto next = [](std::string_view text, std::size_t& at) -> char {
      while (at < text.size() && text[at] == '_') ++at;
      if (at == text.size()) return '\0';
      const char c = text[at++];
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    };
    for (;;) {
      const char x = next(a, i);
      if (x != next(b, j)) return false;
      if (x == '\0') return true;
    }
  }

  bool refuse_unknown(const Type& type, std::string_view key) {
    std::string names;
    for (const Field& field : type.fields) names += (names.empty() ? "; known members: " : ", ") + std::string(field.name);
    return refuse("unknown member" + names) || refuse_member(key);
  }

  // Members mostly come in the order of the declaration: the search begins at field `next`. The number of fields: no such field.
  std::size_t find_field(const Type& type, std::string_view key, std::size_t next) const {
    for (std::size_t i = next; i < type.fields.size(); ++i)
      if (same_name(key, type.fields[i])) return i;
    for (std::size_t i = 0; i < next; ++i)
      if (same_name(key, type.fields[i])) return i;
    return type.fields.size();
  }

  bool read_object(const Type& type, void* into, Chosen chosen = {}) {
    if (!expect(Token::object, "an object")) return false;
    bool tag_seen = false;
    std::uint64_t seen = 0;
    std::size_t next = 0;
    for (bool more = reader_.enter_object(); more; more = reader_.next_member()) {
      const std::string_view key = reader_.key();
      if (chosen.again != nullptr && key == chosen.tag_field && std::exchange(tag_seen, true)) {
        *chosen.again = true;
        return false;
      }
      const std::size_t found = find_field(type, key, next);
      if (found == type.fields.size()) {
        if (options_.known_only) return refuse_unknown(type, key);
        if (!reader_.skip()) return false;
        continue;
      }
      const Field& field = type.fields[found];
      const Type& field_type = field.type();
      void* place = field.at(into);
      if ((seen >> found & 1) != 0) field_type.reset(place);
      seen |= std::uint64_t{1} << found;
      next = found + 1;
      // An optional member may be null: Go writes null for empty slices and maps.
      if (field.presence == wire::Presence::optional && reader_.peek() == Token::null && field_type.kind != Kind::nullable &&
          field_type.kind != Kind::raw) {
        if (!reader_.read_null()) return false;
        continue;
      }
      if (!read(field_type, place)) return refuse_member(field.name);
    }
    if (!reader_.ok()) return false;
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if ((seen >> i & 1) == 0 && type.fields[i].presence == wire::Presence::required)
        return refuse("missing") || refuse_member(type.fields[i].name);
    return true;
  }

  bool read_list(const Type& type, void* into) {
    if (!expect(Token::array, "an array")) return false;
    const Type& element = type.element();
    std::size_t index = 0;
    for (bool more = reader_.enter_array(); more; more = reader_.next_element(), ++index) {
      if (!read(element, type.list->append(into))) return refuse_at("[" + std::to_string(index) + "]");
    }
    return reader_.ok();
  }

  bool read_map(const Type& type, void* into) {
    if (!expect(Token::object, "an object")) return false;
    const Type& element = type.element();
    for (bool more = reader_.enter_object(); more; more = reader_.next_member()) {
      std::string key(reader_.key());
      if (!read(element, type.map->insert(into, key))) return refuse_member(key);
    }
    return reader_.ok();
  }

  bool read_tagged(const Type& type, void* into) {
    if (!expect(Token::object, "an object")) return false;
    const Reader begin = reader_;
    bool again = false;
    if (const Leading first = leading_alternative(type, into); first.type != nullptr) {
      if (read_object(*first.type, first.place, {type.tagged->tag_field, &again})) return true;
      if (!again) return false;
      reader_ = begin;
      fault_ = {};
    }
    return read_tagged_anywhere(type, into);
  }

  // Most peers write the tag first: then a single pass reads the object. No type if the tag is elsewhere.
  struct Leading {
    const Type* type = nullptr;
    void* place = nullptr;
  };
  Leading leading_alternative(const Type& type, void* into) {
    Reader ahead = reader_;
    std::string_view tag;
    std::string decoded;
    if (!ahead.enter_object() || ahead.key() != type.tagged->tag_field || ahead.peek() != Token::text ||
        !ahead.read_text(tag, decoded))
      return {};
    const auto alternatives = type.tagged->alternatives();
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      if (alternatives[i].tag != tag || alternatives[i].type().kind != Kind::object) continue;
      return {.type = &alternatives[i].type(), .place = type.tagged->emplace(into, i)};
    }
    return {};
  }

  // The tag may come last, so the first pass finds the tag and the second pass reads the object as the tagged type.
  bool read_tagged_anywhere(const Type& type, void* into) {
    std::string_view raw;
    if (!reader_.skip(&raw)) return false;
    std::string tag;
    bool has_tag = false;
    Reader scan(raw);
    for (bool more = scan.enter_object(); more; more = scan.next_member()) {
      if (scan.key() != type.tagged->tag_field) scan.skip();
      else if (scan.peek() == Token::text) has_tag = scan.read_text(tag);
      else has_tag = !scan.skip();  // the last duplicate counts, even an invalid one
    }
    if (!has_tag) return refuse("missing") || refuse_member(type.tagged->tag_field);
    const auto alternatives = type.tagged->alternatives();
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      if (alternatives[i].tag != tag) continue;
      Reader inner(raw);
      TypedReader typed(inner, options_);
      if (typed.read(alternatives[i].type(), type.tagged->emplace(into, i))) return true;
      fault_ = std::move(typed.fault_);
      return false;
    }
    if (!type.tagged->has_other) return refuse("unknown kind \"" + tag + "\"") || refuse_member(type.tagged->tag_field);
    static_cast<wire::Raw*>(type.tagged->emplace(into, alternatives.size()))->json.assign(raw);
    return true;
  }

  Reader& reader_;
  ReadOptions options_;
  Fault fault_;
};

}  // namespace

Result<void> read(std::string_view text, const Type& type, void* into, ReadOptions options) {
  if (!options.known_utf8 && !check_utf8(text)) return fail(Errc::invalid_request, "the document is not UTF-8");
  Reader reader(text);
  TypedReader typed(reader, options);
  if (typed.read(type, into) && reader.finish()) return {};
  if (typed.fault().message.empty() || !reader.ok())
    return fail(Errc::invalid_request,
                "at byte " + std::to_string(reader.offset()) + ": " + (reader.ok() ? "broken document" : reader.fault()));
  return fail(Errc::invalid_params, "$" + typed.fault().path + ": " + typed.fault().message);
}

}  // namespace parlance::json
