// SPDX-License-Identifier: Apache-2.0
// Language and colours of the page.

import { useId } from 'preact/hooks';
import { preferences, THEMES, type Theme } from './preferences';
import { has } from '../../capabilities';
import { LANGUAGES, t, type Language } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { onDesk } from './on_desk';

export function Settings() {
  const { host } = useApp();
  const id = useId();
  return (
    <>
      <div class="fields">
        <label for={`${id}l`}>{words().language}</label>
        <select
          id={`${id}l`}
          value={preferences.language.value}
          onChange={(e) => {
            void preferences.setLanguage(e.currentTarget.value as Language | 'auto');
          }}
        >
          {(['auto', ...LANGUAGES] as const).map((language) => (
            <option key={language} value={language}>
              {words().languages[language]}
            </option>
          ))}
        </select>
        {!host.editor && (
          <>
            <label for={`${id}t`}>{words().theme}</label>
            <select
              id={`${id}t`}
              value={preferences.theme.value}
              onChange={(e) => preferences.setTheme(e.currentTarget.value as Theme)}
            >
              {THEMES.map((theme) => (
                <option key={theme} value={theme}>
                  {words().themes[theme]}
                </option>
              ))}
            </select>
          </>
        )}
      </div>
      {preferences.silent.value && (
        <p class="note bad" role="alert">
          {words().language_failed}
        </p>
      )}
      <p class="note">{words().kept_here}</p>
      <Opener view="mcp" text={t.mcp} />
      <Opener view="doctor" text={t.doctor_open} />
    </>
  );
}

/** Opens a view of the gateway, if the gateway has it. */
function Opener({ view, text }: { view: 'mcp' | 'doctor'; text: string }) {
  const app = useApp();
  if (!has(app, view)) return null;
  return (
    <button
      type="button"
      onClick={() => {
        onDesk.value = '';
        app.navigation.show(view);
      }}
    >
      {text}
    </button>
  );
}
