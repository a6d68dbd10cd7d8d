// SPDX-License-Identifier: Apache-2.0
// Connections to language models: stored, found on the gateway's machine, and a form for a new connection. A typed key leaves the page with
// one request and is then erased from the form; the gateway never returns a key.

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { FoundModel, GivenConnection, ModelConnection, ModelsValue, RequestValues } from '../../protocol';
import type { RequestOf, RequestType } from '../../requests';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { chosenVendor, givenOf, needsPermission, EMPTY, type Typed } from './typed';

/** The state of the form and its requests; one request runs at a time. */
function useModels() {
  const app = useApp();
  const w = words();
  const value = useSignal<ModelsValue | undefined>(undefined);
  const typed = useSignal<Typed>(EMPTY);
  const ids = useSignal<readonly string[]>([]);
  const busy = useSignal(false);
  const told = useSignal('');
  const fault = useSignal('');
  const ask = <T extends RequestType>(request: RequestOf<T>, done: (answer: RequestValues[T]) => void) => {
    if (busy.peek()) return;
    busy.value = true;
    told.value = '';
    fault.value = '';
    app.ask(
      request,
      (answer) => {
        busy.value = false;
        done(answer);
      },
      (error) => {
        busy.value = false;
        fault.value = error.message;
      },
    );
  };
  const save = (connection: GivenConnection) =>
    ask({ type: 'save_model', connection }, (saved) => {
      value.value = { ...saved, found: (value.peek()?.found ?? []).filter((model) => model.url !== connection.url) };
      typed.value = EMPTY;
      told.value = w.model_saved(connection.name);
    });
  const remove = (name: string) =>
    ask({ type: 'remove_model', name }, (left) => {
      value.value = { ...left, found: value.peek()?.found ?? [] };
    });
  const list = () =>
    ask({ type: 'list_models', connection: givenOf(typed.peek()) }, (answer) => {
      ids.value = answer.ids;
      told.value = w.models_listed(answer.ids.length);
    });
  const test = () =>
    ask({ type: 'test_model', connection: givenOf(typed.peek()) }, (answer) => {
      told.value = w.model_tested(answer.model, answer.latency_ms);
    });
  const online = app.online.value;
  useEffect(() => {
    if (online)
      ask({ type: 'models' }, (answer) => {
        value.value = answer;
      });
  }, [online]);
  return { value, typed, ids, busy, told, fault, save, remove, list, test };
}
type Models = ReturnType<typeof useModels>;

/** Stored and found connections at once; the form behind a button. */
export function ConnectOffer() {
  const isOpen = useSignal(false);
  const models = useModels();
  const w = words();
  const value = models.value.value;
  return (
    <section class="connect" aria-label={w.connect_model}>
      {value?.fixed_by && <p class="note">{w.model_fixed(value.fixed_by)}</p>}
      {value && value.connections.length > 0 && (
        <ul aria-label={w.models_stored}>
          {value.connections.map((connection) => (
            <Stored key={connection.name} stored={connection} models={models} />
          ))}
        </ul>
      )}
      {value && value.found.length > 0 && (
        <ul aria-label={w.models_found}>
          {value.found.map((model) => (
            <Found key={model.url} found={model} models={models} />
          ))}
        </ul>
      )}
      {!isOpen.value && !models.typed.value.vendor && (
        <button type="button" onClick={() => (isOpen.value = true)}>
          {w.connect_model}
        </button>
      )}
      {value && (isOpen.value || models.typed.value.vendor) && <Form value={value} models={models} />}
      <p role="status" class="note">
        {models.told}
      </p>
      {models.fault.value && (
        <p class="bad" role="alert">
          {models.fault}
        </p>
      )}
    </section>
  );
}

function Stored({ stored, models }: { stored: ModelConnection; models: Models }) {
  const w = words();
  const { has_key: hasKey, used, ...connection } = stored;
  return (
    <li>
      <b>{stored.name}</b>{' '}
      <span class="faint">
        {[stored.model, stored.url, hasKey ? w.key_stored : w.keyless].filter(Boolean).join(' · ')}
      </span>
      {used ? (
        <span class="chip">{w.model_used}</span>
      ) : (
        <button type="button" class="quiet small" onClick={() => models.save(connection)}>
          {w.use_model(stored.name)}
        </button>
      )}
      <button type="button" class="quiet small" onClick={() => models.remove(stored.name)}>
        {w.remove_model(stored.name)}
      </button>
    </li>
  );
}

/** A server of the gateway's machine is used at once; a key in the environment fills the form, because the model is open. */
function Found({ found, models }: { found: FoundModel; models: Models }) {
  const w = words();
  const vendor = models.value.value!.vendors.find((modelVendor) => modelVendor.id === found.vendor);
  const use = () => {
    if (!vendor) return;
    const typed = { ...chosenVendor(vendor), url: found.url, keyVariable: found.key_variable };
    if (found.key_variable) models.typed.value = typed;
    else models.save(givenOf({ ...typed, model: found.models[0] ?? '' }));
  };
  return (
    <li>
      <b>{vendor?.name ?? found.vendor}</b>{' '}
      <span class="faint">{found.key_variable || `${found.models[0] ?? ''} · ${found.url}`}</span>
      <button type="button" class="quiet small" onClick={use}>
        {w.use_model(vendor?.name ?? found.vendor)}
      </button>
    </li>
  );
}

interface FormProps {
  value: ModelsValue;
  models: Models;
}

function Form({ value, models }: FormProps) {
  const w = words();
  const typed = models.typed.value;
  const busy = models.busy.value;
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        models.save(givenOf(models.typed.peek()));
      }}
    >
      <Fields value={value} models={models} />
      {needsPermission(typed.url) && (
        <label class="note">
          <input
            type="checkbox"
            checked={typed.unencrypted}
            onChange={(e) => {
              models.typed.value = { ...typed, unencrypted: e.currentTarget.checked };
            }}
          />{' '}
          {w.permit_http}
        </label>
      )}
      {typed.vendor && (
        <div class="bar plain">
          <button type="button" aria-disabled={busy} onClick={models.list}>
            {w.list_models}
          </button>
          <button type="button" aria-disabled={busy} onClick={models.test}>
            {w.test_model}
          </button>
          <button type="submit" class="primary" aria-disabled={busy}>
            {w.save_model}
          </button>
        </div>
      )}
    </form>
  );
}

function Fields({ value, models }: FormProps) {
  const w = words();
  const id = useId();
  const typed = models.typed.value;
  const choose = (chosen: string) => {
    const vendor = value.vendors.find((candidate) => candidate.id === chosen);
    models.typed.value = vendor ? chosenVendor(vendor) : EMPTY;
    models.ids.value = [];
  };
  const field = (name: 'url' | 'key' | 'model', label: string, more: object) => (
    <>
      <label for={id + name}>{label}</label>
      <input
        id={id + name}
        autocomplete="off"
        spellcheck={false}
        value={typed[name]}
        onInput={(e) => {
          models.typed.value = { ...models.typed.peek(), [name]: e.currentTarget.value };
        }}
        {...more}
      />
    </>
  );
  return (
    <div class="fields">
      <label for={`${id}v`}>{w.vendor}</label>
      <select id={`${id}v`} value={typed.vendor} onChange={(e) => choose(e.currentTarget.value)}>
        <option value="">{w.choose_vendor}</option>
        {value.vendors.map((modelVendor) => (
          <option key={modelVendor.id} value={modelVendor.id}>
            {modelVendor.name}
          </option>
        ))}
      </select>
      {typed.vendor && field('url', 'URL', { type: 'url' })}
      {typed.vendor &&
        (typed.keyVariable ? (
          <p class="note wide">{w.key_from(typed.keyVariable)}</p>
        ) : (
          field('key', w.api_key, { type: 'password', autocomplete: 'new-password' })
        ))}
      {typed.vendor && field('model', w.model_id, { type: 'text', list: `${id}l` })}
      <datalist id={`${id}l`}>
        {models.ids.value.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </div>
  );
}
