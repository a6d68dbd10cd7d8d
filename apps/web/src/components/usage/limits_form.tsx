// SPDX-License-Identifier: Apache-2.0
// How much may be used before a turn is held back. An empty field is no limit.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { grouped } from '../../format';
import type { Cost, SpendingLimits } from '../../protocol';
import { amountIn, countIn } from './spent';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';

const SCOPES = ['day', 'conversation'] as const;

type Typed = Record<keyof SpendingLimits | 'currency', string>;

function typedOf(limits: SpendingLimits, currencies: readonly string[]): Typed {
  const count = (n: number | undefined) => (n === undefined ? '' : grouped(n));
  const amount = (cost: Cost | undefined) => (cost === undefined ? '' : String(cost.amount));
  return {
    day_tokens: count(limits.day_tokens),
    day_cost: amount(limits.day_cost),
    conversation_tokens: count(limits.conversation_tokens),
    conversation_cost: amount(limits.conversation_cost),
    currency: limits.day_cost?.currency ?? limits.conversation_cost?.currency ?? currencies[0] ?? 'USD',
  };
}

/** The typed limits; undefined if a field is invalid. */
function limitsIn(typed: Typed): SpendingLimits | undefined {
  const currency = typed.currency.trim().toUpperCase();
  const limits: SpendingLimits = {};
  for (const scope of SCOPES) {
    const count = countIn(typed[`${scope}_tokens`]);
    const amount = amountIn(typed[`${scope}_cost`]);
    if (Number.isNaN(count) || Number.isNaN(amount) || (amount !== undefined && !/^[A-Z]{3}$/.test(currency)))
      return undefined;
    if (count !== undefined) limits[`${scope}_tokens`] = count;
    if (amount !== undefined) limits[`${scope}_cost`] = { amount, currency };
  }
  return limits;
}

function fieldView(
  name: keyof Typed,
  label: string,
  hint: string,
  value: string,
  change: (more: Partial<Typed>) => void,
) {
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode={name === 'currency' ? 'text' : 'decimal'}
        autocomplete="off"
        placeholder={hint}
        value={value}
        maxLength={name === 'currency' ? 3 : 20}
        onInput={(e) => change({ [name]: e.currentTarget.value })}
      />
    </label>
  );
}

type Field = (name: keyof Typed, label: string, hint: string) => VNode;

function scopeView(scope: (typeof SCOPES)[number], field: Field) {
  return (
    <fieldset key={scope}>
      <legend>{words().limit_scope[scope]}</legend>
      {field(`${scope}_tokens`, t.tokens, words().no_limit)}
      {field(`${scope}_cost`, t.cost, words().no_limit)}
    </fieldset>
  );
}

interface LimitsProps {
  limits: SpendingLimits;
  currencies: readonly string[];
  onSaved: () => void;
}

export function LimitsForm({ limits, currencies, onSaved }: LimitsProps) {
  const app = useApp();
  const id = useId();
  const typed = useSignal(typedOf(limits, currencies));
  const said = useSignal('');
  const fault = useSignal('');
  useEffect(() => {
    typed.value = typedOf(limits, currencies);
  }, [limits]);
  const wanted = limitsIn(typed.value);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (!wanted) {
      fault.value = words().limit_wrong;
      return;
    }
    app.ask(
      { type: 'set_limits', ...wanted },
      () => {
        said.value = words().limits_saved;
        fault.value = '';
        onSaved();
      },
      (error) => void (fault.value = t.request_failed(error.message)),
    );
  };
  const change = (more: Partial<Typed>) => {
    typed.value = { ...typed.value, ...more };
    said.value = '';
    fault.value = '';
  };
  const field: Field = (name, label, hint) => fieldView(name, label, hint, typed.value[name], change);
  return (
    <section aria-label={words().limits}>
      <h2>{words().limits}</h2>
      <form class="limits" onSubmit={save} aria-describedby={`${id}h`}>
        {SCOPES.map((scope) => scopeView(scope, field))}
        <div class="last">
          {field('currency', words().currency, 'USD')}
          <button type="submit" class="primary">
            {t.save}
          </button>
          <span class="faint" role="status">
            {said.value}
          </span>
        </div>
        {fault.value && (
          <p class="note bad" role="alert">
            {fault.value}
          </p>
        )}
        <p class="note" id={`${id}h`}>
          {words().limits_hint}
        </p>
      </form>
    </section>
  );
}
