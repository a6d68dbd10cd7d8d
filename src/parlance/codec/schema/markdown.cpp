// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/markdown.h"

#include <map>
#include <vector>

#include "parlance/base/check.h"

namespace parlance::schema {
namespace {

using wire::Kind;
using wire::Type;

class MarkdownPrinter {
 public:
  void add(const Type& type) {
    static_cast<void>(word(type));
    while (!waiting_.empty()) {
      const Type* next = waiting_.front();
      waiting_.erase(waiting_.begin());
      const auto [known, fresh] = seen_.emplace(next->name, next);
      PARLANCE_CHECK(known->second == next, "each name is that of one type");
      if (fresh) table(*next);
    }
  }
  std::string text() const { return out_; }

  std::string word(const Type& type, std::string_view holds = {}) {
    switch (type.kind) {
      case Kind::boolean: return "boolean";
      case Kind::integer: return type.is_signed ? "integer" : "integer ≥ 0";
      case Kind::number: return "number";
      case Kind::text: return "text";
      case Kind::bytes: return "bytes (base64)";
      case Kind::raw: return holds.empty() ? "any JSON" : "`" + std::string(holds) + "`";
      case Kind::enumeration: {
        std::string text;
        for (const std::string_view name : type.enumeration->names())
          text += (text.empty() ? "`" : ", `") + std::string(name) + "`";
        return type.enumeration->unknown != nullptr ? text + ", or another" : text;
      }
      case Kind::object: waiting_.push_back(&type); return "`" + std::string(type.name) + "`";
      case Kind::list: return "list of " + word(type.element(), holds);
      case Kind::map: return "map of text to " + word(type.element(), holds);
      case Kind::optional: return word(type.element(), holds);
      case Kind::nullable: return word(type.element(), holds) + " or null";
      case Kind::tagged: {
        std::string text = "one of";
        for (const wire::Alternative& alternative : type.tagged->alternatives())
          text += " `" + std::string(type.tagged->tag_field) + ": " + std::string(alternative.tag) + "` " +
                  word(alternative.type()) + ",";
        text.pop_back();
        return text;
      }
    }
    return {};
  }

 private:
  void table(const Type& type) {
    out_ += "### " + std::string(type.name) + "\n\n";
    if (type.fields.empty()) {
      out_ += "No members.\n\n";
      return;
    }
    out_ += "| member | type | | meaning |\n| --- | --- | --- | --- |\n";
    for (const wire::Field& field : type.fields) {
      out_ += "| `" + std::string(field.name) + "` | " + word(field.type(), field.holds) + " | " +
              (field.presence == wire::Presence::required ? "required" : "optional") + " | " + std::string(field.doc) + " |\n";
    }
    out_ += "\n";
  }

  std::map<std::string_view, const Type*> seen_;
  std::vector<const Type*> waiting_;
  std::string out_;
};

constexpr std::string_view method_head = "| method | parameters | reply | |\n| --- | --- | --- | --- |\n";

}  // namespace

std::string markdown_types(const std::vector<const Type*>& roots) {
  MarkdownPrinter printer;
  for (const Type* root : roots) printer.add(*root);
  return printer.text();
}

std::string markdown_methods(std::span<const wire::Method> methods) {
  std::string text(method_head);
  MarkdownPrinter names;
  for (const wire::Method& method : methods) {
    text += "| " + (method.name.empty() ? "" : "`" + std::string(method.name) + "`") + " | " + names.word(method.parameters());
    text += " | " + (method.reply == nullptr ? "none: a notice" : names.word(method.reply())) + " | " + std::string(method.doc) +
            " |\n";
  }
  return text;
}

std::vector<const Type*> types_of(std::span<const wire::Method> methods) {
  std::vector<const Type*> types;
  for (const wire::Method& method : methods) {
    types.push_back(&method.parameters());
    if (method.reply != nullptr) types.push_back(&method.reply());
  }
  return types;
}

std::string markdown_union(const Type& type) {
  std::string text = "| `" + std::string(type.tagged->tag_field) + "` | |\n| --- | --- |\n";
  MarkdownPrinter names;
  for (const wire::Alternative& alternative : type.tagged->alternatives())
    text += "| `" + std::string(alternative.tag) + "` | " + names.word(alternative.type()) + " |\n";
  return text;
}

}  // namespace parlance::schema
