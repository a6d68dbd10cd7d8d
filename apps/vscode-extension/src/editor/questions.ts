// SPDX-License-Identifier: Apache-2.0
// Questions of an agent to the person, each in a tab: it takes no keyboard, and goes when the agent takes the question back or has gone. Of
// VS Code's own messages neither a notice nor a dialog can be taken away again.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { visibleLine } from '../../../web/src/visible';
import type { Question } from '../bridge/editor';
import { questionHtml } from '../page/question_html';

const TITLE_MOST = 60; // characters of a tab

/** The id of what was chosen; undefined: the tab was closed, by the person or by `signal`. */
export function ask(question: Question, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  const panel = vscode.window.createWebviewPanel(
    'parlance.question',
    visibleLine(question.title || question.message).slice(0, TITLE_MOST),
    { viewColumn: vscode.ViewColumn.Active, preserveFocus: true },
    { enableScripts: true, localResourceRoots: [] },
  );
  return new Promise((resolve) => {
    panel.onDidDispose(() => resolve(undefined));
    panel.webview.onDidReceiveMessage((chosen: unknown) => {
      resolve(question.options[Number(chosen)]?.id);
      panel.dispose();
    });
    signal.addEventListener('abort', () => panel.dispose(), { once: true });
    panel.webview.html = questionHtml(question, randomBytes(16).toString('base64url'));
  });
}
