// SPDX-License-Identifier: Apache-2.0
// A method, declared once as a line of its protocol's table: name on the wire, parameters, reply, and one sentence for the
// documentation. Below the table, it receives its C++ name:
//
//   inline constexpr auto methods = wire::methods(
//       wire::call<Query, QueryResult>("query", "Runs one read-only statement."),
//       wire::notice<Cancelled>("notifications/cancelled", "The caller lost interest."));
//
//   inline constexpr const auto& query = wire::method<methods, "query">;
//   inline constexpr const auto& cancelled = wire::method<methods, "notifications/cancelled">;
//
// Only a table makes calls and notices. An unlisted method can therefore be neither served nor called, and every walk over the
// table (descriptions, TypeScript types) is complete. Constants; any thread.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string_view>
#include <tuple>

#include "parlance/wire/describe.h"

namespace parlance::wire {

struct Nothing {  // Parameters or results without members.
  static constexpr std::array<Field, 0> wire{};
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

// A line of the table without its C++ types.
struct Method {
  std::string_view name;
  std::string_view doc;
  TypeOf parameters;
  TypeOf reply;  // Null: a notice.
  bool body_optional = false;
};

template <class M>
struct MethodLine;

template <class... M>
class Methods;

template <class P, class R>
class Call {
 public:
  using Parameters = P;
  using Reply = R;
  std::string_view method;
  std::string_view doc;
  bool body_optional = false;  // A reply without a body means a default Reply.

  // Nothing has no members, and Raw keeps the absence. For every other type, a missing body is an error.
  constexpr bool may_lack_body() const { return body_optional || std::same_as<R, Nothing> || std::same_as<R, Raw>; }

  // The same method with other value types, such as Raw to forward unknown members.
  template <class P2, class R2>
  constexpr Call<P2, R2> as() const {
    return {method, doc, body_optional};
  }
  constexpr Method line() const { return {method, doc, &type_of<P>, &type_of<R>, may_lack_body()}; }

 private:
  template <class...>
  friend class Methods;
  template <class, class>
  friend class Call;
  template <class R2>
  friend constexpr Call<Raw, R2> any_call();
  constexpr Call(std::string_view name, std::string_view about, bool optional = false)
      : method(name), doc(about), body_optional(optional) {}
  constexpr explicit Call(const MethodLine<Call>& line) : Call(line.name, line.doc, line.body_optional) {}
};

template <class P>
class Notice {
 public:
  using Parameters = P;
  std::string_view method;
  std::string_view doc;
  constexpr Method line() const { return {method, doc, &type_of<P>, nullptr}; }

 private:
  template <class...>
  friend class Methods;
  constexpr explicit Notice(const MethodLine<Notice>& line) : method(line.name), doc(line.doc) {}
};

// For methods with names known only at run time (Router::on with a name, Peer::call_named). Values pass unchanged.
template <class R = Raw>
constexpr Call<Raw, R> any_call() {
  return {"", "As it stands."};
}

// A line before the table makes a method of it.
template <class M>
struct MethodLine {
  std::string_view name;
  std::string_view doc;
  bool body_optional = false;

  // For replies that some peers send without a body. Never for a reply that permits something: tests of each table check this.
  consteval MethodLine or_no_body() const { return {name, doc, true}; }
};
template <class P, class R>
consteval MethodLine<Call<P, R>> call(std::string_view name, std::string_view doc) {
  return {name, doc};
}
template <class P>
consteval MethodLine<Notice<P>> notice(std::string_view name, std::string_view doc) {
  return {name, doc};
}

// Never defined: a use stops the compiler.
void two_methods_share_a_name();
void no_method_of_this_name_is_in_the_table();

template <class... M>
class Methods {
 public:
  consteval explicit Methods(MethodLine<M>... lines) : methods_(M(lines)...), all_{M(lines).line()...} {
    for (std::size_t i = 0; i < all_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (all_[i].name == all_[j].name) two_methods_share_a_name();
  }

  constexpr std::span<const Method> all() const { return all_; }  // In table order.

  // Calls visit(call) or visit(notice) for each, in table order.
  template <class F>
  constexpr void each(F visit) const {
    std::apply([&](const M&... one) { (visit(one), ...); }, methods_);
  }

  consteval std::size_t index_of(std::string_view name) const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i].name == name) return i;
    no_method_of_this_name_is_in_the_table();
    return 0;
  }
  template <std::size_t Index>
  constexpr const auto& at() const {
    return std::get<Index>(methods_);
  }

 private:
  std::tuple<M...> methods_;
  std::array<Method, sizeof...(M)> all_;
};

template <class... M>
consteval Methods<M...> methods(MethodLine<M>... lines) {
  return Methods<M...>(lines...);
}

template <const auto& Table, FixedText Name>
inline constexpr const auto& method = Table.template at<Table.index_of(Name.view())>();

}  // namespace parlance::wire
