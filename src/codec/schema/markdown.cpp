#include "codec/schema/markdown.h"

#include <set>
#include <vector>

namespace parlance::schema {
namespace {

using wire::Kind;
using wire::Type;

class Printer {
 public:
  void add(const Type& type) {
    static_cast<void>(word(type));
    while (!waiting_.empty()) {
      const Type* next = waiting_.front();
      waiting_.erase(waiting_.begin());
      if (seen_.insert(next->name).second) table(*next);
    }
  }
  std::string text() const { return out_; }

  std::string word(const Type& type) {
    switch (type.kind) {
      case Kind::boolean: return "boolean";
      case Kind::integer: return type.is_signed ? "integer" : "integer ≥ 0";
      case Kind::number: return "number";
      case Kind::text: return "text";
      case Kind::bytes: return "bytes (base64)";
      case Kind::raw: return "any JSON";
      case Kind::enumeration: {
        std::string text;
        for (const std::string_view name : type.enumeration->names())
          text += (text.empty() ? "`" : ", `") + std::string(name) + "`";
        return text;
      }
      case Kind::object: waiting_.push_back(&type); return "`" + std::string(type.name) + "`";
      case Kind::list: return "list of " + word(type.element());
      case Kind::map: return "map of text to " + word(type.element());
      case Kind::optional: return word(type.element());
      case Kind::nullable: return word(type.element()) + " or null";
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
      out_ += "| `" + std::string(field.name) + "` | " + word(field.type()) + " | " +
              (field.presence == wire::Presence::required ? "required" : "optional") + " | " + std::string(field.doc) + " |\n";
    }
    out_ += "\n";
  }

  std::set<std::string_view> seen_;
  std::vector<const Type*> waiting_;
  std::string out_;
};

}  // namespace

std::string markdown_types(std::initializer_list<const Type*> roots) {
  Printer printer;
  for (const Type* root : roots) printer.add(*root);
  return printer.text();
}

std::string markdown_method(std::string_view method, const Type& parameters, const Type& reply, std::string_view doc) {
  Printer names;
  return "| `" + std::string(method) + "` | " + names.word(parameters) + " | " + names.word(reply) + " | " + std::string(doc) +
         " |\n";
}

}  // namespace parlance::schema
