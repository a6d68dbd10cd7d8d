// SPDX-License-Identifier: Apache-2.0
// The forms of requests that a server's models want, learned from refusals: two models of one server may differ. Loop thread only.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "parlance/model/provider/limits.h"

namespace parlance::model {

// `Habits`: its default value is the form of most models.
template <class Habits>
class ModelHabits {
 public:
  Habits of(const std::string& model) const {
    const auto found = known_.find(model);
    return found == known_.end() ? Habits{} : found->second;
  }
  // Clients choose the names of models: above limits::model_known_habits all are learned again.
  void learn(const std::string& model, Habits habits) {
    if (known_.size() >= limits::model_known_habits && !known_.contains(model)) known_.clear();
    known_.insert_or_assign(model, std::move(habits));
  }

 private:
  std::map<std::string, Habits> known_;
};

}  // namespace parlance::model
