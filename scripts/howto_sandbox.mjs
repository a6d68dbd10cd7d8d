// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of a documentation page in a folder of its own: home, runtime and working folder, stubs, and at most one gateway.
// Servers with an address in the page start at their first use, on a free port, and end with the sandbox.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Postgres } from './cluster/postgres.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = realpathSync(process.env.PARLANCE ?? path.join(root, 'build/release/bin/parlance'));
const longestMs = 40_000; // for the start of a service
const longestBlockMs = 100_000;

const installed = path.join(
  process.env.PARLANCE_PEERS ?? path.join(root, '.peers'),
  'claude-cli/node_modules/@anthropic-ai/claude-code/cli.js',
);
const claude = existsSync(installed) ? installed : '';

const answer = JSON.stringify({ turns: [{ steps: [{ say: 'Two files.' }] }] });
const agent = 'parlance serve-acp --model rehearsal --scenario "$HOME/answer.json"';
const inPlace = 'env PARLANCE_SCENARIO="$HOME/answer.json" parlance serve-claude "$@"';
// Programs of other projects. npm and apt-get install nothing, an ACP agent is parlance's own ACP server, and without an installed
// Claude Code parlance takes its place.
const stubs = {
  'apt-get': 'exit 0',
  claude: claude ? `exec node ${claude} "$@"` : `[ "$1" = mcp ] || exec ${inPlace}`,
  'codex-acp': `exec ${agent}`,
  curl: `case "$*" in *https://parlance.example.org*) set -- --unix-socket "$HOME/nginx/https.sock" --cacert parlance.pem "$@" ;; esac
PATH=\${PATH#"$HOME/bin:"} exec curl "$@"`,
  gemini: `exec ${agent}`,
  make: 'echo "main.cpp:1:1: error: expected a type"',
  'my-agent': `echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1"}}'
read -r answer
case $answer in *result*) ;; *) exit 1 ;; esac`,
  nginx: 'PATH=${PATH#"$HOME/bin:"}:/usr/sbin exec nginx -p "$HOME/nginx" -c "$HOME/nginx/nginx.conf" "$@"',
  npm: 'exit 0',
  pass: 'echo key',
  qwen: `exec ${agent}`,
  systemctl: 'exit 0',
};
// A program for Node: the words of its command line go to the command.
const nodeProgram = (command) => `const { status } = require('node:child_process').spawnSync(
  'sh', ['-c', ${JSON.stringify(`exec ${command}`)}, 'sh', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status);
`;

const nginx = `${process.getuid() === 0 ? 'user root;' : ''}
pid nginx.pid;
error_log stderr notice;
events {}
http {
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  access_log off;
  include conf.d/*.conf;
}
`;

// The output of a ready service. The first group is its address.
const ready = [
  [/\bparlance up\b/, /gateway +ready +http:\/\/(\S+?)\/ [\s\S]*\(its token is kept in (.+)\)/],
  [/\bparlance (?:agent|embed|rpc serve)\b/, /ready on (?:http:\/\/)?([^/,\s]+)/],
  [/\bparlance serve-acp\b/, /listening on ws:\/\/([^/]+)/],
  [/\bparlance rehearse editor\b/, /PARLANCE_EDITOR_TOKEN=(\S+)/],
  [/\bparlance editor serve\b/, /GEMINI_CLI_IDE_SERVER_PORT=(\S+)/],
  [/\bparlance runner\b/, /is connected to (\S+),/],
  [/\bmock-anthropic\b/, /"url":"http:\/\/([^"]+)"/],
  [/\bnginx\b/, /start worker process (\d+)/],
];

// Placeholder of a page: the command of its server, and the text in its place.
const servers = {
  '127.0.0.1:8090': [`${agent} --port 0`, (address) => address],
  '127.0.0.1:8080': ['parlance embed', (address) => address],
  '127.0.0.1:11434': ['parlance embed', (address) => address],
  'https://api.openai.com': ['parlance embed', (address) => `http://${address}`],
  'https://parlance.example.org/ready': ["nginx -g 'daemon off;'", () => 'https://parlance.example.org/ready'],
};
const database = 'postgresql://parlance:PASSWORD@db.example.org/parlance?sslmode=verify-full';

const claudeSettings = {
  ANTHROPIC_API_KEY: 'sk-of-a-test-00000000',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  IS_SANDBOX: '1',
};

// A chat outside of a pipe receives a typed prompt.
const typing = `parlance() {
  if [[ $1 == chat && ! -p /dev/stdin ]]; then command parlance "$@" <<<'what does this folder hold?'; else command parlance "$@"; fi
}
`;

// The missing program of a script, as a reason to skip the script, or ''.
export function missing(script) {
  const has = (name) =>
    (process.env.PATH + ':/usr/sbin').split(':').some((folder) => existsSync(path.join(folder, name)));
  const absent = ['nginx', 'caddy', 'sqlite3'].find(
    (name) => new RegExp(`(?:^ *|sudo |[|&;] )${name}(?: |$)`, 'm').test(script) && !has(name),
  );
  if (absent) return `there is no ${absent}: apt-get install ${absent}`;
  if (script.includes('https://parlance.example.org/ready') && !has('nginx'))
    return 'there is no nginx: apt-get install nginx';
  return script.includes(database) ? Postgres.missing() : '';
}

// A started command.
class Service {
  constructor(script, options) {
    this.script = script;
    this.output = '';
    this.child = spawn('bash', ['-euo', 'pipefail', '-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.end = once(this.child, 'close');
  }

  // The match of the expression in the output.
  async until(expression) {
    const found = new Promise((resolve) => {
      for (const stream of [this.child.stdout, this.child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          this.output += text;
          const match = expression.exec(this.output);
          if (match) resolve(match);
        });
    });
    const late = setTimeout(() => this.child.kill('SIGKILL'), longestMs);
    const match = await Promise.race([found, this.end.then(() => undefined)]);
    clearTimeout(late);
    assert.ok(match, `not ready: ${this.script}\n${this.output}`);
    return match;
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.end;
  }
}

// A value for each named variable with a key. Other blocks run without keys.
const keysOf = (script) =>
  Object.fromEntries([...script.matchAll(/--key-env (\w+)/g)].map(([, name]) => [name, 'key']));

export class Sandbox {
  constructor() {
    this.home = mkdtempSync(path.join(realpathSync(tmpdir()), 'howto-'));
    this.work = this.at('work');
    this.services = [];
    this.addresses = {};
    for (const folder of ['run', 'work', 'bin', 'src/shop', 'src/site', 'nginx/conf.d', 'work/packaging/nginx'])
      mkdirSync(this.at(folder), { recursive: true, mode: 0o700 });
    const written = {
      'answer.json': answer,
      'nginx/nginx.conf': nginx,
      'work/main.cpp': 'int main() { return 0; }\n',
      'work/prompt.txt': 'list\n',
      'work/my-agent.js': nodeProgram(agent),
      'claude.js': nodeProgram(inPlace),
    };
    for (const [name, text] of Object.entries(written)) writeFileSync(this.at(name), text);
    for (const [name, script] of Object.entries(stubs)) this.stub(name, script);
    symlinkSync(program, this.at('bin/parlance'));
    this.env = {
      HOME: this.home,
      XDG_RUNTIME_DIR: this.at('run'),
      TMPDIR: this.home,
      PATH: `${this.at('bin')}:${path.dirname(program)}:${process.env.PATH}`,
      LC_ALL: 'C.UTF-8',
      PARLANCE_LISTEN: '127.0.0.1:0',
      PARLANCE_EMBED_LISTEN: '127.0.0.1:0',
      PARLANCE_AGENT_SOCKET_LINK: 'none',
    };
  }
  at(name) {
    return path.join(this.home, name);
  }
  stub(name, script) {
    writeFileSync(this.at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Starts a command and waits for its ready output. Printed `export` lines count for later blocks, as in the terminals of an editor. */
  async serve(script) {
    const expression = ready.find(([command]) => command.test(script))?.[1];
    assert.ok(expression, `this test does not know the output of a ready service: ${script}`);
    const service = new Service(script, { cwd: this.work, env: { ...this.env, ...keysOf(script) } });
    this.services.push(service);
    const match = await service.until(expression);
    for (const [, name, value] of service.output.matchAll(/^export (\w+)=(\S+)$/gm)) this.env[name] = value;
    return { service, match };
  }

  async startGateway(script = 'exec parlance up') {
    await this.stopGateway();
    const { service, match } = await this.serve(script);
    this.gateway = service;
    this.env.PARLANCE_TOKEN = readFileSync(match[2], 'utf8').trim();
    this.addresses['127.0.0.1:55003'] = match[1];
  }
  async stopGateway() {
    await this.gateway?.stop();
    this.gateway = undefined;
    delete this.env.PARLANCE_TOKEN;
  }

  async startServers(script) {
    for (const [placeholder, [command, text]] of Object.entries(servers))
      if (script.includes(placeholder) && !(placeholder in this.addresses))
        this.addresses[placeholder] = text((await this.serve(`exec ${command}`)).match[1]);
    if (script.includes(database) && !this.database) {
      chmodSync(this.home, 0o711); // the database's account passes through
      this.database = await Postgres.start(this.at('database'));
      this.addresses[database] = this.database.address();
    }
  }

  /** Before the first gateway of a page that uses Claude Code: its settings, with a fake model. */
  async connectClaude() {
    if (!claude) return;
    const model = path.join(root, 'tests/peers/models/mock-anthropic/server.mjs');
    const [, address] = (await this.serve(`exec node ${model} --port 0`)).match;
    Object.assign(this.env, claudeSettings, { ANTHROPIC_BASE_URL: `http://${address}` });
  }

  /** The script with this sandbox in place of the machine that the page names. */
  translated(script) {
    const gateway = this.addresses['127.0.0.1:55003'] ?? '';
    const texts = {
      ...this.addresses,
      'build/release/bin/': '',
      'Bearer TOKEN': `Bearer ${this.env.PARLANCE_TOKEN}`,
      'PARLANCE_TOKEN=…': `PARLANCE_TOKEN=${this.env.PARLANCE_TOKEN}`,
      'wss://HOST': `ws://${gateway}`,
      'wss://parlance.example.org': `ws://${gateway}`,
      './run --model': 'parlance up --model',
      '/etc/nginx': this.at('nginx'),
      '/opt/claude-code/cli.js': claude || this.at('claude.js'),
      '/tmp/ocg-agent.sock': this.at('run/parlance/agent.sock'),
      '/tmp/x.sock': this.at('x.sock'),
    };
    return Object.entries(texts).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  }

  // The proxy's configuration and certificate for this gateway, with a Unix socket in place of port 443.
  installProxy() {
    const text = readFileSync(path.join(root, 'packaging/nginx/parlance.conf'), 'utf8')
      .replace('listen 443 ssl', `listen unix:${this.at('nginx/https.sock')} ssl`)
      .replace('127.0.0.1:55003', this.addresses['127.0.0.1:55003'])
      .replaceAll('/etc/nginx', this.at('nginx'));
    writeFileSync(this.at('work/packaging/nginx/parlance.conf'), text);
    const name = ['-subj', '/CN=parlance.example.org', '-addext', 'subjectAltName=DNS:parlance.example.org'];
    const files = ['-keyout', 'parlance.key', '-out', 'parlance.pem'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...name, ...files], {
      cwd: this.work,
      stdio: 'ignore',
    });
  }

  /** Each command of the block as a service. Other lines before a command (`export …`) belong to it. */
  async serveBlock(lines) {
    let before = '';
    for (const line of lines)
      if (/^export /.test(line)) before += `${line}\n`;
      else {
        const script = this.translated(`${before}exec env ${line}`);
        if (/\bparlance up\b/.test(script)) await this.startGateway(script);
        else await this.serve(script);
      }
  }

  async run({ script, lines, gateway, service }) {
    if (!gateway) await this.stopGateway();
    await this.startServers(script);
    if (gateway && !this.gateway) await this.startGateway();
    if (script.includes('packaging/nginx')) this.installProxy();
    if (service) return this.serveBlock(lines);
    const here = typing + this.translated(script);
    const block = new Service(here, {
      cwd: this.work,
      env: { ...this.env, ...keysOf(script) },
      timeout: longestBlockMs,
    });
    for (const output of [block.child.stdout, block.child.stderr])
      output.setEncoding('utf8').on('data', (piece) => (block.output += piece));
    const [code, signal] = await block.end;
    assert.equal(code, 0, `${signal ?? `exit code ${code}`}: ${here}\n${block.output}`);
    return block.output;
  }

  async remove() {
    for (const service of this.services.reverse()) await service.stop();
    await this.database?.kill();
    rmSync(this.home, { recursive: true });
  }
}
