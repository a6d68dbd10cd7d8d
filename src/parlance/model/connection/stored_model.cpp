// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/stored_model.h"

#include <utility>

#include "parlance/base/log.h"
#include "parlance/model/connection/vendors.h"
#include "parlance/model/provider/make_model.h"

namespace parlance::model {
namespace {

class UnusableModel final : public Model {
 public:
  explicit UnusableModel(Error reason) : reason_(std::move(reason)) {}
  Task<Result<Completion>> chat(ChatRequest, ChunkSink&) override { co_return fail(reason_); }
  std::string_view name() const override { return "unusable connection"; }

 private:
  Error reason_;
};

// A connection's model. The client's own advice names environment variables, which a stored connection never reads.
class ConnectedModel final : public Model {
 public:
  ConnectedModel(std::unique_ptr<Model> model, const Connection& connection)
      : model_(std::move(model)), connection_(connection.name), url_(connection.url), has_key_(connection.has_key()) {}
  Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) override {
    auto completion = co_await model_->chat(std::move(request), chunks);
    if (!completion && completion.error().code == Errc::denied && !has_key_)
      co_return fail(Errc::denied, url_ + " wants a key, and the model connection " + connection_ +
                                       " has none: store one with parlance model add --key-stdin");
    co_return completion;
  }
  std::string_view name() const override { return model_->name().empty() ? connection_ : model_->name(); }
  bool shows(const Attachment& attachment, std::string_view model) const override { return model_->shows(attachment, model); }

 private:
  std::unique_ptr<Model> model_;
  std::string connection_;
  std::string url_;
  bool has_key_;
};

bool same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

}  // namespace

StoredModel::StoredModel(Loop& loop, std::string state_folder, std::string name, std::unique_ptr<Model> otherwise)
    : loop_(loop), folder_(std::move(state_folder)), name_(std::move(name)), otherwise_(std::move(otherwise)) {}

StoredModel::Stamp StoredModel::stamp_of(const std::string& path) {
  struct stat status{};
  if (path.empty() || ::lstat(path.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .changed = status.st_ctim,
          .written = status.st_mtim};
}

bool StoredModel::same(const Stamp& a, const Stamp& b) {
  return a.device == b.device && a.inode == b.inode && a.size == b.size && same_time(a.changed, b.changed) &&
         same_time(a.written, b.written);
}

std::shared_ptr<Model> StoredModel::current() const {
  const Stamp now = stamp_of(connections_path(folder_));
  if (model_ && same(now, stamp_) && same(stamp_of(key_file_), key_stamp_)) return model_;
  stamp_ = now;  // before the file is read: a change during the reading gets another stamp
  model_ = read();
  return model_;
}

std::shared_ptr<Model> StoredModel::read() const {
  key_file_.clear();
  key_stamp_ = {};
  const auto stored = read_connections(folder_);
  if (!stored) {
    log(LogLevel::error, "the model connections cannot be used", {{"reason", stored.error().message}});
    return std::make_shared<UnusableModel>(stored.error());
  }
  const Connection* const used = stored->used();
  if (used == nullptr) return otherwise_;
  key_file_ = used->key_file;
  key_stamp_ = stamp_of(key_file_);
  const auto with_key = load_key(*used);
  const std::string named = "the model connection " + used->name;
  if (!with_key) return std::make_shared<UnusableModel>(with_key.error().in(named));
  ModelSettings settings = settings_of(*with_key);
  if (!name_.empty()) settings.name = name_;
  auto made = make_model(loop_, std::move(settings));
  if (!made) return std::make_shared<UnusableModel>(made.error().in(named));
  return std::make_shared<ConnectedModel>(*std::move(made), *used);
}

Task<Result<Completion>> StoredModel::chat(ChatRequest request, ChunkSink& chunks) {
  const std::shared_ptr<Model> model = current();  // kept until the end of the chat
  co_return co_await model->chat(std::move(request), chunks);
}

}  // namespace parlance::model
