// SPDX-License-Identifier: Apache-2.0
// The receiving side of a gob stream. It keeps the sent types, finds the boundaries of a message's value, and reads the ready
// value into a declared message or into JSON. Input is whole messages (message.h finds them). No I/O. One thread at a time: the
// thread of its pool.
//
// Two kinds of faults exist. A damaged type table (a type defined twice, a builtin id defined, an unreadable definition) loses
// the stream: broken() is true, and every later feed() fails. Any other fault costs one message, and the decoder accepts the
// next message normally.
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
  definition,  // The message defined a type and has no value.
  partial,     // The sender cut its value at a definition: the rest is the next message, without a type id.
  value,       // A value is ready. Reading checks it. It is valid until the next feed(), for as long as the fed bytes.
};

class Decoder {
 public:
  explicit Decoder(std::shared_ptr<TypePool> pool = nullptr, Limits limits = {});
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder();

  Result<Progress> feed(BytesView message);
  bool broken() const { return broken_; }

  // About the ready value. After a rejected value, type_id() returns its type (0: unknown).
  bool has_value() const { return ready_; }
  TypeId type_id() const { return id_; }
  std::string_view type_name() const;  // The sender's name of the type; for builtin types, the kind.
  bool is_struct() const;
  bool is_empty_struct() const;                 // A struct without any declared field.
  bool has_field(std::string_view name) const;  // True: the struct declares this field, sent or not.
  std::vector<std::string_view> field_names() const;

  // Reads the ready value, any number of times. Fields match by name. Unknown fields are skipped after decoding, missing fields
  // stay unchanged. Kinds must be equal, except that both kinds of integers are accepted if the value fits, and Raw takes any
  // value as JSON. Errors are Go's sentences, with their place if known: Errc::invalid_params.
  Result<void> read(const wire::Type& type, void* into);
  template <class T>
  Result<T> read() {
    T value{};
    if (auto done = read(wire::type_of<T>(), &value); !done) return std::unexpected(std::move(done).error());
    return value;
  }
  Result<json::Value> read_any();
  Result<void> read_json(std::string& out, Form form = Form::plain);  // The same as appended text.

  // Discards a value with missing parts. The next message starts a new value.
  void abandon();
  bool is_partial() const { return cut_ != nullptr && cut_->waiting; }

  const TypeTable& types() const { return types_; }
  // Types defined inside the ready value, in order.
  std::vector<TypeId> defined_inside() const { return cut_ != nullptr ? cut_->defined : std::vector<TypeId>(); }
  std::size_t memory_bytes() const;  // Memory of this stream alone: tables and kept bytes, without the pool.

 private:
  struct Cut {  // A value with definitions inside, joined without them.
    std::string bytes;
    std::vector<WalkFrame> frames;
    std::vector<TypeId> defined;
    bool waiting = false;
  };
  struct CachedPlan {
    const Plan* plan = nullptr;
    std::size_t types_known = 0;  // A refusal is valid until more types are defined.
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
