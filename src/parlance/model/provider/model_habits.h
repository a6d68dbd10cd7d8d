// SPDX-License-Identifier: Apache-2.0
// The forms of requests that a server's models want, learned from refusals: two models of one server may differ. Loop thread only.
#pragma once

#include <map>
#include <string>

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
  Habits& change(const std::string& model) {
    if (known_.size() >= limits::model_known_habits && !known_.contains(model)) known_.clear();
    return known_[model];
  }

 private:
  std::map<std::string, Habits> known_;
};

}  // namespace parlance::model
