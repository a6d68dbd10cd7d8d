// SPDX-License-Identifier: Apache-2.0
// One or several questions. Cannot be sent while one is open; can be declined.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Chosen } from '../../answers';
import type { Ask, Question } from '../../protocol';
import { t } from '../../strings';
import { visibleProse } from '../../visible';
import { useApp } from '../context';
import { Visible } from '../visible';
import { once, Toolbar } from './toolbar';
import { DECLINE } from './verdict';

const untouched: Chosen = { labels: [], other: false, text: '' };

function answersOf(chosen: Chosen): string[] {
  return chosen.other && chosen.text.trim() ? [...chosen.labels, chosen.text.trim()] : [...chosen.labels];
}
function complete(chosen: Chosen): boolean {
  return answersOf(chosen).length > 0 && !(chosen.other && chosen.text.trim() === '');
}

/** `sending`: an answer would not count now. `sent`: one is on its way, and the form stays as it was sent. */
export function QuestionForm({ ask, sending, sent }: { ask: Ask; sending: boolean; sent: boolean }) {
  const app = useApp();
  const questions = ask.questions ?? [];
  const chosen = useSignal<readonly Chosen[]>(app.answers.drafts.get(ask.id) ?? questions.map(() => untouched));
  const left = chosen.value.filter((answer) => !complete(answer)).length;
  const change = (at: number, to: Chosen) => {
    if (sent) return;
    chosen.value = chosen.value.map((answer, i) => (i === at ? to : answer));
    app.answers.drafts.set(ask.id, chosen.peek());
  };
  return (
    <form
      class="questions"
      onSubmit={(e) => {
        e.preventDefault();
        if (left === 0 && !sending) app.answers.give(ask, { answers: chosen.peek().map(answersOf) });
      }}
    >
      <div class="body">
        {questions.map((question, i) => (
          <QuestionField key={i} question={question} chosen={chosen.value[i]!} onChange={(to) => change(i, to)} />
        ))}
      </div>
      <Toolbar>
        <button type="submit" class="primary" aria-disabled={left > 0 || sending}>
          {t.send_answers}
        </button>
        {left > 0 && (
          <span class="faint" role="status">
            {t.answer_all(left)}
          </span>
        )}
        <span class="grow" />
        <button
          type="button"
          aria-disabled={sending}
          onClick={(e) => {
            if (once(e) && !sending) app.answers.give(ask, { option: DECLINE });
          }}
        >
          {t.decline}
        </button>
      </Toolbar>
    </form>
  );
}

interface FieldProps {
  question: Question;
  chosen: Chosen;
  onChange: (to: Chosen) => void;
}

function QuestionField({ question, chosen, onChange }: FieldProps) {
  const id = useId();
  const type = question.multiple ? 'checkbox' : 'radio';
  const toggle = (label: string, on: boolean) => {
    if (!question.multiple) onChange({ ...chosen, labels: [label], other: false });
    else
      onChange({
        ...chosen,
        labels: question.options
          .map((questionOption) => questionOption.label)
          .filter((kept) => (kept === label ? on : chosen.labels.includes(kept))),
      });
  };
  const other = (on: boolean) =>
    onChange(question.multiple ? { ...chosen, other: on } : { ...chosen, labels: [], other: true });
  return (
    <fieldset>
      <legend>
        {question.header && (
          <span class="chip">
            <Visible text={question.header} as={visibleProse} />
          </span>
        )}{' '}
        <Visible text={question.question} as={visibleProse} />{' '}
        <span class="faint">{question.multiple ? t.choose_any : t.choose_one}</span>
      </legend>
      {question.options.map((option, i) => (
        <label key={i} class="option">
          <input
            type={type}
            name={id}
            checked={chosen.labels.includes(option.label)}
            onChange={(e) => toggle(option.label, e.currentTarget.checked)}
          />
          {labelOf(option)}
        </label>
      ))}
      <div class="option">
        <input
          type={type}
          name={id}
          aria-label={t.other}
          checked={chosen.other}
          onChange={(e) => other(e.currentTarget.checked)}
        />
        <input
          type="text"
          class="other"
          placeholder={t.other}
          aria-label={t.other_answer}
          value={chosen.text}
          onInput={(e) => {
            const text = e.currentTarget.value;
            onChange({ labels: question.multiple ? chosen.labels : [], other: true, text });
          }}
        />
      </div>
    </fieldset>
  );
}

const labelOf = ({ label, description }: Question['options'][number]) => (
  <span>
    <span class="label">
      <Visible text={label} as={visibleProse} />
    </span>
    {description && (
      <span class="description">
        <Visible text={description} as={visibleProse} />
      </span>
    )}
  </span>
);
