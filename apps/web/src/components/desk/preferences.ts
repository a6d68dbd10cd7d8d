// SPDX-License-Identifier: Apache-2.0
// A person's preferences, stored in this browser: the language and the colours of the page. In an editor, the editor sets the colours.

import { signal } from '@preact/signals';
import { LANGUAGES, languageFor, speak, type Language } from '../../strings';

export type Theme = 'auto' | 'light' | 'dark' | 'contrast';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark', 'contrast'];
const KEY = 'parlance.preferences';

interface Kept {
  theme: Theme;
  language: Language | 'auto';
}

export class Preferences {
  readonly theme = signal<Theme>('auto');
  readonly language = signal<Language | 'auto'>('auto');
  /** The current language: a change redraws the page. */
  readonly spoken = signal<Language>('en');
  readonly silent = signal(false); // the words of the chosen language could not be had

  /** Reads the stored preferences; resolves before the first drawing. */
  async begin(): Promise<void> {
    const kept = read();
    this.theme.value = THEMES.find((theme) => theme === kept.theme) ?? 'auto';
    this.language.value = LANGUAGES.find((language) => language === kept.language) ?? 'auto';
    dress(this.theme.peek());
    await this.#talk();
  }

  setTheme(theme: Theme): void {
    this.theme.value = theme;
    dress(theme);
    this.#keep();
  }

  async setLanguage(language: Language | 'auto'): Promise<void> {
    this.language.value = language;
    this.#keep();
    await this.#talk();
  }

  async #talk(): Promise<void> {
    const wanted = this.language.peek();
    const language = wanted === 'auto' ? languageFor(navigator.languages) : wanted;
    try {
      await speak(language);
      this.silent.value = false;
      this.spoken.value = language;
      document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    } catch {
      this.silent.value = true;
    }
  }

  #keep(): void {
    const kept: Kept = { theme: this.theme.peek(), language: this.language.peek() };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      /* storage is forbidden: the choice lasts as long as this page */
    }
  }
}

function read(): Partial<Kept> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Partial<Kept>;
  } catch {
    return {};
  }
}

/** A media rule contains the dark colours: a theme chosen by hand turns this rule on or off. */
function dress(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  const media = theme === 'auto' ? '(prefers-color-scheme: dark)' : theme === 'light' ? 'not all' : 'all';
  for (const rule of darkRules()) rule.media.mediaText = media;
}

let found: CSSMediaRule[] | undefined;
function darkRules(): CSSMediaRule[] {
  found ??= [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter(
      (rule): rule is CSSMediaRule =>
        rule instanceof CSSMediaRule && rule.media.mediaText.includes('prefers-color-scheme'),
    );
  return found;
}

export const preferences = new Preferences();
