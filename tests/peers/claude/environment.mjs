// SPDX-License-Identifier: Apache-2.0
// The environment of the real Claude Code and of `parlance serve-claude` with the same scripted model. `base`: a folder with home/ and key.
import path from 'node:path';

export const environmentOf = (base, model) => ({
  PATH: process.env.PATH,
  HOME: path.join(base, 'home'),
  TMPDIR: base,
  IS_SANDBOX: '1',
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'dummy',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
  PARLANCE_SERVE_AGENT: 'parlance',
  PARLANCE_MODEL: 'anthropic',
  PARLANCE_MODEL_URL: model.url,
  PARLANCE_MODEL_NAME: 'claude-sonnet-4-5',
  PARLANCE_MODEL_KEY_FILE: path.join(base, 'key'),
  PARLANCE_STATE: path.join(base, 'state'),
});
