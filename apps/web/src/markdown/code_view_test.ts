// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const coloured: string[] = [];
vi.mock('./highlight', () => ({
  highlightLater: (_: unknown, language: string, chars: number) => {
    coloured.push(`${language} ${chars}`);
  },
}));
const { CodeView } = await import('./code_view');
const { copyText } = await import('./clipboard');
const { editorAt } = await import('./code_actions');

/** As much of a document as a block of code needs. */
class Node {
  children: Node[] = [];
  className = '';
  textContent = '';
  tabIndex = -1;
  type = '';
  attributes: Record<string, string> = {};
  classList = {
    add: (name: string) => {
      this.className += ` ${name}`;
    },
  };
  onclick: () => void = () => {};
  constructor(readonly name: string) {}
  append(...nodes: Node[]): void {
    this.children.push(...nodes);
  }
  replaceChildren(): void {
    this.children = [];
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  appendData(text: string): void {
    this.textContent += text;
  }
  get text(): string {
    return this.textContent + this.children.map((node) => node.text).join('');
  }
  find(name: string): Node {
    return this.all(name)[0]!;
  }
  all(name: string): Node[] {
    return [...(this.name === name ? [this] : []), ...this.children.flatMap((node) => node.all(name))];
  }
}

let copied: string[];
let mayCopy: boolean;
const viewOf = (language = '') => {
  const view = new CodeView(language);
  return {
    view,
    element: view.element as unknown as Node,
    groups: () => (view.element as unknown as Node).find('code').children.map((node) => node.text),
  };
};

beforeEach(() => {
  vi.useFakeTimers();
  coloured.length = 0;
  copied = [];
  mayCopy = true;
  vi.stubGlobal('document', {
    createElement: (name: string) => new Node(name),
    createTextNode: () => new Node('#text'),
  });
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: (text: string) => {
        copied.push(text);
        return mayCopy ? Promise.resolve() : Promise.reject(new Error('no'));
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('A block of code', () => {
  test('grows by new text, in groups of whole lines', () => {
    const { view, groups } = viewOf();
    const lines = Array.from({ length: 120 }, (_, i) => `line ${i}\n`).join('');
    for (let end = 0; end <= lines.length; end += 37) view.grow(lines.slice(0, end));
    view.grow(lines);
    expect(groups().length).toBe(5);
    expect(groups().join('')).toBe(lines);
    expect(groups()[0]!.split('\n').length - 1).toBe(25);
    expect(groups()[1]!.startsWith('line 25\n')).toBe(true);
  });

  test('is the same for any division into pieces', () => {
    const text = 'a\n\nb\nno end';
    for (const piece of [1, 2, 5, 100]) {
      const { view, groups } = viewOf();
      for (let end = piece; end < text.length; end += piece) view.grow(text.slice(0, end));
      view.grow(text);
      expect(groups().join('')).toBe(text);
    }
  });

  test('a settled block omits terminal control codes', () => {
    const { view, groups } = viewOf('console');
    view.grow('\x1b[31mred\x1b[0m\n');
    view.settle('\x1b[31mred\x1b[0m\n');
    expect(groups().join('')).toBe('red\n');
    expect(coloured).toEqual(['console 13']);
  });

  test('without a language is not coloured', () => {
    viewOf().view.settle('x');
    expect(coloured).toEqual([]);
  });

  test('can be reached and named without a mouse', () => {
    const pre = viewOf('cpp').element.find('pre');
    expect(pre.tabIndex).toBe(0);
    expect(pre.attributes).toEqual({ role: 'region', 'aria-label': 'cpp' });
    expect(viewOf().element.find('pre').attributes['aria-label']).toBe('code');
  });

  test('is copied whole, and says so for a moment', async () => {
    const { view, element } = viewOf();
    view.grow('all of it\n');
    const button = element.all('button').at(-1)!;
    const before = button.textContent;
    button.onclick();
    await vi.advanceTimersByTimeAsync(0);
    expect(copied).toEqual(['all of it\n']);
    expect(button.textContent).not.toBe(before);
    await vi.advanceTimersByTimeAsync(1500);
    expect(button.textContent).toBe(before);
  });

  test('can be inserted into an editor, if present', () => {
    const put: string[] = [];
    editorAt.insert = (text) => put.push(text);
    const { view, element } = viewOf();
    delete editorAt.insert;
    view.grow('all of it');
    expect(element.all('button').length).toBe(3);
    element.all('button')[1]!.onclick();
    expect(put).toEqual(['all of it']);
    expect(viewOf().element.all('button').length).toBe(2);
  });

  test('a forbidden copy is not reported as copied', async () => {
    mayCopy = false;
    const { element } = viewOf();
    const button = element.all('button').at(-1)!;
    const before = button.textContent;
    button.onclick();
    await vi.advanceTimersByTimeAsync(0);
    expect(button.textContent).toBe(before);
    expect(await copyText('x')).toBe(false);
  });
});
