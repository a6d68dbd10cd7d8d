// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/vector_json.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "parlance/base/base64.h"
#include "parlance/codec/json/value.h"
#include "parlance/server/embed/limits.h"

namespace parlance::server {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are sent in the byte order of memory");

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Reads numbers and brackets of a value that is known to be JSON.
class Rows {
 public:
  explicit Rows(std::string_view json) : rest_(json) {}

  Result<memory::Vector> read() {
    if (!take('[')) return fail(Errc::failed, "an embedding is neither a list of numbers nor a text");
    if (peek() != '[') return row();
    memory::Vector sum;
    std::size_t count = 0;
    do {
      if (!take('[')) return fail(Errc::failed, "an embedding mixes numbers and lists");
      PARLANCE_TRY(next, row());
      if (count != 0 && next.size() != sum.size()) return fail(Errc::failed, "the rows of an embedding differ in length");
      sum.resize(next.size());
      for (std::size_t i = 0; i < next.size(); ++i) sum[i] += next[i];
      ++count;
    } while (take(','));
    for (float& component : sum) component /= static_cast<float>(count);
    return sum;
  }

 private:
  char peek() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Behind its opening bracket.
  Result<memory::Vector> row() {
    memory::Vector vector;
    if (take(']')) return vector;
    do {
      peek();
      float value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      // from_chars reports numbers beyond the range of a float with result_out_of_range. These components stay 0.
      if (error == std::errc::invalid_argument) return fail(Errc::failed, "an embedding has a component other than a number");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      vector.push_back(value);
      if (vector.size() > limits::embed_dimension)
        return fail(Errc::failed, "an embedding has more than " + std::to_string(limits::embed_dimension) + " components");
    } while (take(','));
    if (!take(']')) return fail(Errc::failed, "an embedding has a component other than a number");
    return vector;
  }
  std::string_view rest_;
};

Result<memory::Vector> from_text(std::string_view json) {
  const auto text = json::parse(json);
  const auto bytes = text && text->text() != nullptr ? from_base64(*text->text()) : std::nullopt;
  if (!bytes || bytes->size() % sizeof(float) != 0 || bytes->size() / sizeof(float) > limits::embed_dimension)
    return fail(Errc::failed, "an embedding is a text other than base64 of floats");
  memory::Vector vector(bytes->size() / sizeof(float));
  std::memcpy(vector.data(), bytes->data(), bytes->size());
  return vector;
}

}  // namespace

void write_vector(std::string& out, std::span<const float> vector) {
  out += '[';
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (i != 0) out += ',';
    std::array<char, 32> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), std::isfinite(vector[i]) ? vector[i] : 0.0F);
    out.append(text.data(), end);
  }
  out += ']';
}

std::string to_base64(std::span<const float> vector) {
  return parlance::to_base64({reinterpret_cast<const char*>(vector.data()), vector.size_bytes()});
}

Result<memory::Vector> read_vector(std::string_view json) {
  std::size_t at = 0;
  while (at < json.size() && is_blank(json[at])) ++at;
  return at < json.size() && json[at] == '"' ? from_text(json.substr(at)) : Rows(json).read();
}

bool normalize(memory::Vector& vector) {
  double squares = 0;
  for (const float component : vector) squares += static_cast<double>(component) * component;
  if (!std::isfinite(squares)) return false;
  if (squares == 0) return true;
  const double factor = 1 / std::sqrt(squares);
  for (float& component : vector) component = static_cast<float>(component * factor);
  return true;
}

}  // namespace parlance::server
