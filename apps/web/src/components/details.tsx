// SPDX-License-Identifier: Apache-2.0
// The right column: plan, this turn, standing permissions.

import { useComputed } from '@preact/signals';
import { duration, grouped, money, shortPaths, took } from '../format';
import type { PlanEntry, Rule } from '../protocol';
import { t } from '../strings';
import { workedMs, type Turn } from '../transcript_items';
import { Coded } from './coded';
import { useAgo, useApp, useSelect } from './context';
import { Icon } from './icons';
import { Visible } from './visible';

export function Details() {
  const app = useApp();
  const plan = usePlan();
  const rules = useComputed(() => app.state.value.rules).value;
  const home = useComputed(() => app.state.value.home).value;
  return (
    <aside aria-label={t.details_column}>
      {plan.length > 0 && (
        <section>
          <h2>{t.plan}</h2>
          <Steps plan={plan} />
        </section>
      )}
      <TurnFacts />
      <section>
        <h2>{t.permissions}</h2>
        {rules.length === 0 ? (
          <p class="faint">{t.no_permissions}</p>
        ) : (
          <ul class="rules">
            {rules.map((rule) => (
              <li key={rule.id}>
                <span>
                  {t.rule_effects[rule.effect]}
                  <Coded text={shortPaths(rule.label, home)} />
                  <Uses rule={rule} />
                </span>
                <button
                  type="button"
                  class="quiet small"
                  aria-label={t.revoke_what(rule.label)}
                  onClick={() => app.revoke(rule.id)}
                >
                  {t.revoke}
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </aside>
  );
}

/** The uses of a permission so far. */
function Uses({ rule }: { rule: Rule }) {
  const when = useAgo(rule.used_at ?? '');
  if (!rule.uses) return <span class="uses faint">{t.never_used}</span>;
  return (
    <span class="uses faint" title={rule.used_for}>
      {t.used(rule.uses, when)}
      {rule.used_for && (
        <>
          {' '}
          ·{' '}
          <code>
            <Visible text={rule.used_for} />
          </code>
        </>
      )}
    </span>
  );
}

/** A stopped turn ends the progress of its plan entries. */
function usePlan(): readonly PlanEntry[] {
  const app = useApp();
  return useComputed(() => {
    const plan = app.transcript.value?.plan ?? [];
    return app.transcript.value?.turn?.running === false
      ? plan.map((entry) => (entry.status === 'in_progress' ? { ...entry, status: 'pending' as const } : entry))
      : plan;
  }).value;
}

function Steps({ plan }: { plan: readonly PlanEntry[] }) {
  return (
    <ol class="steps">
      {plan.map((entry, i) => (
        <Step key={i} entry={entry} />
      ))}
    </ol>
  );
}

/** The plan in one line above the composer, on screens without room for the column. */
export function PlanLine() {
  const plan = usePlan();
  if (plan.length === 0) return null;
  const done = plan.filter((entry) => entry.status === 'completed').length;
  const now = plan.find((entry) => entry.status === 'in_progress');
  return (
    <details class="plan-line">
      <summary>
        <span class="name">{t.plan}</span> <span class="faint">{t.plan_now(done, plan.length)}</span>{' '}
        {now && <span class="now">{now.content}</span>}
      </summary>
      <Steps plan={plan} />
    </details>
  );
}

function Step({ entry }: { entry: PlanEntry }) {
  const icon = entry.status === 'completed' ? 'check' : entry.status === 'in_progress' ? 'half' : 'ring';
  return (
    <li class={`step ${entry.status}`}>
      <Icon name={icon} size={16} />
      <span class="spoken">{t.plan_status[entry.status]}: </span>
      <span>{entry.content}</span>
    </li>
  );
}

function TurnFacts() {
  const app = useApp();
  const turn = useComputed(() => app.transcript.value?.turn).value;
  const context = useComputed(() => app.transcript.value?.context).value;
  if (!turn) return null;
  const tokens = turn.inputTokens + turn.outputTokens;
  return (
    <section>
      <h2>{turn.running ? t.this_turn : t.last_turn}</h2>
      <dl class="facts">
        <dt>{t.time}</dt>
        <dd>{turn.running ? <Worked turn={turn} /> : took(workedMs(turn, 0))}</dd>
        {tokens > 0 && (
          <>
            <dt>{t.tokens}</dt>
            <dd>{grouped(tokens)}</dd>
          </>
        )}
        {turn.cost !== undefined && (
          <>
            <dt>{t.cost}</dt>
            <dd>{money(turn.cost)}</dd>
          </>
        )}
        {turn.cacheReadTokens > 0 && (
          <>
            <dt>{t.cached}</dt>
            <dd>{grouped(turn.cacheReadTokens)}</dd>
          </>
        )}
        {context && context.size > 0 && (
          <>
            <dt>{t.context}</dt>
            <dd>{t.context_used(Math.round((100 * context.used) / context.size), grouped(context.size))}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Counts seconds itself, without a redraw of its surroundings. */
function Worked({ turn }: { turn: Turn }) {
  const app = useApp();
  return <>{useSelect(() => duration(workedMs(turn, app.now.value)), [turn])}</>;
}
