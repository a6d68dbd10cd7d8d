// SPDX-License-Identifier: Apache-2.0
// Shown instead of everything else while the host does not accept us.

import { useRef } from 'preact/hooks';
import { tokenIn, WebSocketHost } from '../host';
import { t } from '../strings';
import { useApp } from './context';
import { Icon } from './icons';

export function TokenPage({ why }: { why: 'missing' | 'wrong' }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <main class="token-page">
      <div class="brand">
        <Icon name="brand" />
        {t.app}
      </div>
      <h1>{t.token_title}</h1>
      <p role="alert">{why === 'wrong' ? t.token_wrong : t.token_missing}</p>
      <p>
        {t.token_where} <code>parlance up</code>: {t.token_prints}
      </p>
      <pre class="example">{location.origin}/#token=…</pre>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const token = tokenIn(input.current!.value);
          if (token && app.host instanceof WebSocketHost) app.host.setToken(token);
        }}
      >
        <label>
          <span>{t.token_field}</span>
          <input ref={input} type="password" autocomplete="off" spellcheck={false} autofocus required />
        </label>
        <button type="submit" class="primary">
          {t.token_connect}
        </button>
      </form>
    </main>
  );
}
