// SPDX-License-Identifier: Apache-2.0
// Runs a task in a scope and returns the result. The task continues after the destruction of a waiting caller, and therefore owns its
// arguments. The caller gets no result after Scope::cancel, so callers must end before the scope. Loop thread only.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"

namespace parlance {

template <class T>
Task<T> run_in(Scope& scope, Task<T> task) {
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
  const auto result = std::make_shared<OneShot<Value>>(scope.loop());
  const auto run = [](Task<T> work, std::shared_ptr<OneShot<Value>> done) -> Task<void> {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(work);
      done->set({});
    } else {
      done->set(co_await std::move(work));
    }
  };
  scope.start(run(std::move(task), result));
  if constexpr (std::is_void_v<T>) static_cast<void>(co_await result->get());
  else co_return co_await result->get();
}

}  // namespace parlance
