// SPDX-License-Identifier: Apache-2.0
// The results of `parlance doctor` in groups: problems first, with their remedies.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language } from '../../strings/language';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { Icon } from '../icons';
import { groupsOf, toldAsText, type Finding, type Told } from './findings';

/** The report of the gateway, fetched again after each reconnect. */
function useDoctor() {
  const app = useApp();
  const told = useSignal<Told | undefined>(undefined);
  const state = useSignal<'looking' | 'there' | 'failed'>('looking');
  const why = useSignal('');
  const online = app.online.value;
  const look = () => {
    state.value = 'looking';
    app.host.gateway!.read(`/doctor?language=${language}`).then(
      (found) => {
        told.value = found as Told;
        state.value = 'there';
      },
      (error: Error) => {
        why.value = error.message;
        state.value = 'failed';
      },
    );
  };
  useEffect(() => {
    if (online) look();
  }, [online]);
  return { told, state, why, look };
}

export function DoctorView() {
  const app = useApp();
  const w = words();
  const { told, state, why, look } = useDoctor();
  useEffect(() => {
    app.navigation.at({ doctor: '' });
    return () => app.navigation.at(undefined);
  }, []);
  const copy = () => {
    void navigator.clipboard.writeText(toldAsText(told.peek()!)).then(() => {
      app.spoken.value = w.copied;
    });
  };
  const { value } = told;
  return (
    <div class="scroll">
      <div class="memory-page doctor-page">
        <p class="muted">{w.doctor_hint}</p>
        <div class="bar plain">
          <b class={value?.bad ? 'some' : ''} role="status">
            {state.value === 'looking'
              ? w.checking
              : value
                ? value.bad === 0
                  ? w.nothing_wrong
                  : w.to_fix(value.bad)
                : ''}
          </b>
          <span class="grow" />
          {value && (
            <button type="button" onClick={copy}>
              {w.copy_text}
            </button>
          )}
          <button
            type="button"
            class="primary"
            aria-disabled={state.value === 'looking'}
            onClick={() => {
              if (state.value !== 'looking') look();
            }}
          >
            {w.check_again}
          </button>
        </div>
        {state.value === 'failed' && (
          <p class="note bad" role="alert">
            {w.check_failed(why.value)}
          </p>
        )}
        {value && groupsOf(value).map(groupView)}
      </div>
    </div>
  );
}

function groupView({ group, findings }: ReturnType<typeof groupsOf>[number]) {
  const name = (words().groups as Record<string, string>)[group] ?? group;
  return (
    <section key={group} aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {findings.map((finding, i) => (
          <Found key={i} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

const ICONS = { ok: 'check', note: 'ring', bad: 'cross' } as const;

function Found({ finding: { state, what, detail, cure } }: { finding: Finding }) {
  return (
    <li class={`is-${state}`}>
      <Icon name={ICONS[state]} size={16} />
      <span class="spoken">{words().states[state]}: </span>
      <b>{what}</b>
      <span class="told">
        {detail}
        {cure && <span class="cure">→ {cure}</span>}
      </span>
    </li>
  );
}
