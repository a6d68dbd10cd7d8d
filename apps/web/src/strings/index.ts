// The words of the page in the language that was chosen. A language is a table of the type `Strings`; whoever adds a word adds it to
// each, or the page does not build.

import { en } from './en';

/** The same keys, with any words. Keys of inner tables stay what they are: code looks them up by values of the protocol. */
type Words<T> = { [K in keyof T]: T[K] extends string ? string : T[K] extends readonly string[] ? readonly string[] : T[K] extends (...args: infer A) => string ? (...args: A) => string : Words<T[K]> };

export type Strings = Words<typeof en>;
export type Language = 'en' | 'zh';
export const LANGUAGES: readonly Language[] = ['en', 'zh'];

/** The table in use. Read it when something is drawn, never while a module is loaded. */
export let t: Strings = en;

/** What a browser asks for, in its order, as a language that there is. */
export function language_for(wanted: readonly string[]): Language {
  for (const one of wanted) {
    const name = one.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language === name);
    if (found) return found;
  }
  return 'en';
}

/** Fetches the words if they are not there yet. Rejects when that fails, and the language stays what it was. */
export async function speak(language: Language): Promise<void> {
  t = language === 'zh' ? (await import('./zh')).zh : en;
}
