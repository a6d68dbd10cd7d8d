// SPDX-License-Identifier: Apache-2.0
// Times, folders and numbers in readable form. Pure: the clock is an argument.

import type { Cost } from './protocol';
import { t } from './strings';

export const DAY_MS = 86_400_000;

/** A duration: as below, with tenths of a second below one second. */
export function took(ms: number): string {
  return ms > 0 && ms < 950 ? `${Math.max(1, Math.round(ms / 100)) / 10} s` : duration(ms);
}

/** `12 s`, `3 m 05 s`, `2 h 10 m`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} m ${String(s % 60).padStart(2, '0')} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} m`;
}

function midnight(ms: number): number {
  const d = new Date(ms);
  return new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();
}

/** The day of a time as a heading: today, yesterday, a weekday, a date. */
export function day(time: string, now: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '';
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (days <= 0) return t.today;
  if (days === 1) return t.yesterday;
  if (days < 7) return new Date(at).toLocaleDateString(t.locale, { weekday: 'long' });
  return new Date(at).toLocaleDateString(t.locale, { year: 'numeric', month: 'short', day: 'numeric' });
}

const days = new Map<string, Intl.DateTimeFormat>(); // by locale: making one takes longer than drawing a message

/** The time of an entry: `14:05`, on other days `Mar 4 · 14:05`. */
export function clock(time: string, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  const clocked = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (midnight(at.getTime()) === midnight(now)) return clocked;
  const form = days.get(t.locale) ?? new Intl.DateTimeFormat(t.locale, { month: 'short', day: 'numeric' });
  days.set(t.locale, form);
  return `${form.format(at)} · ${clocked}`;
}

/** The age of a time, in a word for the end of a line. */
export function ago(time: string, now: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '';
  const ms = now - at;
  if (ms < 60_000) return t.now;
  if (ms < 3_600_000) return t.minutes(Math.floor(ms / 60_000));
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (days <= 0) return t.hours(Math.floor(ms / 3_600_000));
  if (days < 7) return new Date(at).toLocaleDateString(t.locale, { weekday: 'short' });
  return new Date(at).toLocaleDateString(t.locale, { month: 'short', day: 'numeric' });
}

/** `/home/ann/code/engine` as `~/code/engine`. */
export function shortFolder(folder: string, home: string): string {
  const base = home.replace(/\/+$/, '');
  if (base && folder === base) return '~';
  if (base && folder.startsWith(base + '/')) return '~' + folder.slice(base.length);
  return folder;
}

/** The same for folders inside a sentence. */
export function shortPaths(text: string, home: string): string {
  const base = home.replace(/\/+$/, '');
  return base ? text.replaceAll(base + '/', '~/') : text;
}

/** Digits in groups of three with commas, as in the texts of the gateway, and the same in every locale. */
export function grouped(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function money(cost: Cost): string {
  const amount = cost.amount > 0 && cost.amount < 0.01 ? cost.amount.toFixed(4) : cost.amount.toFixed(2);
  return cost.currency === 'USD' ? `$${amount}` : `${amount} ${cost.currency}`;
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${(n / 1024).toFixed(0)} KiB`;
  return `${(n / 1024 / 1024).toFixed(1)} MiB`;
}

/** Joins a path of a conversation with its folder. */
export const joinFolder = (folder: string, path: string): string =>
  /^([/\\~]|[A-Za-z]:)/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path}`;
