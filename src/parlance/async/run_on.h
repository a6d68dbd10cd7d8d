// SPDX-License-Identifier: Apache-2.0
// Runs a member function of a blocking object on its worker. The job owns its arguments, because it continues after the destruction
// of a waiting caller. Loop thread only; the object outlives the worker's jobs.
//
//   Task<Result<Ask>> Store::ask(std::string id) { return run_on<&File::ask>(worker_, *file_, std::move(id)); }
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "parlance/async/task.h"
#include "parlance/async/worker.h"

namespace parlance {

template <auto function, class Object, class... Arguments>
auto run_on(Worker& worker, Object& object, Arguments... arguments)
    -> Task<std::invoke_result_t<decltype(function), Object&, const Arguments&...>> {
  co_return co_await worker.run(
      [&object, ... arguments = std::move(arguments)] { return std::invoke(function, object, arguments...); });
}

}  // namespace parlance
