// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/typescript.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "parlance/base/check.h"

namespace parlance::schema {
namespace {

using wire::Kind;
using wire::Type;

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string member_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool identifier = !name.empty() && std::ranges::all_of(name, plain) && !(name[0] >= '0' && name[0] <= '9');
  return identifier ? std::string(name) : quoted(name);
}

std::string doc_comment(std::string_view indent, std::string_view doc) {
  if (doc.empty()) return {};
  std::string text(doc);
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;) text.replace(at, 2, "*\\/");
  return std::string(indent) + "/** " + text + " */\n";
}

bool is_bytes(const Type& type) {
  switch (type.kind) {
    case Kind::bytes: return true;
    case Kind::optional:
    case Kind::nullable: return is_bytes(type.element());
    default: return false;
  }
}

class ModulePrinter {
 public:
  explicit ModulePrinter(const Module& module) : module_(module) {
    for (const Root& root : module.roots)
      if (root.type->kind == Kind::tagged) unions_.emplace(root.type, &root);
    for (const Root& root : module.roots) find_alone(*root.type);
    for (const wire::Method& method : module.methods) {
      find_alone(method.parameters());
      if (method.reply != nullptr) find_alone(method.reply());
    }
  }

  std::string print() {
    for (const Root& root : module_.roots) add(root);
    methods();
    for (const Lookup& lookup : module_.lookups) add(lookup);
    for (const std::string_view held : held_) PARLANCE_CHECK(texts_.contains(held), "every type that a field holds is printed");
    return std::move(out_);
  }

 private:
  void find_alone(const Type& type) {
    switch (type.kind) {
      case Kind::object:
        if (!alone_.insert(&type).second) return;
        for (const wire::Field& field : type.fields) find_alone(field.type());
        return;
      case Kind::tagged:
        if (!seen_unions_.insert(&type).second) return;
        for (const wire::Alternative& alternative : type.tagged->alternatives())
          for (const wire::Field& field : alternative.type().fields) find_alone(field.type());
        return;
      case Kind::list:
      case Kind::map:
      case Kind::optional:
      case Kind::nullable: return find_alone(type.element());
      default: return;
    }
  }

  void add(const Root& root) {
    if (root.type->kind == Kind::tagged) declare_union(root);
    else static_cast<void>(word(*root.type, {}));
    declare_waiting();
  }

  void methods() {
    std::string calls;
    std::string notices;
    for (const wire::Method& method : module_.methods) {
      std::string& text = method.reply == nullptr ? notices : calls;
      text +=
          doc_comment("  ", method.doc) + "  " + member_name(method.name) + ": { parameters: " + word(method.parameters(), {});
      text += method.reply == nullptr ? " };\n" : "; reply: " + word(method.reply(), {}) + " };\n";
    }
    declare_waiting();
    if (!calls.empty()) declare("Methods", "export interface Methods {\n" + calls + "}\n");
    if (!notices.empty()) declare("Notices", "export interface Notices {\n" + notices + "}\n");
  }

  void add(const Lookup& lookup) {
    std::string text = doc_comment("", lookup.doc) + "export interface " + std::string(lookup.name) + " {\n";
    for (const auto& [name, type] : lookup.entries)
      text += "  " + member_name(name) + ": " + (type == nullptr ? "undefined" : word(*type, {})) + ";\n";
    declare_waiting();
    declare(lookup.name, text + "}\n");
  }

  // A name has a single type, for any number of C++ types: enumerations of two layers, alternatives of two unions.
  void declare(std::string_view name, std::string text) {
    const auto [known, fresh] = texts_.emplace(name, text);
    PARLANCE_CHECK(fresh || known->second == text, "each name is that of one type");
    if (fresh) out_ += (out_.empty() ? "" : "\n") + text;
  }

  void declare_waiting() {
    while (!waiting_.empty()) {
      const Type& type = *waiting_.front();
      waiting_.pop_front();
      if (type.kind == Kind::enumeration)
        declare(type.name, "export type " + std::string(type.name) + " = " + alternatives_of(type) + ";\n");
      else declare(type.name, interface_of(type.name, type, {}, nullptr));
    }
  }

  void declare_union(const Root& root) {
    std::string text =
        doc_comment("", root.doc) + "export type " + std::string(root.name) + " =\n" + union_of(*root.type, "\n") + ";\n";
    declare(root.name, std::move(text));
  }

  // "  | A
  //   | B"; with a space between them "A | B". Declares the alternatives.
  std::string union_of(const Type& type, std::string_view between) {
    const auto known = unions_.find(&type);
    const std::string_view suffix = known == unions_.end() ? std::string_view{} : known->second->suffix;
    const Type* head = known == unions_.end() ? nullptr : known->second->head;
    std::string text;
    for (const wire::Alternative& alternative : type.tagged->alternatives()) {
      std::string name = std::string(alternative.type().name) + std::string(suffix);
      const std::string tag = member_name(type.tagged->tag_field) + ": " + quoted(alternative.tag);
      if (suffix.empty() && alone_.contains(&alternative.type())) {  // elsewhere the type appears without the tag
        waiting_.push_back(&alternative.type());
        name = "(" + name + " & { " + tag + " })";
      } else {
        declare(name, interface_of(name, alternative.type(), "  " + tag + ";\n", head));
      }
      declare_waiting();
      if (between == "\n") text += (text.empty() ? "  | " : "\n  | ") + name;
      else text += (text.empty() ? "" : " | ") + name;
    }
    return text;
  }

  std::string interface_of(std::string_view name, const Type& type, std::string_view tag, const Type* head) {
    if (tag.empty() && type.fields.empty()) return "export type " + std::string(name) + " = Record<string, never>;\n";
    std::string text = "export interface " + std::string(name);
    if (head != nullptr) text += " extends " + word(*head, {});
    text += " {\n" + std::string(tag);
    for (const wire::Field& field : type.fields) text += member(field);
    return text + "}\n";
  }

  std::string member(const wire::Field& field) {
    const std::string doc = is_bytes(field.type()) ? std::string(field.doc) + " (base64)" : std::string(field.doc);
    return doc_comment("  ", doc) + "  " + member_name(field.name) + (field.presence == wire::Presence::optional ? "?: " : ": ") +
           word(field.type(), field.holds) + ";\n";
  }

  std::string word(const Type& type, std::string_view holds) {
    switch (type.kind) {
      case Kind::boolean: return "boolean";
      case Kind::integer:
      case Kind::number: return "number";
      case Kind::text:
      case Kind::bytes: return "string";
      case Kind::raw:
        if (holds.empty()) return "unknown";
        held_.insert(holds);
        return std::string(holds);
      case Kind::enumeration:
        waiting_.push_back(&type);
        // An extensible enumeration accepts any text and keeps its names for completion.
        return std::string(type.name) + (type.enumeration->unknown != nullptr ? " | (string & {})" : "");
      case Kind::object: waiting_.push_back(&type); return std::string(type.name);
      case Kind::list: {
        const std::string element = word(type.element(), holds);
        return (element.find(' ') == std::string::npos ? element : "(" + element + ")") + "[]";
      }
      case Kind::map: return "Record<string, " + word(type.element(), holds) + ">";
      case Kind::optional: return word(type.element(), holds);
      case Kind::nullable: return word(type.element(), holds) + " | null";
      case Kind::tagged: {
        const auto known = unions_.find(&type);
        return known == unions_.end() ? union_of(type, " ") : std::string(known->second->name);
      }
    }
    return "unknown";
  }

  static std::string alternatives_of(const Type& type) {
    std::string text;
    for (const std::string_view name : type.enumeration->names()) text += (text.empty() ? "" : " | ") + quoted(name);
    return text;
  }

  const Module& module_;
  std::map<const Type*, const Root*> unions_;
  std::set<const Type*> alone_;  // objects used as a field, a parameter or an answer, besides alternatives of a union
  std::set<const Type*> seen_unions_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::set<std::string_view> held_;
  std::deque<const Type*> waiting_;
  std::string out_;
};

}  // namespace

std::string typescript(const Module& module) { return ModulePrinter(module).print(); }

}  // namespace parlance::schema
