// SPDX-License-Identifier: Apache-2.0
// Connects a language model in a few steps of the command palette. The typed key goes to the secret storage (../models/model_keys.ts).

import * as vscode from 'vscode';
import { chosenVendor, givenOf, needsPermission, type Typed } from '../../../web/src/components/models/typed';
import type { GivenConnection, ModelVendor } from '../../../web/src/protocol';
import type { Gateway } from '../gateway/gateway';
import type { InboxLink } from '../gateway/inbox';
import type { ModelKeys } from '../models/model_keys';

const TITLE = 'Connect a model';

function text(prompt: string, more: vscode.InputBoxOptions = {}): Thenable<string | undefined> {
  return vscode.window.showInputBox({ title: TITLE, prompt, ignoreFocusOut: true, ...more });
}

async function vendorOf(vendors: readonly ModelVendor[]): Promise<ModelVendor | undefined> {
  const items = vendors.map((vendor) => ({ label: vendor.name, description: vendor.url, vendor }));
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: 'Vendor or local server' }))?.vendor;
}

async function urlOf(vendor: ModelVendor): Promise<string | undefined> {
  if (vendor.needs_key && vendor.url) return vendor.url;
  const validateInput = (url: string) =>
    /^https?:\/\/[^/]/.test(url) ? undefined : 'http://HOST[:PORT][/PATH] or https://…';
  return text('Address of the server', { value: vendor.url, validateInput });
}

async function permits(url: string): Promise<boolean> {
  if (!needsPermission(url)) return true;
  const detail = `${url} is not encrypted: others can read the key and each message on the way.`;
  return (
    (await vscode.window.showWarningMessage('Send the key without encryption?', { modal: true, detail }, 'Send')) ===
    'Send'
  );
}

/** From the list of the server, or typed if the server has no list. */
async function modelOf(link: InboxLink, connection: GivenConnection): Promise<string | undefined> {
  const ids = await vscode.window
    .withProgress({ location: vscode.ProgressLocation.Notification, title: 'Models of the server …' }, () =>
      link.ask({ type: 'list_models', connection }),
    )
    .then(
      (answer) => answer.ids,
      (error: Error) => void vscode.window.showWarningMessage(error.message),
    );
  if (!ids?.length) return text('Id of the model. Empty: the default of the server.');
  return vscode.window.showQuickPick(ids, { title: TITLE, placeHolder: 'Model' });
}

/** Undefined: the person has stopped. */
async function typed(link: InboxLink): Promise<Typed | undefined> {
  const { vendors } = await link.ask({ type: 'models' });
  const vendor = await vendorOf(vendors);
  const url = vendor && (await urlOf(vendor));
  if (!url || !(await permits(url))) return undefined;
  const key = await text(vendor.needs_key ? `Key of ${vendor.name}` : 'Key. Empty: the server needs none.', {
    password: true,
    placeHolder: "Kept in VS Code's secret storage",
    validateInput: (value) =>
      vendor.needs_key && value.trim() === '' ? `${vendor.name} answers only with a key.` : undefined,
  });
  if (key === undefined) return undefined;
  const given = { ...chosenVendor(vendor), url, key, unencrypted: true };
  const model = await modelOf(link, givenOf(given));
  return model === undefined ? undefined : { ...given, model };
}

export async function connectModel(gateway: Gateway, link: InboxLink, keys: ModelKeys): Promise<void> {
  gateway.start();
  const chosen = await typed(link);
  if (!chosen) return;
  const connection = givenOf(chosen);
  const { key } = connection;
  if (key === undefined) await link.ask({ type: 'save_model', connection });
  else await keys.save({ ...connection, key });
  const done = `The built-in agent uses ${connection.model || connection.name} from its next turn on.`;
  if ((await vscode.window.showInformationMessage(done, 'Test')) !== 'Test') return;
  const tested = await link.ask({ type: 'test_model', connection: givenOf({ ...chosen, key: '' }) });
  void vscode.window.showInformationMessage(`${tested.model} answers in ${tested.latency_ms} ms.`);
}
