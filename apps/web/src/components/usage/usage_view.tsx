// SPDX-License-Identifier: Apache-2.0
// What models used and cost: today, by day, by conversation; and the limits that a person sets.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { day, grouped, money } from '../../format';
import type { Spent, SpentOn, UsageValue } from '../../protocol';
import { sumsBy, tokens, total, type Sum } from './spent';
import { older } from '../../state/older';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { LimitsForm } from './limits_form';

const DAYS = 31;
const CONVERSATIONS = 50; // those that used most; more is a file to read, not a list

export function UsageView() {
  const app = useApp();
  const told = useSignal<UsageValue | undefined>(undefined);
  const fault = useSignal('');
  const online = app.online.value;
  const ask = () =>
    app.ask(
      { type: 'usage' },
      (value) => {
        told.value = value;
        fault.value = '';
      },
      (error) => {
        fault.value = error.message;
      },
    );
  useEffect(() => older(app.store, true), []); // titles of all conversations
  useEffect(() => {
    if (online) ask();
  }, [online]);
  const value = told.value;
  return (
    <div class="scroll">
      <div class="usage-page">
        <p class="muted">{words().usage_hint}</p>
        {fault.value && (
          <div class="banner bad" role="alert">
            <span>{t.request_failed(fault.value)}</span>
            <button type="button" class="small" onClick={ask}>
              {t.retry}
            </button>
          </div>
        )}
        {value && (
          <>
            <Today spent={total(value.spent.filter((row) => row.day === value.today))} />
            <LimitsForm
              limits={value.limits}
              currencies={total(value.spent).costs.map((cost) => cost.currency)}
              onSaved={ask}
            />
            <Days rows={value.spent} />
            <Conversations rows={value.spent} />
          </>
        )}
      </div>
    </div>
  );
}

const costs = (spent: Spent) => spent.costs.map(money).join(' + ') || '–';

function Today({ spent }: { spent: Spent }) {
  return (
    <section aria-label={words().used_today}>
      <h2>{words().used_today}</h2>
      <dl class="facts">
        <dt>{t.tokens}</dt>
        <dd>{grouped(tokens(spent))}</dd>
        <dt>{t.cached}</dt>
        <dd>{grouped(spent.cache_read_tokens)}</dd>
        <dt>{t.cost}</dt>
        <dd>{costs(spent)}</dd>
        <dt>{words().turns}</dt>
        <dd>{grouped(spent.turns)}</dd>
      </dl>
      {spent.untold_turns > 0 && <p class="note">{words().untold_turns(spent.untold_turns, spent.turns)}</p>}
    </section>
  );
}

function Days({ rows }: { rows: readonly SpentOn[] }) {
  const now = useApp().now.peek();
  const days = sumsBy(rows, (row) => row.day)
    .sort((a, b) => (a.key < b.key ? 1 : -1))
    .slice(0, DAYS);
  return (
    <Table name={words().by_day} first={words().day} sums={days} label={(sum) => day(`${sum.key}T12:00:00`, now)} />
  );
}

function Conversations({ rows }: { rows: readonly SpentOn[] }) {
  const app = useApp();
  const known = app.state.value.conversations;
  const sums = sumsBy(rows, (row) => (known[row.conversation] ? row.conversation : ''))
    .sort((a, b) => tokens(b.spent) - tokens(a.spent))
    .slice(0, CONVERSATIONS);
  return (
    <Table
      name={words().by_conversation}
      first={words().conversation}
      sums={sums}
      label={(sum) =>
        sum.key ? (
          <button type="button" class="link" onClick={() => app.navigation.select(sum.key)}>
            {known[sum.key]!.title || t.untitled}
          </button>
        ) : (
          <span class="faint">{words().gone_conversations}</span>
        )
      }
    />
  );
}

function Table({
  name,
  first,
  sums,
  label,
}: {
  name: string;
  first: string;
  sums: readonly Sum[];
  label: (sum: Sum) => preact.ComponentChild;
}) {
  const most = Math.max(1, ...sums.map((sum) => tokens(sum.spent)));
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {sums.length === 0 ? (
        <p class="faint">{words().nothing_used}</p>
      ) : (
        <div class="wide" tabIndex={0} role="group" aria-label={name}>
          <table>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                <th scope="col">{t.tokens}</th>
                <th scope="col">{t.cost}</th>
                <th scope="col">{words().turns}</th>
              </tr>
            </thead>
            <tbody>
              {sums.map((sum) => (
                <tr key={sum.key}>
                  <th scope="row">{label(sum)}</th>
                  <td>
                    <progress aria-hidden="true" max={most} value={tokens(sum.spent)} />
                    {grouped(tokens(sum.spent))}
                  </td>
                  <td>{costs(sum.spent)}</td>
                  <td>
                    {grouped(sum.spent.turns)}
                    {sum.spent.untold_turns > 0 && (
                      <span class="faint" title={words().untold_turns(sum.spent.untold_turns, sum.spent.turns)}>
                        {' '}
                        ({words().untold_short(sum.spent.untold_turns)})
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
