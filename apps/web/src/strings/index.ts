// SPDX-License-Identifier: Apache-2.0
// The texts of the page in the chosen language. A language is a table of the type `Strings`; a new text needs an entry in each table, or
// the build fails.

import { en } from './en';
import { setLanguage, type Language } from './language';

export { languageFor, LANGUAGES, type Language } from './language';

/** The same keys with any texts. Keys of inner tables stay the same: code looks them up by values of the protocol. */
export type Words<T> = { [K in keyof T]: T[K] extends string ? string : T[K] extends readonly string[] ? readonly string[] : T[K] extends (...args: infer A) => string ? (...args: A) => string : Words<T[K]> };

export type Strings = Words<typeof en>;
/** The current table. Read this while drawing, never while a module loads. */
export let t: Strings = en;

/** Loads the texts if necessary. Rejects after a failure, without a change of the language. */
export async function speak(language: Language): Promise<void> {
  t = language === 'zh' ? (await import('./zh')).zh : en;
  setLanguage(language);
}
