// SPDX-License-Identifier: Apache-2.0
// What the editor's commands do in the page: a text for the composer, or a message that is sent at once, in this conversation or a new one.

import { effect } from '@preact/signals';
import type { App } from '../app';
import { chosen, toBegin } from '../components/conversations/new_conversation';
import type { HostEditor } from '../host';

export function obeyEditor(app: App, editor: HostEditor): void {
  let followed: { folder: string | undefined; more: string } = { folder: undefined, more: '' };
  effect(() => {
    // a new conversation works where the person is, and may work in the workspace's other folders, until they choose others
    const folder = editor.folder.value;
    if (!folder) return; // folders come before the one in front: both count at once
    const more = editor.folders.value.filter((one) => one !== folder).join('\n');
    const now = chosen.peek();
    if (now.folder === undefined || now.folder === followed.folder)
      chosen.value = { ...now, folder, ...(now.more === followed.more && { more }) };
    followed = { folder, more };
  });
  effect(() => {
    const wanted = editor.compose.value;
    if (!wanted || !app.online.value || !toBegin(app.state.value)) return;
    editor.compose.value = undefined;
    queueMicrotask(() => {
      if (wanted.fresh) app.navigation.select('');
      if (wanted.send) app.send(wanted.text, toBegin(app.state.peek()));
      else if (wanted.text) app.restore(wanted.text, []);
      if (document.hasFocus()) document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus(); // else the person is in the editor again
    });
  });
}
