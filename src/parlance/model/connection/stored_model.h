// SPDX-License-Identifier: Apache-2.0
// The model of the used connection in a state folder (connections.h). A change of the file, or of the connection's key file,
// applies to the next chat. Each chat compares the identities of both files, at the cost of one stat each, so that no watch can
// miss a change. Running chats keep their model. An unusable file fails each chat with the reason, and no earlier connection
// answers in its place. Loop thread only; the loop outlives the model.
#pragma once

#include <memory>
#include <string>
#include <sys/stat.h>

#include "parlance/async/loop.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/model.h"

namespace parlance::model {

class StoredModel final : public Model {
 public:
  // `name`: replaces the model name of the connection; empty: no replacement. `otherwise` answers without any connection.
  StoredModel(Loop& loop, std::string state_folder, std::string name, std::unique_ptr<Model> otherwise);

  Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) override;
  std::string_view name() const override { return current()->name(); }
  bool scripted() const override { return current()->scripted(); }
  bool shows(const Attachment& attachment, std::string_view model) const override { return current()->shows(attachment, model); }

 private:
  struct Stamp {  // of the file; all zero: no file
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec changed{};
    timespec written{};
  };
  static Stamp stamp_of(const std::string& path);
  static bool same(const Stamp& a, const Stamp& b);
  std::shared_ptr<Model> current() const;  // Reads the file again after a change.
  std::shared_ptr<Model> read() const;

  Loop& loop_;
  std::string folder_;
  std::string name_;
  std::shared_ptr<Model> otherwise_;
  mutable Stamp stamp_{};
  mutable std::string key_file_{};  // of the used connection, or empty
  mutable Stamp key_stamp_{};
  mutable std::shared_ptr<Model> model_;
};

}  // namespace parlance::model
