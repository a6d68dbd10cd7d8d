#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts a program of the package for this platform. Signals and the exit status pass through, and no program outlives the launcher.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { name, parlance } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const platform = `${process.platform}-${process.arch}`;
const loader = { 'linux-x64': '/lib64/ld-linux-x86-64.so.2', 'linux-arm64': '/lib/ld-linux-aarch64.so.1' }[platform];

function stop(failure) {
  console.error(`${name}: ${failure}`);
  process.exit(1);
}

function findProgram() {
  if (!loader)
    stop(
      `does not run on ${platform}: only linux-x64 and linux-arm64 exist. Use a Linux machine, or WSL 2 on Windows.`,
    );
  if (!existsSync(loader))
    stop(`needs glibc 2.34 or newer, and ${loader} does not exist. Use a distribution with glibc.`);
  try {
    const about = createRequire(import.meta.url).resolve(`parlance-${platform}/package.json`);
    return path.join(path.dirname(about), 'bin', parlance.program);
  } catch {
    return stop(
      `the package parlance-${platform} is not installed. Install again without --omit=optional: npm install ${name}`,
    );
  }
}

const program = findProgram();
const args = process.argv.slice(2);
// Newer versions of Node become the program. Older versions start a child, which the kernel ends if the launcher is killed.
if (process.execve) {
  process.removeAllListeners('warning'); // "execve is an experimental feature"
  process.execve(program, [program, ...args], process.env);
}
const guard = ['/usr/bin/setpriv', '/bin/setpriv'].find((each) => existsSync(each));
const command = guard ? [guard, '--pdeathsig', 'TERM', program] : [program];
// Before the start: a signal can arrive as soon as the program runs.
const signals = ['SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR2', 'SIGINT'];
for (const signal of signals) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the launcher and to the program.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
const child = spawn(command[0], [...command.slice(1), ...args], { stdio: 'inherit' });
child.on('error', (error) =>
  stop(`${program} does not start: ${error.message}. Install the package again: npm install ${name}`),
);
child.on('exit', (code, signal) => {
  for (const each of signals) process.removeAllListeners(each);
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
});
