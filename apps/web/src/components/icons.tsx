// SPDX-License-Identifier: Apache-2.0
// Small line drawings in the colour of the text. All are decoration: the words beside them say the same.

const SHAPES = {
  brand: 'M2 5h8M14 5h2M2 9h2M8 9h8M2 13h10',
  check: 'M4 9.5l3.5 3.5L14 5.5',
  cross: 'M5 5l8 8M13 5l-8 8',
  ring: 'M9 4a5 5 0 1 0 0 10a5 5 0 1 0 0-10',
  half: 'M9 4a5 5 0 1 0 0 10a5 5 0 1 0 0-10M9 7.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6',
  pause: 'M6.5 5v8M11.5 5v8',
  chevron: 'M7 5l4 4l-4 4',
  menu: 'M3 5h12M3 9h12M3 13h12',
  more: 'M4 9h.01M9 9h.01M14 9h.01',
  memory: 'M5 3h8v12l-4-3l-4 3z',
  table: 'M3 4h12v10H3zM3 7.5h12M3 11h12M7.5 7.5V14',
  usage: 'M3 15h12M5 12V9M9 12V4M13 12V7',
  down: 'M9 4v9M5 9.5l4 4l4-4',
  clip: 'M14.5 8.2l-5.6 5.6a3.2 3.2 0 0 1-4.6-4.6l6-6a2.2 2.2 0 0 1 3.1 3.1l-5.8 5.8a1.1 1.1 0 0 1-1.6-1.6l5.2-5.2',
  settings: 'M3 5.5h6M13 5.5h2M11 3.7v3.6M3 12.5h2M9 12.5h6M7 10.7v3.6',
  file: 'M10.5 2.5h-6v13h9v-10zM10.5 2.5v3h3',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class={`icon icon-${name}`}
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
