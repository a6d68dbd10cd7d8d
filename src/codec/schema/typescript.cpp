#include "codec/schema/typescript.h"

#include <set>
#include <string_view>
#include <vector>

namespace parlance::schema {
namespace {

using wire::Kind;
using wire::Type;

class Printer {
 public:
  void declare(const Type& type) {
    if (type.kind == Kind::object && seen_.insert(type.name).second) {
      std::string text = "export interface " + std::string(type.name) + " {\n";
      for (const wire::Field& field : type.fields) text += member(field);
      done_ += text + "}\n\n";
    } else if (type.kind == Kind::enumeration && seen_.insert(type.name).second) {
      done_ += "export type " + std::string(type.name) + " = " + alternatives_of(type) + ";\n\n";
    }
    for (const Type* inner : pending()) declare(*inner);
  }
  void add(const Root& root) {
    if (root.type->kind == Kind::tagged) done_ += "export type " + std::string(root.name) + " = " + name_of(*root.type) + ";\n\n";
    declare(*root.type);
  }
  std::string text() const { return done_; }

  std::string name_of(const Type& type) {
    switch (type.kind) {
      case Kind::boolean: return "boolean";
      case Kind::integer:
      case Kind::number: return "number";
      case Kind::text:
      case Kind::bytes: return "string";
      case Kind::raw: return "unknown";
      case Kind::enumeration:
      case Kind::object: waiting_.push_back(&type); return std::string(type.name);
      case Kind::list: {
        const std::string element = name_of(type.element());
        return (element.find(' ') == std::string::npos ? element : "(" + element + ")") + "[]";
      }
      case Kind::map: return "Record<string, " + name_of(type.element()) + ">";
      case Kind::optional: return name_of(type.element());
      case Kind::nullable: return name_of(type.element()) + " | null";
      case Kind::tagged: return union_of(type);
    }
    return "unknown";
  }

 private:
  std::string member(const wire::Field& field) {
    const bool may_miss = field.presence == wire::Presence::optional || field.type().kind == Kind::raw;
    std::string line = "  " + std::string(field.name) + (may_miss ? "?: " : ": ") + name_of(field.type()) + ";";
    if (!field.doc.empty()) line += "  // " + std::string(field.doc);
    return line + "\n";
  }
  std::string union_of(const Type& type) {
    std::string text;
    for (const wire::Alternative& alternative : type.tagged->alternatives()) {
      if (!text.empty()) text += " | ";
      text += "({ " + std::string(type.tagged->tag_field) + ": '" + std::string(alternative.tag) + "' } & " +
              name_of(alternative.type()) + ")";
    }
    if (type.tagged->has_other) text += " | Record<string, unknown>";
    return text;
  }
  static std::string alternatives_of(const Type& type) {
    std::string text;
    for (const std::string_view name : type.enumeration->names()) text += (text.empty() ? "'" : " | '") + std::string(name) + "'";
    return type.enumeration->unknown != nullptr ? text + " | string" : text;
  }
  std::vector<const Type*> pending() {
    std::vector<const Type*> next;
    std::swap(next, waiting_);
    return next;
  }

  std::set<std::string_view> seen_;
  std::vector<const Type*> waiting_;
  std::string done_;
};

}  // namespace

std::string typescript(std::initializer_list<Root> roots) {
  Printer printer;
  for (const Root& root : roots) printer.add(root);
  return printer.text();
}

}  // namespace parlance::schema
