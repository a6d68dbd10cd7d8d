// SPDX-License-Identifier: Apache-2.0
// The effect of the editor's commands in the page: a view, a text for the composer, or a message sent at once, in this conversation or a new
// conversation.

import { effect } from '@preact/signals';
import type { App } from '../app';
import { chosen, toBegin } from '../components/conversations/new_conversation';
import { focusComposer } from '../components/context';
import type { HostEditor } from '../host';

export function obeyEditor(app: App, editor: HostEditor): void {
  let followed: { folder: string | undefined; more: string } = { folder: undefined, more: '' };
  effect(() => {
    // a new conversation uses the person's folder, and may use the workspace's other folders, until the person chooses other folders
    const folder = editor.folder.value;
    if (!folder) return; // the folders precede the folder in front: both apply at once
    const more = editor.folders.value.filter((other) => other !== folder).join('\n');
    const now = chosen.peek();
    if (now.folder === undefined || now.folder === followed.folder)
      chosen.value = { ...now, folder, ...(now.more === followed.more && { more }) };
    followed = { folder, more };
  });
  effect(() => {
    const view = editor.show.value;
    if (!view || !app.online.value || app.state.value.version === '') return; // the snapshot may choose a conversation first
    editor.show.value = undefined;
    queueMicrotask(() => app.navigation.show(view));
  });
  effect(() => {
    const wanted = editor.compose.value;
    if (!wanted || !app.online.value || !toBegin(app.state.value)) return;
    editor.compose.value = undefined;
    queueMicrotask(() => {
      if (wanted.fresh) app.navigation.select('');
      if (wanted.send) app.send(wanted.text, toBegin(app.state.peek()));
      else if (wanted.text) app.restore(wanted.text, []);
      if (document.hasFocus()) focusComposer(); // else the person is in the editor again
    });
  });
}
