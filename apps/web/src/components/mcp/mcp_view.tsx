// SPDX-License-Identifier: Apache-2.0
// The MCP servers of the gateway: state, tools, last failure and log. An admin adds, pauses, restarts and removes servers, and logs in.

import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { App } from '../../app';
import type { McpServerValue } from '../../protocol';
import type { RequestOf } from '../../requests';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';

type Change = Omit<RequestOf<'mcp_change'>, 'type'>;
interface Panel {
  servers: Signal<readonly McpServerValue[] | undefined>;
  fault: Signal<string>;
  pages: Signal<Readonly<Record<string, string>>>; // addresses of login pages by server
  mayChange: boolean;
  change(change: Change, done?: () => void): void;
}

function usePanel(app: App): Panel {
  const servers = useSignal<readonly McpServerValue[] | undefined>(undefined);
  const fault = useSignal('');
  const pages = useSignal<Readonly<Record<string, string>>>({});
  const failed = (error: Error) => {
    fault.value = error.message;
  };
  const look = () =>
    app.ask(
      { type: 'mcp_servers' },
      (value) => {
        servers.value = value.servers;
      },
      failed,
    );
  const online = app.online.value;
  // Each change of a server is a change of its service.
  const { services, team } = app.state.value;
  useEffect(() => {
    if (online) look();
  }, [online, services]);
  return {
    servers,
    fault,
    pages,
    mayChange: !team || team.role === 'admin',
    change: (change, done) =>
      app.ask(
        { type: 'mcp_change', ...change },
        (value) => {
          fault.value = '';
          pages.value = { ...pages.peek(), [change.name]: value.login_page ?? '' };
          if (value.login_page) app.host.editor?.external(value.login_page);
          done?.();
          look();
        },
        failed,
      ),
  };
}

export function McpView() {
  const app = useApp();
  const panel = usePanel(app);
  useEffect(() => {
    app.navigation.at({ mcp: '' });
    return () => app.navigation.at(undefined);
  }, []);
  const servers = panel.servers.value;
  return (
    <div class="scroll">
      <div class="memory-page doctor-page">
        <p class="muted">{words().mcp_hint}</p>
        {panel.fault.value && (
          <p class="note bad" role="alert">
            {t.request_failed(panel.fault.value)}
          </p>
        )}
        {servers?.length === 0 && <p>{words().mcp_none}</p>}
        {servers?.map((server) => (
          <Server key={server.name} server={server} panel={panel} />
        ))}
        {panel.mayChange && <AddForm panel={panel} />}
      </div>
    </div>
  );
}

function Server({ server, panel }: { server: McpServerValue; panel: Panel }) {
  const w = words();
  const page = panel.pages.value[server.name] ?? '';
  const state = (w.mcp_states as Record<string, string>)[server.state] ?? server.state;
  return (
    <section aria-label={server.name}>
      <h2>
        {server.name} <span class="faint">{[state, server.address].filter(Boolean).join(' · ')}</span>
      </h2>
      {server.problem && <p class="note bad">{server.problem}</p>}
      {server.login_problem && <p class="note bad">{w.mcp_login_failed(server.login_problem)}</p>}
      {server.tools.length > 0 && (
        <details>
          <summary>{w.mcp_tools(server.tools.length)}</summary>
          <p>{server.tools.join(', ')}</p>
        </details>
      )}
      {server.log && server.log.length > 0 && (
        <details>
          <summary>{w.mcp_log}</summary>
          <pre>{server.log.join('\n')}</pre>
        </details>
      )}
      {server.login === 'waiting' && /^https?:\/\//.test(page) && (
        <p>
          <a href={page} target="_blank" rel="noopener noreferrer">
            {w.mcp_login_page}
          </a>
        </p>
      )}
      {panel.mayChange && <Buttons server={server} panel={panel} />}
    </section>
  );
}

function Buttons({ server, panel }: { server: McpServerValue; panel: Panel }) {
  const w = words();
  const { name, login } = server;
  const button = (action: Change['action'], text: string) => (
    <button type="button" class="small" aria-label={`${text}: ${name}`} onClick={() => panel.change({ action, name })}>
      {text}
    </button>
  );
  return (
    <div class="bar plain">
      {(login === 'missing' || login === 'waiting') && button('login', w.mcp_login)}
      {login === 'present' && button('logout', w.mcp_logout)}
      {server.state === 'paused' ? button('resume', w.mcp_resume) : button('pause', w.mcp_pause)}
      {button('restart', w.mcp_restart)}
      {server.stored && button('remove', w.mcp_remove)}
    </div>
  );
}

function AddForm({ panel }: { panel: Panel }) {
  const w = words();
  const name = useSignal('');
  const url = useSignal('');
  const field = (value: Signal<string>, label: string) => (
    <input
      type="text"
      required
      aria-label={label}
      placeholder={label}
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
  );
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        panel.change({ action: 'add', name: name.value.trim(), url: url.value.trim() }, () => {
          name.value = '';
          url.value = '';
        });
      }}
    >
      {field(name, w.mcp_name)}
      {field(url, w.mcp_url)}
      <button type="submit" class="primary">
        {w.mcp_add}
      </button>
    </form>
  );
}
