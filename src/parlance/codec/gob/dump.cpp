// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/dump.h"

#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/message.h"

namespace parlance::gob {
namespace {

using json::Array;
using json::Object;
using json::Value;

std::string text_of(std::string_view bytes) { return std::string(bytes); }  // names are any bytes; the writer makes them UTF-8

Value typedef_of(const Definition& definition) {
  Array parts{text_of(name_of(definition.shape)), text_of(definition.name())};
  switch (definition.shape) {
    case Shape::structure: {
      Array fields;
      for (const Definition::Field& field : definition.fields)
        fields.push_back(Array{text_of(definition.name_of(field)), field.type});
      parts.emplace_back(std::move(fields));
      break;
    }
    case Shape::slice: parts.emplace_back(definition.element); break;
    case Shape::array:
      parts.emplace_back(definition.element);
      parts.emplace_back(definition.length);
      break;
    case Shape::map:
      parts.emplace_back(definition.key);
      parts.emplace_back(definition.element);
      break;
    case Shape::opaque: break;
  }
  return parts;
}

class Dumper {
 public:
  Dumper(BytesView stream, const Limits& limits) : stream_(stream), limits_(limits), decoder_(nullptr, limits) {}

  std::vector<Value> run() {
    while (at_ < stream_.size() && next_line()) {}
    return std::move(lines_);
  }

 private:
  bool next_line() {
    begin_ = at_;
    Object line;
    line.set("offset", static_cast<std::uint64_t>(begin_));
    const bool goes_on = fill(line);
    if (line.find("truncated") == nullptr) line.set("length", static_cast<std::uint64_t>(at_ - begin_));
    lines_.emplace_back(std::move(line));
    return goes_on;
  }

  bool fill(Object& line) {
    std::uint64_t messages = 0;
    for (;;) {
      const Split split = split_message(stream_.substr(at_), limits_.message_bytes);
      if (split.state != Split::State::message) return end(line, split);
      at_ += split.consumed;
      ++messages;
      const auto progress = decoder_.feed(split.message);
      if (!progress) {
        line.set("error", progress.error().message);
        return !decoder_.broken();
      }
      if (*progress == Progress::partial) continue;
      if (*progress == Progress::definition) fill_definition(line, split.message);
      else fill_value(line, messages);
      return true;
    }
  }

  static bool end(Object& line, const Split& split) {
    switch (split.state) {
      case Split::State::too_long:
        line.set("error", "gob: message of " + std::to_string(split.wanted) + " bytes is too long");
        break;
      case Split::State::bad_length: line.set("error", "gob: encoded unsigned integer out of range"); break;
      default: line.set("truncated", true); break;
    }
    return false;
  }

  void fill_definition(Object& line, BytesView message) {
    Cursor cursor(message);
    std::int64_t id = 0;
    cursor.read_int(id);
    line.set("id", id);
    line.set("typedef", typedef_of(*decoder_.types().find(static_cast<TypeId>(-id))));
  }

  void fill_value(Object& line, std::uint64_t messages) {
    line.set("id", std::int64_t{decoder_.type_id()});
    line.set("type", text_of(decoder_.type_name()));
    std::string text;
    const auto written = decoder_.read_json(text, Form::annotated);
    auto value = written ? json::parse(text) : Result<Value>(std::unexpected(written.error()));
    if (value) line.set("value", *std::move(value));
    else line.set("error", value.error().message);
    Array inner;
    for (const TypeId id : decoder_.defined_inside()) {
      Object definition;
      definition.set("id", std::int64_t{-id});
      definition.set("typedef", typedef_of(*decoder_.types().find(id)));
      inner.emplace_back(std::move(definition));
    }
    if (!inner.empty()) line.set("inner_typedefs", std::move(inner));
    if (messages > 1) line.set("messages", messages);
  }

  BytesView stream_;
  Limits limits_;
  Decoder decoder_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::vector<Value> lines_;
};

// ---- for people --------------------------------------------------------------------------------------------------------

std::string id_text(const Value& id) {
  std::int64_t number = 0;
  id.integer(number);
  const auto own = static_cast<TypeId>(number);
  return is_builtin(own) ? text_of(builtin_name(own)) : "#" + std::to_string(number);
}

std::string typedef_text(const Value& type) {
  const Array& parts = *type.array();
  const std::string& shape = *parts[0].text();
  const std::string& name = *parts[1].text();
  const std::string named = name.empty() ? shape : shape + " " + name;
  if (shape == "slice") return named + " = []" + id_text(parts[2]);
  if (shape == "map") return named + " = map[" + id_text(parts[2]) + "]" + id_text(parts[3]);
  if (shape == "array") return named + " = [" + json::to_text(parts[3]) + "]" + id_text(parts[2]);
  if (shape != "struct") return named;
  std::string text = named + " {";
  const char* separator = " ";
  for (const Value& field : *parts[2].array()) {
    text += separator + *(*field.array())[0].text() + " " + id_text((*field.array())[1]);
    separator = "; ";
  }
  return text + " }";
}

std::string padded(const Value* number) {
  const std::string text = number != nullptr ? json::to_text(*number) : "";
  return std::string(text.size() < 8 ? 8 - text.size() : 1, ' ') + text;
}

void describe_definition(std::string& out, const Value& line) {
  std::int64_t id = 0;
  line.find("id")->integer(id);
  out += "type #" + std::to_string(-id) + " = " + typedef_text(*line.find("typedef"));
}

void describe_line(std::string& out, const Value& line) {
  const std::string margin(18, ' ');
  out += padded(line.find("offset")) + padded(line.find("length")) + "  ";
  if (line.find("typedef") != nullptr) describe_definition(out, line);
  if (const Value* value = line.find("value")) {
    const std::string_view type = line.text_or("type", "");
    out += (type.empty() ? "#" + json::to_text(*line.find("id")) : std::string(type)) + " " + json::to_text(*value);
  }
  if (line.find("error") != nullptr) out += "error: " + std::string(line.text_or("error", ""));
  if (line.find("truncated") != nullptr) out += "the stream ends inside this message";
  out += '\n';
  if (const Value* inner = line.find("inner_typedefs")) {
    for (const Value& definition : *inner->array()) {
      out += margin + "  inside: ";
      describe_definition(out, definition);
      out += '\n';
    }
  }
}

}  // namespace

std::vector<json::Value> dump(BytesView stream, const Limits& limits) { return Dumper(stream, limits).run(); }

std::string dump_json_lines(BytesView stream, const Limits& limits) {
  std::string out;
  for (const Value& line : dump(stream, limits)) {
    json::write(out, line);
    out += '\n';
  }
  return out;
}

std::string dump_text(BytesView stream, const Limits& limits) {
  std::string out;
  for (const Value& line : dump(stream, limits)) describe_line(out, line);
  return out;
}

}  // namespace parlance::gob
