// SPDX-License-Identifier: Apache-2.0
// The input of a call: a JSON text with a cache of its parsed forms. Hooks, intents and the call itself share one parse. Copies
// share text and cache; a changed input is a new value. The hub never parses the input. Used on the thread of the readers.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

namespace parlance::hub {

class ToolInput {
 public:
  ToolInput() = default;
  // Implicit conversion: other code handles the input as text.
  ToolInput(std::string json) : shared_(std::make_shared<Shared>(std::move(json))) {}
  ToolInput(const char* json) : ToolInput(std::string(json)) {}
  // The JSON text, like `json`. Valid as long as this input or a copy of it.
  operator const std::string&() const { return json(); }
  operator std::string_view() const { return json(); }

  // As given by the agent, unchecked; empty: no input.
  const std::string& json() const {
    static const std::string nothing;
    return shared_ ? shared_->json : nothing;
  }
  // Both concern the text: an empty object is not empty.
  bool empty() const { return json().empty(); }
  std::size_t size() const { return json().size(); }

  // The result of `read` on the text, computed once for each type. Valid as long as this input or a copy of it exists.
  template <class T, class Read>
  const T& read_as(Read read) const {
    if (!shared_) shared_ = std::make_shared<Shared>(std::string());
    std::shared_ptr<const void>& kept = shared_->made[typeid(T)];
    if (kept == nullptr) kept = std::make_shared<const T>(read(std::string_view(shared_->json)));
    return *static_cast<const T*>(kept.get());
  }

  friend bool operator==(const ToolInput& tool_input, std::string_view json) { return tool_input.json() == json; }

 private:
  struct Shared {
    explicit Shared(std::string text) : json(std::move(text)) {}
    const std::string json;
    std::map<std::type_index, std::shared_ptr<const void>> made;
  };
  mutable std::shared_ptr<Shared> shared_;
};

}  // namespace parlance::hub
