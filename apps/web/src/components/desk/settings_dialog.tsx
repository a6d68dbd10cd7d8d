// SPDX-License-Identifier: Apache-2.0
// Language and colours of the page.

import { useId } from 'preact/hooks';
import { preferences, THEMES, type Theme } from './preferences';
import { has } from '../../capabilities';
import { LANGUAGES, t, type Language } from '../../strings';
import { useApp } from '../context';
import { onDesk } from './on_desk';

export function Settings() {
  const app = useApp();
  const { host } = app;
  const id = useId();
  return (
    <>
      <div class="fields">
        <label for={`${id}l`}>{t.language}</label>
        <select
          id={`${id}l`}
          value={preferences.language.value}
          onChange={(e) => {
            void preferences.setLanguage(e.currentTarget.value as Language | 'auto');
          }}
        >
          {(['auto', ...LANGUAGES] as const).map((one) => (
            <option key={one} value={one}>
              {t.languages[one]}
            </option>
          ))}
        </select>
        {!host.editor && (
          <>
            <label for={`${id}t`}>{t.theme}</label>
            <select
              id={`${id}t`}
              value={preferences.theme.value}
              onChange={(e) => preferences.setTheme(e.currentTarget.value as Theme)}
            >
              {THEMES.map((one) => (
                <option key={one} value={one}>
                  {t.themes[one]}
                </option>
              ))}
            </select>
          </>
        )}
      </div>
      {preferences.silent.value && (
        <p class="note bad" role="alert">
          {t.language_failed}
        </p>
      )}
      <p class="note">{t.kept_here}</p>
      {has(app, 'doctor') && (
        <button
          type="button"
          onClick={() => {
            onDesk.value = '';
            app.navigation.show('doctor');
          }}
        >
          {t.doctor_open}
        </button>
      )}
    </>
  );
}
