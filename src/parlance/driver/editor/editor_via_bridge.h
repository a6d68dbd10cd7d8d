// SPDX-License-Identifier: Apache-2.0
// An editor at the other end of the bridge. Loop thread only; the peer outlives this object or is replaced with `use`.
//
// The bridge has two versions. An editor of the first version serves eight methods and answers any other in its own way, for example with
// -32603 or `success: false`, which would read as a refusal. So the methods of the second version are sent only to an editor that has
// answered `initialize`; for other editors they fail with unknown_method and nothing is sent.
//
// Calls that may wait for a person (a change, a dialog, a file outside the workspace) have no deadline; all others have limits::request.
// Errors: those of hub::Editor; deadline_exceeded with "No response for 'METHOD' after 10s"; denied after a rejection by the person.
#pragma once

#include "parlance/hub/editor/editor.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/editor/limits.h"
#include "parlance/protocol/editor/messages.h"

namespace parlance::driver {

class EditorViaBridge final : public hub::Editor {
 public:
  explicit EditorViaBridge(Peer& peer, Duration request = editor::limits::request) : peer_(&peer), request_(request) {}
  // Not connected yet.
  explicit EditorViaBridge(Duration request) : request_(request) {}
  // The peer of later calls, of the first version until `use_second_version`. Null: every call fails with not_found, "No editor is
  // connected". Running calls end with their own peer.
  void use(Peer* peer) {
    peer_ = peer;
    second_version_ = false;
  }
  void use_second_version() { second_version_ = true; }

  Task<Result<void>> ping() override;
  Task<Result<hub::editor::File>> active_file() override;
  Task<Result<hub::editor::Selected>> selection() override;
  Task<Result<hub::editor::Selected>> latest_selection() override;
  Task<Result<std::vector<hub::editor::OpenEditor>>> open_editors() override;
  Task<Result<std::string>> workspace_folder() override;
  Task<Result<hub::editor::Folders>> workspace_folders() override;
  Task<Result<hub::editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                     std::optional<hub::editor::Severity> severity) override;
  Task<Result<hub::editor::DocumentState>> document_state(std::string path) override;
  Task<Result<hub::editor::Document>> read_document(std::string path, std::optional<std::uint32_t> first,
                                                    std::optional<std::uint32_t> last) override;
  Task<Result<void>> save_document(std::string path) override;
  Task<Result<void>> open_file(hub::editor::OpenFile request) override;
  Task<Result<hub::editor::DiffOutcome>> open_diff(hub::editor::OpenDiff request) override;
  Task<Result<void>> show_diff(hub::editor::ShowDiff request) override;
  Task<Result<void>> close_diff(std::optional<std::string> path) override;
  Task<Result<std::uint32_t>> close_all_diffs() override;
  Task<Result<void>> apply_changes(hub::editor::ApplyChanges request) override;
  Task<Result<hub::editor::Applied>> apply_edits(hub::editor::ApplyEdits request) override;
  Task<Result<std::optional<std::string>>> confirm(hub::editor::ConfirmDialog request) override;
  Task<Result<void>> show_message(hub::editor::Level level, std::string message) override;
  Task<Result<std::vector<hub::editor::AddedMethod>>> added_methods() override;
  Task<Result<std::string>> call_added(std::string method, std::string params_json) override;

 private:
  // Converts the editor's "cannot do" results into errors.
  template <class P, class R>
  Task<Result<R>> ask(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, Within time);
  template <class P>
  Task<Result<void>> done(const wire::Call<P, editor::Done>& method, std::type_identity_t<P> parameters, Within time);
  Within soon() const { return within(request_); }

  Peer* peer_ = nullptr;
  bool second_version_ = false;
  Duration request_;
};

}  // namespace parlance::driver
