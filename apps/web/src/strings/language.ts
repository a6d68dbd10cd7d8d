// SPDX-License-Identifier: Apache-2.0
// The current language and the list of languages.

export type Language = 'en' | 'zh';
export const LANGUAGES: readonly Language[] = ['en', 'zh'];

/** Read this while drawing, never while a module loads. */
export let language: Language = 'en';
export function setLanguage(now: Language): void {
  language = now;
}

/** The first supported language in a browser's list of preferences. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const name = tag.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language === name);
    if (found) return found;
  }
  return 'en';
}
