// SPDX-License-Identifier: Apache-2.0
// The reads of a store, executed by another object: on a worker thread, or in tests behind faults. Each read becomes
// `call<&Target::operation>(arguments…)` of the derived class, and returns the task of this call. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/log/store.h"

namespace parlance::hub {

// `Interface`: Store, or an interface above it. `Target` has the operations of Store, as tasks or as blocking functions.
template <class Derived, class Interface, class Target>
class ForwardedReads : public Interface {
 public:
  // The reads of store.h, without a further effect or error.
  Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                          std::size_t limit) final {
    return pass<&Target::events>(std::move(conversation), after, before, limit);
  }
  Task<Result<std::vector<EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                   std::size_t limit) final {
    return pass<&Target::event_texts>(std::move(conversation), after, before, limit);
  }
  Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                std::size_t most_bytes) final {
    return pass<&Target::events_after>(std::move(conversation), after, last, most_bytes);
  }
  Task<Result<LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) final {
    return pass<&Target::parts_with>(std::move(words), before, limit);
  }
  Task<Result<std::optional<Ask>>> ask(std::string id) final { return pass<&Target::ask>(std::move(id)); }
  Task<Result<std::optional<Attachment>>> attachment(std::string id) final { return pass<&Target::attachment>(std::move(id)); }
  Task<Result<std::vector<SpentOn>>> spent(std::string since) final { return pass<&Target::spent>(std::move(since)); }
  Task<Result<Spent>> spent_in(std::string conversation) final { return pass<&Target::spent_in>(std::move(conversation)); }

 private:
  friend Derived;
  ForwardedReads() = default;
  template <auto operation, class... Arguments>
  // Moves the arguments into the task.
  auto pass(Arguments... arguments) {
    return static_cast<Derived&>(*this).template call<operation>(std::move(arguments)...);
  }
};

}  // namespace parlance::hub
