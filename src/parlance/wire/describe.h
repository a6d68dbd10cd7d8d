// SPDX-License-Identifier: Apache-2.0
// Makes the tables of type.h from C++ types. A message declares `static constexpr auto wire = fields(field<&M::x>("x", "Meaning
// of x."), …)`. A domain struct without knowledge of the wire is described from outside by a specialisation of Describe<T>.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <utility>

#include "parlance/wire/type.h"

namespace parlance::wire {

template <class T>
const Type& type_of();

// ---- fields --------------------------------------------------------------------------------------------------------

template <auto Member>
struct MemberOf;
template <class Object, class Value, Value Object::* Member>
struct MemberOf<Member> {
  using object = Object;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// Distinguishes null from absent. Nullable itself may be absent, because optional<Nullable<T>> would be clumsy.
template <class T>
struct Nullable {
  enum class State : std::uint8_t { absent, null, value } state = State::absent;
  T value{};
};
template <class T>
inline constexpr bool is_nullable = false;
template <class T>
inline constexpr bool is_nullable<Nullable<T>> = true;

template <class Object>
inline constexpr char owner_mark = 0;

template <class Object, auto... Path>
using AtPath = std::remove_cvref_t<decltype((std::declval<Object&>().*....*Path))>;

// A field at the end of a path of members: a member of a member.
template <class Object, auto... Path>
consteval Field field_in(std::string_view name, std::string_view doc) {
  using Value = AtPath<Object, Path...>;
  return Field{.name = name,
               .doc = doc,
               .type = &type_of<Value>,
               .owner = &owner_mark<Object>,
               .at = [](void* object) -> void* { return &(*static_cast<Object*>(object).*....*Path); },
               .presence = is_optional<Value> || is_nullable<Value> ? Presence::optional : Presence::required};
}

// `Object`: the described struct, if a base of the struct declares the member.
template <auto Member, class Object = typename MemberOf<Member>::object>
consteval Field field(std::string_view name, std::string_view doc) {
  return field_in<Object, Member>(name, doc);
}

void two_fields_share_a_name();  // Never defined: a use in `fields` stops the compiler.

namespace detail {

template <class Part>
inline constexpr std::size_t fields_in = 1;
template <std::size_t N>
inline constexpr std::size_t fields_in<std::array<Field, N>> = N;

}  // namespace detail

// A part is a field, or the fields of `inlined`.
template <class... Part>
consteval auto fields(Part... parts) {
  std::array<Field, (std::size_t{0} + ... + detail::fields_in<Part>)> table{};
  static_assert(table.size() <= 64, "readers mark the fields they saw in 64 bits");
  std::size_t filled = 0;
  const auto add = [&](const auto& part) {
    if constexpr (requires { part.size(); }) filled = std::ranges::copy(part, table.begin() + filled).out - table.begin();
    else table[filled++] = part;
  };
  (add(parts), ...);
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (table[i].name == table[j].name) two_fields_share_a_name();
  return table;
}

template <class T>
struct Describe {};
template <class T>
  requires requires { T::wire.size(); }
struct Describe<T> {
  static constexpr const auto& wire = T::wire;
};
template <class T>
concept Described = requires { Describe<T>::wire.size(); };

// ---- fields of inner structs: one description serves the inner struct and the struct around it -----------------------------

// All fields of the described struct at the end of a path.
template <class Object, auto... Path>
consteval auto inlined() {
  constexpr const auto& inner = Describe<AtPath<Object, Path...>>::wire;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<Field, sizeof...(I)> table{inner[I]...};
    ((table[I].owner = &owner_mark<Object>), ...);
    ((table[I].at = [](void* object) -> void* { return inner[I].at(&(*static_cast<Object*>(object).*....*Path)); }), ...);
    return table;
  }(std::make_index_sequence<inner.size()>());
}

// Does not compile without a field of this name.
template <std::size_t N>
consteval auto without(std::string_view name, const std::array<Field, N>& table) {
  std::array<Field, N - 1> rest{};
  std::size_t kept = 0;
  for (const Field& each : table)
    if (each.name != name) rest.at(kept++) = each;
  return rest;
}

// The optional fields as `or_absent`.
template <std::size_t N>
consteval auto leaving_out_empty(std::array<Field, N> table) {
  for (Field& each : table)
    if (each.presence == Presence::optional) each = each.or_absent();
  return table;
}

// ---- enumerations ----------------------------------------------------------------------------------------------------

template <class... Text>
consteval std::array<std::string_view, sizeof...(Text)> names(Text... text) {
  return {std::string_view(text)...};
}

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) { wire_names(e).size(); };

template <NamedEnum E>
std::string_view name_of(E value) {
  static constexpr auto table = wire_names(E{});
  const auto index = static_cast<std::size_t>(value);
  return index < table.size() ? table[index] : std::string_view{};
}
template <NamedEnum E>
std::optional<E> enum_from(std::string_view name) {
  static constexpr auto table = wire_names(E{});
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] == name) return static_cast<E>(i);
  return std::nullopt;
}

template <NamedEnum E>
struct Open {
  E value{};
  std::string unknown{};  // Not empty: a text without an enumerator.
};

// ---- unions -----------------------------------------------------------------------------------------------------------

template <std::size_t N>
struct FixedText {
  char text[N]{};
  consteval FixedText(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

struct Other {  // Alternative for tags of newer peers; the last one.
  Raw raw{};
};

// Each alternative has `static constexpr std::string_view tag`.
template <FixedText Tag, class... Alternatives>
struct Tagged {
  std::variant<Alternatives...> value{};
  static constexpr std::string_view tag_field = Tag.view();
};

// ---- type_of ----------------------------------------------------------------------------------------------------------

namespace detail {

template <class T>
consteval std::string_view cpp_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t from = text.find("T = ") + 4;
  std::size_t to = from;
  while (to < text.size() && text[to] != ']' && text[to] != ';') ++to;
  text = text.substr(from, to - from);
  if (const std::size_t colon = text.rfind("::"); colon != std::string_view::npos && text.find('<') == std::string_view::npos)
    text.remove_prefix(colon + 2);
  return text;
}

template <class T>
void reset(void* value) {
  *static_cast<T*>(value) = T{};
}

template <class T>
struct Builder;

template <>
struct Builder<bool> {
  static constexpr Type type{.kind = Kind::boolean, .reset = &reset<bool>};
};
template <std::integral T>
struct Builder<T> {
  static constexpr Type type{.kind = Kind::integer, .width = sizeof(T), .is_signed = std::is_signed_v<T>, .reset = &reset<T>};
};
template <std::floating_point T>
struct Builder<T> {
  static constexpr Type type{.kind = Kind::number, .width = sizeof(T), .reset = &reset<T>};
};
template <>
struct Builder<std::string> {
  static constexpr Type type{.kind = Kind::text, .reset = &reset<std::string>};
};
template <>
struct Builder<Blob> {
  static constexpr Type type{.kind = Kind::bytes, .reset = &reset<Blob>};
};
template <>
struct Builder<Raw> {
  static constexpr Type type{.kind = Kind::raw, .reset = &reset<Raw>};
};

template <class T>
struct Builder<std::vector<T>> {
  using List = std::vector<T>;
  static constexpr ListOps ops{
      .size = [](const void* list) { return static_cast<const List*>(list)->size(); },
      .at = [](const void* list, std::size_t i) -> const void* { return &(*static_cast<const List*>(list))[i]; },
      .append = [](void* list) -> void* { return &static_cast<List*>(list)->emplace_back(); }};
  static constexpr Type type{.kind = Kind::list, .reset = &reset<List>, .element = &type_of<T>, .list = &ops};
};

template <class T>
struct Builder<std::map<std::string, T>> {
  using Map = std::map<std::string, T>;
  static constexpr MapOps ops{.size = [](const void* map) { return static_cast<const Map*>(map)->size(); },
                              .each =
                                  [](const void* map, void* context, void (*visit)(void*, std::string_view, const void*)) {
                                    for (const auto& [key, value] : *static_cast<const Map*>(map)) visit(context, key, &value);
                                  },
                              .insert = [](void* map, std::string key) -> void* {
                                return &static_cast<Map*>(map)->insert_or_assign(std::move(key), T{}).first->second;
                              }};
  static constexpr Type type{.kind = Kind::map, .reset = &reset<Map>, .element = &type_of<T>, .map = &ops};
};

template <class T>
struct Builder<std::optional<T>> {
  static constexpr OptionalOps ops{
      .get = [](const void* optional) -> const void* {
        const auto& o = *static_cast<const std::optional<T>*>(optional);
        return o ? &*o : nullptr;
      },
      .emplace = [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); }};
  static constexpr Type type{.kind = Kind::optional, .reset = &reset<std::optional<T>>, .element = &type_of<T>, .optional = &ops};
};

template <class T>
struct Builder<Nullable<T>> {
  using State = typename Nullable<T>::State;
  // `get` returns null for "null". The writer omits "absent", which is_absent reports through the place of the enum operations.
  static constexpr OptionalOps ops{.get = [](const void* nullable) -> const void* {
                                     const auto& n = *static_cast<const Nullable<T>*>(nullable);
                                     return n.state == State::value ? &n.value : nullptr;
                                   },
                                   .emplace = [](void* nullable) -> void* {
                                     auto& n = *static_cast<Nullable<T>*>(nullable);
                                     n.state = State::value;
                                     return &n.value;
                                   }};
  static constexpr EnumOps state{
      .names = nullptr,
      .get = [](const void* nullable) { return static_cast<int>(static_cast<const Nullable<T>*>(nullable)->state); },
      .set = [](void* nullable, int to) { static_cast<Nullable<T>*>(nullable)->state = static_cast<State>(to); },
      .unknown = nullptr};
  static constexpr Type type{
      .kind = Kind::nullable, .reset = &reset<Nullable<T>>, .element = &type_of<T>, .optional = &ops, .enumeration = &state};
};

template <NamedEnum E>
struct Builder<E> {
  static_assert(!permits(wire_names(E{})[0]), "an unset value is the first enumerator: it must not permit");
  static std::span<const std::string_view> all_names() {
    static constexpr auto table = wire_names(E{});
    return table;
  }
  static constexpr EnumOps ops{.names = &all_names,
                               .get = [](const void* value) { return static_cast<int>(*static_cast<const E*>(value)); },
                               .set = [](void* value, int index) { *static_cast<E*>(value) = static_cast<E>(index); },
                               .unknown = nullptr};
  static constexpr Type type{.kind = Kind::enumeration, .name = cpp_name<E>(), .reset = &reset<E>, .enumeration = &ops};
};

template <class E>
struct Builder<Open<E>> {
  static constexpr EnumOps ops{.names = &Builder<E>::all_names,
                               .get =
                                   [](const void* value) {
                                     const auto& open = *static_cast<const Open<E>*>(value);
                                     return open.unknown.empty() ? static_cast<int>(open.value) : -1;
                                   },
                               .set =
                                   [](void* value, int index) {
                                     auto& open = *static_cast<Open<E>*>(value);
                                     open.value = static_cast<E>(index);
                                     open.unknown.clear();
                                   },
                               .unknown = [](void* value) { return &static_cast<Open<E>*>(value)->unknown; }};
  static constexpr Type type{.kind = Kind::enumeration, .name = cpp_name<E>(), .reset = &reset<Open<E>>, .enumeration = &ops};
};

template <FixedText Tag, class... A>
struct Builder<Tagged<Tag, A...>> {
  using Union = Tagged<Tag, A...>;
  using Variant = std::variant<A...>;
  static constexpr bool has_other = (std::same_as<A, Other> || ...);
  static constexpr std::size_t known = sizeof...(A) - (has_other ? 1 : 0);
  static constexpr bool first_permits = [] {
    using First = std::variant_alternative_t<0, Variant>;
    if constexpr (requires { First::tag; }) return permits(First::tag);
    else return false;
  }();
  static_assert(!first_permits, "an unset value is the first alternative: it must not permit");
  static std::span<const Alternative> alternatives() {
    static constexpr auto table = [] {
      std::array<Alternative, known> t{};
      std::size_t i = 0;
      const auto add = [&]<class X>(std::type_identity<X>) {
        if constexpr (!std::same_as<X, Other>) t[i++] = Alternative{.tag = X::tag, .type = &type_of<X>};
      };
      (add(std::type_identity<A>{}), ...);
      return t;
    }();
    return table;
  }
  static void* emplace(void* value, std::size_t index) {
    Variant& v = static_cast<Union*>(value)->value;
    void* made = nullptr;
    std::size_t i = 0;
    const auto try_alternative = [&]<class X>(std::type_identity<X>) {
      if (i++ == index) {
        X& x = v.template emplace<X>();
        if constexpr (std::same_as<X, Other>) made = &x.raw;
        else made = &x;
      }
    };
    (try_alternative(std::type_identity<A>{}), ...);
    return made;
  }
  static const void* get(const void* value) {
    return std::visit(
        []<class X>(const X& x) -> const void* {
          if constexpr (std::same_as<X, Other>) return &x.raw;
          else return &x;
        },
        static_cast<const Union*>(value)->value);
  }
  static constexpr TaggedOps ops{.tag_field = Tag.view(),
                                 .alternatives = &alternatives,
                                 .index = [](const void* value) { return static_cast<const Union*>(value)->value.index(); },
                                 .get = &get,
                                 .emplace = &emplace,
                                 .has_other = has_other};
  static constexpr Type type{.kind = Kind::tagged, .reset = &reset<Union>, .tagged = &ops};
};

template <class T>
  requires Described<T>
struct Builder<T> {
  static_assert(std::ranges::all_of(Describe<T>::wire,
                                    [](const Field& each) { return each.owner == Describe<T>::wire[0].owner; }),
                "bases of a struct begin at different places: write field<&T::member, T>");
  static constexpr Type type{.kind = Kind::object, .name = cpp_name<T>(), .reset = &reset<T>, .fields = Describe<T>::wire};
};

}  // namespace detail

template <class T>
const Type& type_of() {
  return detail::Builder<T>::type;
}

}  // namespace parlance::wire
