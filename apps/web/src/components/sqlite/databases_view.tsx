// SPDX-License-Identifier: Apache-2.0
// Databases of parlance's machine: the choice of a database, then its contents.

import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { HostGateway } from '../../host';
import { PageViewer, type Asking } from '../../sqlite/page_viewer';
import { sizeText } from '../../sqlite/wire';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { saveBlob } from '../sent_files';
import { Viewer } from './viewer';
import style from './viewer.css?inline';
import gridStyle from './viewer_grid.css?inline';

// Adopted, so that the first load excludes this style sheet.
const sheet = new CSSStyleSheet();
sheet.replaceSync(style + gridStyle);
document.adoptedStyleSheets.push(sheet);

interface Offered {
  path: string;
  bytes: number;
  named: boolean;
}

const EXAMPLE = '/home/ada/notes.db';
const RECENT = 'parlance.databases';
const RECENT_MOST = 8;

/** The open database. Outlives this view, so that unsaved edits survive a look at a conversation. */
const open = signal<PageViewer | undefined>(undefined);
const recent = signal<readonly string[]>(readRecent());
addEventListener('beforeunload', (event) => {
  if (open.peek()?.unsaved) event.preventDefault();
});

function readRecent(): string[] {
  try {
    return (JSON.parse(localStorage.getItem(RECENT) ?? '[]') as unknown[]).filter((path) => typeof path === 'string');
  } catch {
    return [];
  }
}
function keepRecent(paths: readonly string[]): void {
  recent.value = paths.slice(0, RECENT_MOST);
  try {
    localStorage.setItem(RECENT, JSON.stringify(recent.value));
  } catch {
    /*
     * storage is forbidden: the list lasts as long as this
     * page
     */
  }
}

export function DatabasesView() {
  const app = useApp();
  const gateway = app.host.gateway!;
  const wanted = app.navigation.database.value;
  useEffect(() => {
    if (wanted === open.peek()?.path) return;
    open.peek()?.close();
    open.value = wanted ? new PageViewer(wanted, gateway, saveBlob) : undefined;
  }, [wanted]);
  useEffect(() => {
    app.navigation.at({ sqlite: wanted });
  }, [wanted]);
  useEffect(() => () => app.navigation.at(undefined), []);
  const viewer = open.value;
  return viewer?.path === wanted && wanted ? <Opened key={wanted} viewer={viewer} /> : <Choose gateway={gateway} />;
}

function Opened({ viewer }: { viewer: PageViewer }) {
  const app = useApp();
  const w = words();
  const { store } = viewer;
  // Lists paths that were opened successfully, and no misspelt paths.
  useEffect(
    () =>
      store.subscribe(() => {
        if (store.schema && recent.peek()[0] !== viewer.path)
          keepRecent([viewer.path, ...recent.peek().filter((path) => path !== viewer.path)]);
      }),
    [viewer],
  );
  const leave = () => {
    if (!viewer.unsaved) app.navigation.database.value = '';
    else
      viewer.asking.value = {
        title: w.waiting_edits,
        detail: '',
        answers: [w.discard],
        answer: (chosen) => {
          viewer.asking.value = undefined;
          if (chosen) app.navigation.database.value = '';
        },
      };
  };
  return (
    <div class="database">
      <div class="bar path">
        <code title={viewer.path}>{viewer.path}</code>
        <button type="button" class="small" onClick={leave}>
          {w.open_again}
        </button>
      </div>
      <Viewer store={store} />
      {viewer.asking.value && <AskingDialog key={viewer.asking.value.title} asking={viewer.asking.value} />}
    </div>
  );
}

function AskingDialog({ asking }: { asking: Asking }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="asking"
      aria-label={asking.title}
      onClose={() => asking.answer(dialog.current!.returnValue || undefined)}
    >
      <form method="dialog">
        <p>
          <b>{asking.title}</b>
        </p>
        {asking.detail && <pre tabIndex={0}>{asking.detail}</pre>}
        <div class="bar plain">
          <span class="grow" />
          <button type="button" onClick={() => dialog.current!.close('')}>
            {t.cancel}
          </button>
          {asking.answers.map((answer) => (
            <button key={answer} type="submit" value={answer} class="primary">
              {answer}
            </button>
          ))}
        </div>
      </form>
    </dialog>
  );
}

function Choose({ gateway }: { gateway: HostGateway }) {
  const app = useApp();
  const w = words();
  const offered = useSignal<readonly Offered[]>([]);
  const fault = useSignal('');
  const online = app.online.value;
  useEffect(() => {
    if (online)
      gateway.read('/databases').then(
        (told) => {
          offered.value = (told as { databases: Offered[] }).databases;
        },
        (error: Error) => {
          fault.value = t.request_failed(error.message);
        },
      );
  }, [online]);
  const show = (path: string) => {
    fault.value = path === '' ? w.path_missing : path.startsWith('/') ? '' : w.path_relative;
    if (!fault.value) app.navigation.database.value = path;
  };
  const { value } = offered;
  const size = (path: string) => value.find((database) => database.path === path)?.bytes;
  return (
    <div class="scroll">
      <div class="memory-page databases-page">
        <p class="muted">{w.databases_hint}</p>
        <PathForm fault={fault} onChoose={show} />
        {fault.value && (
          <p class="note bad" role="alert">
            {fault.value}
          </p>
        )}
        <Paths
          name={w.recent}
          paths={recent.value}
          size={size}
          onChoose={show}
          onForget={(path) => keepRecent(recent.peek().filter((known) => known !== path))}
        />
        <Paths
          name={w.configured}
          paths={value.filter((database) => database.named).map((database) => database.path)}
          size={size}
          onChoose={show}
        />
        <Paths
          name={w.in_folders}
          paths={value
            .filter((database) => !database.named && !recent.value.includes(database.path))
            .map((database) => database.path)}
          size={size}
          onChoose={show}
        />
      </div>
    </div>
  );
}

function PathForm({ fault, onChoose }: { fault: Signal<string>; onChoose: (path: string) => void }) {
  const w = words();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current!.focus({ preventScroll: true });
  }, []);
  return (
    <form
      class="bar plain"
      onSubmit={(e) => {
        e.preventDefault();
        onChoose(field.current!.value.trim());
      }}
    >
      <input
        ref={field}
        type="text"
        class="path"
        aria-label={w.path}
        placeholder={EXAMPLE}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={() => {
          fault.value = '';
        }}
      />
      <button type="submit" class="primary">
        {w.open}
      </button>
    </form>
  );
}

interface PathsProps {
  name: string;
  paths: readonly string[];
  size: (path: string) => number | undefined;
  onChoose: (path: string) => void;
  onForget?: (path: string) => void;
}

function Paths({ name, paths, size, onChoose, onForget }: PathsProps) {
  if (paths.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <button type="button" class="link" title={path} onClick={() => onChoose(path)}>
              <bdi>{path}</bdi>
            </button>
            <span class="faint">{size(path) !== undefined && sizeText(size(path)!)}</span>
            {onForget && (
              <button
                type="button"
                class="quiet small"
                aria-label={words().forget_path(path)}
                onClick={() => onForget(path)}
              >
                ✕
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
