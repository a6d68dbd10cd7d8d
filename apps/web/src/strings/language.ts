// SPDX-License-Identifier: Apache-2.0
// Which language is spoken, and which there are.

export type Language = 'en' | 'zh';
export const LANGUAGES: readonly Language[] = ['en', 'zh'];

/** Read it when something is drawn, never while a module is loaded. */
export let language: Language = 'en';
export function setLanguage(now: Language): void { language = now; }

/** What a browser asks for, in its order, as a language that there is. */
export function languageFor(wanted: readonly string[]): Language {
  for (const one of wanted) {
    const name = one.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language === name);
    if (found) return found;
  }
  return 'en';
}
