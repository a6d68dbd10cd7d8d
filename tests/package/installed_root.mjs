// SPDX-License-Identifier: Apache-2.0
// Empty Debian systems for tests of packages. debootstrap makes each system once; a test writes to an overlay.
// Needs root, and a kernel with overlay mounts.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const cache = process.env.PARLANCE_ROOTS ?? fileURLToPath(new URL('../../build/roots', import.meta.url));
mkdirSync(cache, { recursive: true });
const mirror = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';

/** The folder of an untouched system: a path, or a suite of Debian. debootstrap makes the system of a suite at first use. */
export function untouched(suite) {
  if (path.isAbsolute(suite)) return suite;
  const folder = path.join(cache, suite);
  if (existsSync(folder)) return folder;
  const unfinished = mkdtempSync(path.join(cache, `${suite}_`));
  execFileSync('debootstrap', ['--variant=minbase', suite, unfinished, mirror], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(unfinished, folder);
  return folder;
}

/** Lets the kernel start programs for arm64 with qemu-user-static. Returns a remedy if that is impossible. */
export function emulateArm64() {
  const kernel = '/proc/sys/fs/binfmt_misc';
  if (!existsSync(`${kernel}/register`)) execFileSync('mount', ['-t', 'binfmt_misc', 'binfmt_misc', kernel]);
  const programs = readdirSync(kernel).filter((name) => !['register', 'status'].includes(name));
  if (programs.some((name) => /aarch64/.test(readFileSync(`${kernel}/${name}`, 'utf8')))) return false;
  const about = '/usr/lib/binfmt.d/qemu-aarch64.conf';
  if (!existsSync(about)) return `needs ${about}: apt-get install qemu-user-static`;
  writeFileSync(`${kernel}/register`, readFileSync(about, 'utf8').trim());
  return false;
}

const enter = `
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
mount -t proc proc "$2/root/proc"
mount --rbind /dev "$2/root/dev"
for pair in $3; do
  if [ -d "\${pair%%:*}" ]; then mkdir -p "$2/root\${pair##*:}"; else : >>"$2/root\${pair##*:}"; fi
  mount --bind "\${pair%%:*}" "$2/root\${pair##*:}"
done
[ ! -e /etc/resolv.conf ] || cat /etc/resolv.conf >"$2/root/etc/resolv.conf"
cd "$2/root"
shift 3
# No exec: another user would clear the signal of --kill-child.
chroot "$@" || exit $?
exit 0`;

/** A system with changes in an own folder. `shared` maps folders of this machine to paths in the system. */
export class DebianRoot {
  #untouched;
  #shared;

  constructor(suite, shared = {}) {
    this.#untouched = untouched(suite);
    this.#shared = Object.entries(shared)
      .map((pair) => pair.join(':'))
      .join(' ');
    // Beside the systems, because a container's /tmp is an overlay, and no overlay holds the changes of another.
    this.folder = mkdtempSync(path.join(cache, 'changes_'));
    for (const name of ['upper', 'work', 'root']) mkdirSync(path.join(this.folder, name));
  }

  /** The words of a command in the system: as root, or as `user`. All mounts end with the command. */
  words(command, { user } = {}) {
    const identity = user ? [`--userspec=${user}`, '.'] : ['.'];
    return [
      'unshare',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-ec',
      enter,
      'enter',
      this.#untouched,
      this.folder,
      this.#shared,
      ...identity,
      ...command,
    ];
  }

  run(command, options = {}) {
    const [program, ...args] = this.words(command, options);
    return execFileSync(program, args, {
      encoding: 'utf8',
      env: environment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    });
  }

  start(command, options = {}) {
    const [program, ...args] = this.words(command, options);
    return spawn(program, args, { env: environment(options.env), stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** The path, on this machine, of a file written in the system. */
  written(file) {
    return path.join(this.folder, 'upper', file);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const environment = (more = {}) => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/home/ada',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
  ...more,
});
