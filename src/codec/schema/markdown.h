// Tables of declared messages for docs/protocol. Any thread.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "wire/call.h"

namespace parlance::schema {

// One table for each object that `roots` reach, each once, in the order of first use.
std::string markdown_types(std::initializer_list<const wire::Type*> roots);

// "| `Chat` | `ChatArgs` | `ChatReply` | One step of a conversation |"
std::string markdown_method(std::string_view method, const wire::Type& parameters, const wire::Type& reply, std::string_view doc);
template <class P, class R>
std::string markdown_method(const wire::Call<P, R>& call) {
  return markdown_method(call.method, wire::type_of<P>(), wire::type_of<R>(), call.doc);
}

}  // namespace parlance::schema
