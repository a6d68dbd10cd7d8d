// SPDX-License-Identifier: Apache-2.0
// Golden transcripts: sessions with a running program, one readable frame per line.
//
//   # a comment
//   + PATH TEXT       writes a file below the working folder; \n is a line end
//   $ [NAME=VALUE…] PROGRAM ARG…    starts a program of the build; frames are lines of its stdin and stdout
//   $ … &             starts a service and waits for its port, `export NAME=VALUE`, socket or file {ready}
//   @ ws PATH         opens a WebSocket to the service; frames are its text messages
//   @ tcp             connects to the service; frames are lines
//   @ http METHOD PATH  each `>` line is the body of a request; the answer ends with an empty frame
//   @ claude_ide, @ gemini_ide   the servers of `parlance editor serve`, with the tokens for CLIs
//   > FRAME           sends a frame; a JSON-RPC request then waits for the reply
//   = TEXT            waits for a frame with this text
//   < FRAME           an expected frame
//
// Values that differ between runs have names: {folder}, {session-1}, {uuid-1}, {time}, {number}, {version}. A name in a sent frame stands
// for the value of an earlier frame. With GOLDEN_UPDATE=1 the player writes the received frames into the file.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WebSocket } from '../web/modules.mjs';
import { Names, withoutGrouping } from './names.mjs';

const patienceMs = Number(process.env.PATIENCE ?? 20_000);

/** Received frames before their use. */
class Inbox {
  #frames = [];
  #waiting;
  #closed;

  put(frame) {
    this.#frames.push(frame);
    this.#waiting?.();
  }

  close(why) {
    this.#closed = why;
    this.#waiting?.();
  }

  async next(what) {
    const until = Date.now() + patienceMs;
    while (!this.#frames.length) {
      if (this.#closed) throw new Error(`${this.#closed()} while the transcript waits for ${what}`);
      const timer = setTimeout(() => this.#waiting?.(), Math.max(1, until - Date.now()));
      await new Promise((resolve) => {
        this.#waiting = resolve;
      });
      clearTimeout(timer);
      if (!this.#frames.length && Date.now() >= until)
        throw new Error(`no frame within ${patienceMs / 1000} s while the transcript waits for ${what}`);
    }
    return this.#frames.shift();
  }
}

function putLines(stream, inbox, why) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) inbox.put(line);
  });
  stream.on('close', () => inbox.close(why));
}

/** Waits until `ready` returns a value: looks after outputs of `child` and changes in `folder`. Throws `what` if `child` ends. */
function until(ready, child, folder, what) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const value = ready();
      if (value) end(resolve, value);
    };
    const fail = () => end(reject, new Error(what()));
    const patience = setTimeout(fail, patienceMs);
    const files = watch(folder, look);
    const end = (settle, value) => {
      clearTimeout(patience);
      files.close();
      child.off('exit', fail);
      for (const output of [child.stdout, child.stderr]) output.off('data', look);
      settle(value);
    };
    for (const output of [child.stdout, child.stderr]) output.on('data', look);
    child.on('exit', fail);
    look();
  });
}

/** A running transcript: folder, programs and open channel. */
class Play {
  #folder = realpathSync(mkdtempSync(join(tmpdir(), 'golden-')));
  #programs = [];
  #inbox = new Inbox();
  #channel;
  #port;
  #socket;
  #headers = {};
  #environment;
  #fixed;
  names;

  constructor(bin, version) {
    this.bin = bin;
    this.#fixed = [
      [join(this.#folder, 'work'), '{folder}'],
      [join(this.#folder, 'ready.json'), '{ready}'],
      [this.#folder, '{home}'],
      [`"${version}"`, '"{version}"'],
      [` ${version}`, ' {version}'],
    ];
    this.names = new Names(this.#fixed);
    for (const folder of ['work', 'tmp']) mkdirSync(join(this.#folder, folder));
    this.#environment = {
      PATH: '/usr/bin:/bin',
      HOME: this.#folder,
      TMPDIR: join(this.#folder, 'tmp'),
      PARLANCE_STATE: join(this.#folder, 'state'),
      PARLANCE_REHEARSAL_PACE_MS: '0',
      LANG: 'C.UTF-8',
    };
  }

  write(path, text) {
    const file = join(this.#folder, 'work', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('\\n', '\n'));
  }

  async start(line) {
    const words = this.names.show(line.replace(/ &$/, '')).split(' ');
    const environment = { ...this.#environment };
    for (; /^[A-Z_]+=/.test(words[0]); words.shift())
      environment[words[0].split('=', 1)[0]] = words[0].slice(words[0].indexOf('=') + 1);
    const child = spawn(join(this.bin, words[0]), words.slice(1), {
      cwd: join(this.#folder, 'work'),
      env: environment,
      stdio: 'pipe',
      detached: true,
    });
    this.#programs.push(child);
    child.stdin.on('error', () => {});
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
    if (!line.endsWith(' &')) {
      putLines(child.stdout, this.#inbox, () => `${words[0]} ended${told ? `: ${told}` : ''}`);
      this.#channel = (frame) => child.stdin.write(`${frame}\n`);
      return;
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
    await this.#ready(child, words, () => told);
  }

  async #ready(child, words, told) {
    const failure = () => `${words.join(' ')} is not ready: ${told()}`;
    const socket = words.find((word) => word.endsWith('.sock'));
    const file = words.includes('--ready-file') && join(this.#folder, 'ready.json');
    if (file) {
      await until(() => existsSync(file), child, this.#folder, failure);
      const { url, token } = JSON.parse(readFileSync(file, 'utf8'));
      this.#port = new URL(url).port;
      this.#headers = { authorization: `Bearer ${token}` };
      this.#fixed.push([token, '{token}']);
    } else if (words[1] === 'editor' || words[1] === 'rehearse') {
      const last = words[1] === 'editor' ? 'GEMINI_CLI_IDE_SERVER_PORT' : 'PARLANCE_EDITOR_TOKEN';
      await until(() => told().includes(`${last}=`) && told().endsWith('\n'), child, this.#folder, failure);
      for (const [, name, value] of told().matchAll(/^export (\w+)=(\S+)$/gm)) this.#environment[name] = value;
    } else if (socket) {
      this.#socket = socket;
      await until(() => told().includes('ready on '), child, this.#folder, failure);
    } else {
      this.#port = (await until(() => /127\.0\.0\.1:(\d+)/.exec(told()), child, this.#folder, failure))[1];
    }
    if (this.#port) this.#fixed.push([`127.0.0.1:${this.#port}`, '{address}']);
  }

  async open(line) {
    const [kind, first, second] = this.names.show(line).split(' ');
    this.#inbox = new Inbox();
    if (kind === 'ws') {
      await this.#openSocket(
        `ws://127.0.0.1:${this.#port}${first}`,
        ['parlance.v1', `token.${this.#headers.authorization?.slice(7)}`],
        {},
        withoutGrouping,
      );
    } else if (kind === 'claude_ide') {
      const port = this.#environment.CLAUDE_CODE_SSE_PORT;
      const lock = JSON.parse(readFileSync(join(this.#folder, '.claude/ide', `${port}.lock`), 'utf8'));
      await this.#openSocket(`ws://127.0.0.1:${port}`, ['mcp'], { 'x-claude-code-ide-authorization': lock.authToken });
    } else if (kind === 'gemini_ide') {
      this.#port = this.#environment.GEMINI_CLI_IDE_SERVER_PORT;
      const folder = join(this.#folder, 'tmp/gemini/ide');
      const { authToken } = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]), 'utf8'));
      this.#headers = { authorization: `Bearer ${authToken}` };
      this.#channel = (body) => this.#request('POST', '/mcp', body);
    } else if (kind === 'tcp') {
      const connection = net.connect(this.#socket ?? { port: this.#port, host: '127.0.0.1' });
      putLines(connection, this.#inbox, () => 'the service closed the connection');
      await new Promise((resolve, reject) => {
        connection.on('connect', resolve).on('error', reject);
      });
      this.#channel = (frame) => connection.write(`${frame}\n`);
    } else if (kind === 'http') {
      this.#channel = (body) => this.#request(first, second, body);
    } else {
      throw new Error(`unknown channel: ${line}`);
    }
  }

  async #openSocket(url, protocols, headers, split = (frame) => [frame]) {
    const inbox = this.#inbox;
    const connection = new WebSocket(url, protocols, { headers });
    connection.on('message', (data) => {
      for (const frame of split(String(data))) inbox.put(frame);
    });
    connection.on('close', () => inbox.close(() => 'the service closed the connection'));
    await new Promise((resolve, reject) => {
      connection.on('open', resolve).on('error', reject);
    });
    this.#channel = (frame) => connection.send(frame);
  }

  #request(method, path, body) {
    const inbox = this.#inbox;
    const headers = {
      ...this.#headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const request = http.request({ host: '127.0.0.1', port: this.#port, method, path, headers }, (answer) => {
      const session = answer.headers['mcp-session-id'];
      if (session) this.#headers['mcp-session-id'] = session;
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (piece) => {
          text += piece;
        })
        .on('end', () => {
          inbox.put(`${answer.statusCode} ${answer.headers['content-type'] ?? ''}`.trimEnd());
          for (const each of text.trimEnd().split('\n')) if (each) inbox.put(each);
          inbox.put('');
        });
    });
    request.on('error', (error) => inbox.close(() => String(error)));
    request.end(body || undefined);
  }

  send(frame) {
    this.#channel(this.names.show(frame));
  }

  async receive(what) {
    return this.names.hide(await this.#inbox.next(what));
  }

  /** Ends services in order, so that no child survives; after the patience by force. */
  async end() {
    for (const child of this.#programs.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGTERM');
      const force = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), patienceMs);
      await ended;
      clearTimeout(force);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isReplyTo(sent) {
  let request;
  try {
    request = JSON.parse(sent);
  } catch {
    return;
  }
  if (request.id === undefined || (request.method === undefined && request.cmd === undefined)) return;
  return (frame) => {
    try {
      const answer = JSON.parse(frame);
      return answer.id === request.id && answer.method === undefined;
    } catch {
      return false;
    }
  };
}

/** Plays the transcript and returns its lines with the received frames in the place of the expected ones. */
export async function played(file, bin, version) {
  const play = new Play(bin, version);
  const out = [];
  // Answers to the page's requests and events are independent of each other: the answers come first here.
  const isAnswer = (frame) => /^\{"type":"(done|failed)"/.test(frame);
  const readUntil = async (what, enough) => {
    const frames = [];
    do
      frames.push(
        await play.receive(what).catch((error) => {
          out.push(...frames);
          throw error;
        }),
      );
    while (!enough(frames.at(-1)));
    for (const frame of [...frames.filter(isAnswer), ...frames.filter((each) => !isAnswer(each))])
      out.push(frame ? `< ${frame}` : '<');
  };
  try {
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('<'));
    for (const [index, line] of lines.entries()) {
      out.push(line);
      const text = line.slice(2);
      if (line.startsWith('+ ')) play.write(text.split(' ', 1)[0], text.slice(text.indexOf(' ') + 1));
      else if (line.startsWith('$ ')) await play.start(text);
      else if (line.startsWith('@ ')) await play.open(text);
      else if (line.startsWith('= ')) await readUntil(text, (frame) => frame.includes(text));
      else if (line.startsWith('>')) {
        play.send(text);
        const httpCall = /^@ (http|gemini_ide)/.test(
          lines.slice(0, index).findLast((each) => /^[@$] /.test(each)) ?? '',
        );
        const reply = isReplyTo(text);
        if (httpCall) await readUntil('the end of the answer', (frame) => frame === '');
        else if (reply && !lines[index + 1]?.startsWith('= '))
          await readUntil(`the reply to ${text.slice(0, 80)}`, reply);
      } else if (line !== '' && !line.startsWith('#')) throw new Error(`${file}:${index + 1}: unknown line: ${line}`);
    }
    return out;
  } catch (error) {
    error.message += `\nuntil then:\n${out.join('\n')}`;
    throw error;
  } finally {
    await play.end();
  }
}
