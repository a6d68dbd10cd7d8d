// SPDX-License-Identifier: Apache-2.0
// The typed parts of a connection to a language model, and the message that they become. Pure.

import type { GivenConnection, ModelVendor } from '../../protocol';

export interface Typed {
  vendor: string;
  dialect: string;
  url: string;
  key: string;
  keyVariable: string;
  model: string;
  unencrypted: boolean;
}
export const EMPTY: Typed = {
  vendor: '',
  dialect: 'openai',
  url: '',
  key: '',
  keyVariable: '',
  model: '',
  unencrypted: false,
};

/** A form for a vendor. Nothing typed for another vendor stays, a key least of all. */
export const chosenVendor = (vendor: ModelVendor): Typed => ({
  ...EMPTY,
  vendor: vendor.id,
  dialect: vendor.dialect,
  url: vendor.url,
});

/** Whether the gateway refuses the address without the person's permission: http:// to another machine. */
export function needsPermission(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

export function givenOf(typed: Typed): GivenConnection {
  const key = typed.key.trim();
  return {
    name: typed.vendor,
    vendor: typed.vendor,
    dialect: typed.dialect,
    url: typed.url.trim(),
    model: typed.model.trim(),
    ...(typed.keyVariable ? { key_variable: typed.keyVariable } : key && { key }),
    ...(typed.unencrypted && needsPermission(typed.url.trim()) && { unencrypted: true }),
  };
}
