// SPDX-License-Identifier: Apache-2.0
// The words of the page in the language that was chosen. A language is a table of the type `Strings`; whoever adds a word adds it to
// each, or the page does not build.

import { en } from './en';
import { setLanguage, type Language } from './language';

export { languageFor, LANGUAGES, type Language } from './language';

/** The same keys, with any words. Keys of inner tables stay what they are: code looks them up by values of the protocol. */
export type Words<T> = { [K in keyof T]: T[K] extends string ? string : T[K] extends readonly string[] ? readonly string[] : T[K] extends (...args: infer A) => string ? (...args: A) => string : Words<T[K]> };

export type Strings = Words<typeof en>;
/** The table in use. Read it when something is drawn, never while a module is loaded. */
export let t: Strings = en;

/** Fetches the words if they are not there yet. Rejects when that fails, and the language stays what it was. */
export async function speak(language: Language): Promise<void> {
  t = language === 'zh' ? (await import('./zh')).zh : en;
  setLanguage(language);
}
