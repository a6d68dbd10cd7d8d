// SPDX-License-Identifier: Apache-2.0
// One direction of one gob stream, receiving side: keeps the types that were sent, finds where a message's value begins and ends, and
// reads the value that is ready into a declared message or into JSON. Feeds on whole messages (message.h finds them). No I/O.
// One thread at a time, the thread of its pool.
//
// Faults come in two kinds. Where the type table itself is broken (a type defined twice, a builtin id defined, a definition that
// cannot be read) the stream is lost: broken() is true and every later feed() fails. Any other fault costs one message: the
// decoder takes the next one as if nothing had happened.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/gob/any.h"
#include "parlance/codec/gob/type_table.h"
#include "parlance/codec/json/value.h"
#include "parlance/wire/describe.h"

namespace parlance::gob {

enum class Progress : std::uint8_t {
  definition,  // the message defined a type; no value
  partial,     // the sender cut its value behind a definition: the rest is the next message, which has no type id in front
  value,  // a value is ready, and is checked when it is read; it lasts until the next feed(), and the fed bytes must last as long
};

class Decoder {
 public:
  explicit Decoder(std::shared_ptr<TypePool> pool = nullptr, Limits limits = {});
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder();

  Result<Progress> feed(BytesView message);
  bool broken() const { return broken_; }

  // About the value that is ready; type_id() also tells of which type a value was that could not be taken (0: not even that).
  bool has_value() const { return ready_; }
  TypeId type_id() const { return id_; }
  std::string_view type_name() const;  // as the sender named its type; builtin kinds by their kind
  bool is_struct() const;
  bool is_empty_struct() const;                 // a struct without any declared field
  bool has_field(std::string_view name) const;  // its struct declares such a field, sent or not
  std::vector<std::string_view> field_names() const;

  // The ready value, as often as wanted. Fields are matched by name, unknown ones skipped by decoding, missing ones left alone.
  // Kinds must agree exactly, but either kind of integer is taken where the value fits, and Raw takes anything as JSON.
  // Errors are Go's sentences, with the place behind them where there is one: Errc::invalid_params.
  Result<void> read(const wire::Type& type, void* into);
  template <class T>
  Result<T> read() {
    T value{};
    if (auto done = read(wire::type_of<T>(), &value); !done) return std::unexpected(std::move(done).error());
    return value;
  }
  Result<json::Value> read_any();
  Result<void> read_json(std::string& out, Form form = Form::plain);  // the same as text, appended

  // A value of which the rest is still to come is forgotten; the next message is taken as a new one.
  void abandon();
  bool is_partial() const { return cut_ != nullptr && cut_->waiting; }

  const TypeTable& types() const { return types_; }
  // The types that were defined inside the ready value, in that order.
  std::vector<TypeId> defined_inside() const { return cut_ != nullptr ? cut_->defined : std::vector<TypeId>(); }
  std::size_t memory_bytes() const;  // of this stream alone: tables and kept bytes, without the pool

 private:
  struct Cut {  // a value with definitions inside, put together without them
    std::string bytes;
    std::vector<WalkFrame> frames;
    std::vector<TypeId> defined;
    bool waiting = false;
  };
  struct CachedPlan {
    const Plan* plan = nullptr;
    std::size_t types_known = 0;  // a refusal holds only until more types are defined
  };

  Result<Progress> feed_definition(std::int64_t id, Cursor& cursor);
  Result<Progress> feed_value(Cursor& cursor, BytesView message);
  Result<Progress> lose(std::string why);
  Result<Progress> skip_fault(std::string why);
  std::unexpected<Error> misfit(std::string why) const;
  const Plan* plan_for(const wire::Type& type);
  void release_plans();

  std::shared_ptr<TypePool> pool_;
  Limits limits_;
  TypeTable types_;
  std::vector<CachedPlan> plans_;
  std::unique_ptr<Cut> cut_;
  BytesView value_;
  TypeId id_ = 0;
  bool ready_ = false;
  bool broken_ = false;
};

}  // namespace parlance::gob
