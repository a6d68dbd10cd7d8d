// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/decoder.h"

#include <limits>

#include "parlance/codec/gob/limits.h"
#include "parlance/codec/gob/plan_compiler.h"
#include "parlance/codec/gob/reader.h"
#include "parlance/codec/gob/walker.h"

namespace parlance::gob {
namespace {

// Plans kept for a stream. Only a hostile peer has more (type, id) pairs; then the cache starts empty.
constexpr std::size_t most_plans = 64;

}  // namespace

Decoder::Decoder(std::shared_ptr<TypePool> pool, Limits limits)
    : pool_(pool ? std::move(pool) : std::make_shared<TypePool>()), limits_(limits), types_(pool_) {}

Decoder::~Decoder() { release_plans(); }

void Decoder::release_plans() {
  for (const CachedPlan& cached : plans_) pool_->release(cached.plan);
  plans_.clear();
}

Result<Progress> Decoder::lose(std::string why) {
  broken_ = true;
  abandon();
  return fail(Errc::invalid_request, std::move(why));
}

Result<Progress> Decoder::skip_fault(std::string why) {
  abandon();
  return fail(Errc::invalid_params, std::move(why));
}

void Decoder::abandon() {
  cut_.reset();
  ready_ = false;
  value_ = {};
}

Result<Progress> Decoder::feed(BytesView message) {
  if (broken_) return fail(Errc::invalid_request, "gob: the stream's types are broken");
  const bool goes_on = is_partial();
  if (!goes_on) {
    abandon();
    id_ = 0;
  }
  if (message.empty()) return skip_fault("EOF");
  if (message.size() > limits_.message_bytes) return skip_fault("gob: message too long");

  Cursor cursor(message);
  if (goes_on) return feed_value(cursor, message);
  std::int64_t id = 0;
  if (!cursor.read_int(id)) return skip_fault(cursor.fault());
  if (id < 0) return feed_definition(id, cursor);
  id_ = id <= std::numeric_limits<TypeId>::max() ? static_cast<TypeId>(id) : 0;
  return feed_value(cursor, message);
}

Result<Progress> Decoder::feed_definition(std::int64_t id, Cursor& cursor) {
  if (id == std::numeric_limits<std::int64_t>::min()) return lose("gob: type id out of range");
  if (std::string why = types_.define(-id, cursor, limits_); !why.empty()) return lose(std::move(why));
  if (!cursor.at_end()) return lose("gob: extra data in buffer");
  return Progress::definition;
}

// Removes definitions inside the value, so that the readers of the value see none: `cut_->bytes` is the value without definitions
// and without the byte counts behind them.
Result<Progress> Decoder::feed_value(Cursor& cursor, BytesView message) {
  std::vector<WalkFrame>& frames = pool_->walk_frames();
  Walker walker(types_, limits_, frames);
  Walker::Outcome outcome;
  std::size_t kept_from = 0;  // of `message`
  if (cut_ != nullptr) {
    if (cut_->bytes.size() + message.size() > limits_.message_bytes) return skip_fault("gob: message too long");
    frames.assign(cut_->frames.begin(), cut_->frames.end());
    outcome = walker.resume(cursor);
  } else {
    if (!is_builtin(id_) && types_.find(id_) == nullptr) return skip_fault("gob: unknown type id or corrupted data");
    if (!is_struct()) {
      std::uint64_t zero = 0;
      if (!cursor.read_uint(zero)) return skip_fault(cursor.fault());
      if (zero != 0) return skip_fault("gob: decode: corrupted data: non-zero delta for singleton");
    }
    kept_from = cursor.offset();
    // Without definitions inside and with a known depth, the value needs no first pass.
    if (const int levels = types_.levels(id_); levels != TypeTable::open && levels <= limits_.depth) {
      value_ = cursor.rest();
      ready_ = true;
      return Progress::value;
    }
    outcome = walker.start(cursor, id_);
  }

  std::size_t piece_begins = kept_from;
  while (outcome == Walker::Outcome::definition) {
    if (cut_ == nullptr) cut_ = std::make_unique<Cut>();
    cut_->bytes.append(message.substr(piece_begins, walker.definition_at() - piece_begins));
    if (std::string why = types_.define(walker.defined_id(), cursor, limits_); !why.empty()) return lose(std::move(why));
    cut_->defined.push_back(static_cast<TypeId>(walker.defined_id()));
    if (cursor.at_end()) {
      cut_->frames.assign(frames.begin(), frames.end());
      cut_->waiting = true;
      return Progress::partial;
    }
    std::uint64_t byte_count = 0;
    if (!cursor.read_uint(byte_count)) return skip_fault(cursor.fault());
    piece_begins = cursor.offset();
    outcome = walker.resume(cursor);
  }
  if (outcome == Walker::Outcome::fault)
    return skip_fault((cursor.fault() != nullptr ? std::string(cursor.fault()) : "gob: broken value") + " (in " +
                      types_.describe(id_) + ")");

  // Bytes left over behind the value are ignored, as Go does.
  if (cut_ != nullptr) {
    cut_->bytes.append(message.substr(piece_begins, cursor.offset() - piece_begins));
    cut_->waiting = false;
    cut_->frames = {};
    value_ = cut_->bytes;
  } else {
    value_ = message.substr(kept_from, cursor.offset() - kept_from);
  }
  ready_ = true;
  return Progress::value;
}

std::string_view Decoder::type_name() const {
  const Definition* definition = types_.find(id_);
  return definition != nullptr ? definition->name() : builtin_name(id_);
}

bool Decoder::is_struct() const {
  const Definition* definition = types_.find(id_);
  return definition != nullptr && definition->shape == Shape::structure;
}

bool Decoder::is_empty_struct() const { return is_struct() && types_.find(id_)->fields.empty(); }

bool Decoder::has_field(std::string_view name) const {
  if (!is_struct()) return false;
  const Definition& definition = *types_.find(id_);
  for (const Definition::Field& field : definition.fields)
    if (definition.name_of(field) == name) return true;
  return false;
}

std::vector<std::string_view> Decoder::field_names() const {
  std::vector<std::string_view> names;
  if (!is_struct()) return names;
  const Definition& definition = *types_.find(id_);
  for (const Definition::Field& field : definition.fields) names.push_back(definition.name_of(field));
  return names;
}

std::unexpected<Error> Decoder::misfit(std::string why) const { return fail(Errc::invalid_params, std::move(why)); }

const Plan* Decoder::plan_for(const wire::Type& type) {
  for (CachedPlan& cached : plans_) {
    if (cached.plan->key.type != &type || cached.plan->key.id != id_) continue;
    if (cached.plan->refusal.empty() || cached.types_known == types_.size()) return cached.plan;
    const Plan* anew = pool_->acquire(compile_plan(types_, type, id_));
    pool_->release(cached.plan);
    cached = {anew, types_.size()};
    return anew;
  }
  Plan plan = compile_plan(types_, type, id_);
  std::size_t steps = plan.steps.size();
  for (const CachedPlan& cached : plans_) steps += cached.plan->steps.size();
  if (plans_.size() >= most_plans || steps > limits::gob_plan_steps) release_plans();
  plans_.push_back({pool_->acquire(std::move(plan)), types_.size()});
  return plans_.back().plan;
}

Result<void> Decoder::read(const wire::Type& type, void* into) {
  if (!ready_) return misfit("gob: no value is ready");
  const Plan* plan = plan_for(type);
  if (!plan->refusal.empty()) return misfit(plan->refusal);
  Cursor cursor(value_);
  PlanReader reader(types_, *plan, limits_);
  if (!reader.read(cursor, into)) return misfit(reader.fault_text());
  return {};
}

Result<void> Decoder::read_json(std::string& out, Form form) {
  if (!ready_) return misfit("gob: no value is ready");
  const std::size_t before = out.size();
  Cursor cursor(value_);
  std::size_t budget = limits_.value_bytes;
  AnyWriter writer(types_, out, budget, form);
  if (writer.write(cursor, id_)) return {};
  out.resize(before);
  return misfit(writer.fault());
}

Result<json::Value> Decoder::read_any() {
  std::string text;
  PARLANCE_TRY_DO(read_json(text));
  return json::parse(text);
}

std::size_t Decoder::memory_bytes() const {
  std::size_t bytes = sizeof *this + types_.memory_bytes() + plans_.capacity() * sizeof(CachedPlan);
  if (cut_ != nullptr) bytes += sizeof *cut_ + cut_->bytes.capacity() + cut_->frames.capacity() * sizeof(WalkFrame);
  return bytes;
}

}  // namespace parlance::gob
