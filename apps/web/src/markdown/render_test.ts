// SPDX-License-Identifier: Apache-2.0
// The rendering of markdown in text form: everything between < and > here is an element of the renderer. tests/web checks the same in a
// browser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from './blocks';
import { definitionsIn, renderMarkdown } from './render';

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** The part of a document that the renderer needs. Parsing as HTML fails. */
class Node {
  readonly children: (Node | string)[] = [];
  readonly attributes: Record<string, string> = {};
  constructor(readonly name: string) {}
  get tagName() {
    return this.name.toUpperCase();
  }
  get firstElementChild() {
    return this.children.find((child) => typeof child !== 'string');
  }
  setAttribute(name: string, value: string) {
    this.attributes[name] = value;
  }
  append(...nodes: (Node | string)[]) {
    this.children.push(...nodes);
  }
  prepend(...nodes: (Node | string)[]) {
    this.children.unshift(...nodes);
  }
  set innerHTML(html: string) {
    if (this.name !== 'textarea' || !/^&[#\w]+;$/.test(html)) throw new Error(`${html} was read as HTML`);
    this.value = ({ '&copy;': '©', '&#60;': '<', '&lt;': '<', '&amp;': '&' } as Record<string, string>)[html] ?? html;
  }
  value = '';
  get html(): string {
    const inner = this.children.map((child) => (typeof child === 'string' ? escape(child) : child.html)).join('');
    if (this.name === '') return inner;
    return `<${this.name}${Object.entries(this.attributes)
      .map(([key, value]) => ` ${key}="${escape(value)}"`)
      .join('')}>${inner}</${this.name}>`;
  }
}

const before = (globalThis as { document?: unknown }).document;
beforeAll(() => {
  (globalThis as { document?: unknown }).document = {
    createElement: (name: string) => new Node(name),
    createDocumentFragment: () => new Node(''),
  };
});
afterAll(() => {
  (globalThis as { document?: unknown }).document = before;
});
const html = (text: string, links?: Parameters<typeof renderMarkdown>[1]) =>
  (renderMarkdown(text, links) as unknown as Node).html.trim();

describe('Raw HTML', () => {
  test('is text in any case', () => {
    for (const raw of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<b>bold</b>',
      '<!-- comment -->',
      '<svg/onload=x>',
      '<a href="javascript:x">y</a>',
      '<pre><b>x</b></pre>',
    ]) {
      expect(html(raw)).not.toMatch(/<(?!\/?p>)/);
      expect(html(`before ${raw} behind`)).not.toMatch(/<(?!\/?p>)/);
      expect(html(`- ${raw}`)).not.toMatch(/<(?!\/?(?:ul|li|p)>)/);
      expect(html(`# ${raw}`)).not.toMatch(/<(?!\/?h2>)/);
      expect(html(`> ${raw}`)).not.toMatch(/<(?!\/?(?:blockquote|p)>)/);
      expect(html(`| ${raw.replaceAll('|', '')} |\n|---|\n| ${raw} |`)).not.toMatch(
        /<(?!\/?(?:table|thead|tbody|tr|th|td|p)>)/,
      );
    }
  });
  test('is shown unchanged', () => {
    expect(html('a <b title="x">c</b>')).toBe('<p>a &lt;b title=&quot;x&quot;&gt;c&lt;/b&gt;</p>');
  });
  test('inside code is code', () => {
    expect(html('`<b>`')).toBe('<p><code>&lt;b&gt;</code></p>');
    expect(html('```\n<script>\n```')).toContain('&lt;script&gt;');
  });
  test('by the names of its characters is text, too', () => {
    expect(html('&copy; &lt;b&gt; &#60;i>')).toBe('<p>© &lt;b&amp;gt; &lt;i&gt;</p>');
    expect(html('`&copy;`')).toBe('<p><code>&amp;copy;</code></p>');
  });
});

describe('Links', () => {
  test('lead to the web or to a letter, in a page of their own', () => {
    expect(html('[x](https://host/a?b=1&c=2)')).toBe(
      '<p><a href="https://host/a?b=1&amp;c=2" title="https://host/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">x</a></p>',
    );
    expect(html('[x](mailto:a@b.example)')).toContain('<a href="mailto:a@b.example"');
    expect(html('https://host/')).toContain('<a href="https://host/"');
    expect(html('[**x** y](https://host/)')).toContain('><strong>x</strong> y</a>');
  });
  test('to other sites are reported and not made', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '/relative',
      '#part',
      'ftp://host/',
    ])
      expect(html(`[x](${href})`)).not.toContain('<a ');
    expect(html('[x](javascript:alert\\(1\\))')).toContain('x <code>javascript:alert(1)</code>');
    expect(html('[/src/a.ts](/src/a.ts)')).toBe('<p><code>/src/a.ts</code></p>');
  });
  test('cannot break out of their attribute', () => {
    expect(html('[x](https://host/"onmouseover="alert)')).not.toMatch(/"onmouseover/);
    expect(html('<https://host/"x>')).not.toContain('"x"');
  });
  test('have the addresses defined in the whole text', () => {
    const text = 'see [the manual][m] and [m]\n\nmore\n\n[m]: https://host/manual';
    const links = definitionsIn(text);
    expect(Object.keys(links)).toEqual(['m']);
    expect(html('see [the manual][m]', links)).toContain('<a href="https://host/manual"');
    expect(html('see [the manual][m]')).not.toContain('<a ');
  });
  test('a definition is held to the same rule', () => {
    expect(html('[x][m]', definitionsIn('[m]: javascript:alert(1)'))).not.toContain('<a ');
  });
});

describe('Pictures', () => {
  test('are links: no image is fetched without a request', () => {
    const made = html('![a cat](https://host/cat.png)');
    expect(made).not.toContain('<img');
    expect(made).toContain('<a href="https://host/cat.png"');
    expect(made).toContain('a cat');
    expect(html('![<b>](https://host/x)')).not.toContain('<b>');
    expect(html('![x](data:image/png;base64,AAAA)')).not.toMatch(/<(?:img|a) /);
  });
});

describe('Text', () => {
  test('has its headings a level lower: the first belongs to the page', () => {
    expect(html('# a')).toBe('<h2>a</h2>');
    expect(html('###### a')).toBe('<h6>a</h6>');
  });
  test('has checked and unchecked boxes', () => {
    expect(html('- [x] done\n- [ ] open')).toBe('<ul><li class="task">☑ done</li><li class="task">☐ open</li></ul>');
    expect(html('- [x] done\n\n- [ ] open')).toBe(
      '<ul><li class="task"><p>☑ done</p></li><li class="task"><p>☐ open</p></li></ul>',
    );
  });
  test('has code with its named language, and no other class', () => {
    expect(html('```c++ title="x"\na\n```')).toBe('<pre><code class="language-c++">a\n</code></pre>');
    expect(html('```"><script>\na\n```')).toContain('<code class="language-">');
    expect(html('```\na\n```')).toContain('<code class="language-">');
  });
  test('has tables and lists', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td align="right">2</td>');
    expect(html('3. a\n4. b')).toContain('<ol start="3">');
    expect(html('- a\n  - b\n\n    c')).toBe('<ul><li>a<ul><li><p>b</p><p>c</p></li></ul></li></ul>');
  });
  test('has breaks in cells, keys, notes and headings of folds', () => {
    expect(html('| a |\n|---|\n| 1<br>2<br/>3 |')).toContain('<td>1<br></br>2<br></br>3</td>');
    expect(html('press <kbd>Ctrl</kbd>, H<sub>2</sub>O')).toBe('<p>press <kbd>Ctrl</kbd>, H<sub>2</sub>O</p>');
    expect(html('<kbd>a')).toBe('<p>&lt;kbd&gt;a</p>');
    expect(html('> [!NOTE]\n> Read **it**.')).toBe(
      '<blockquote><p><strong>Note</strong></p><p>Read <strong>it</strong>.</p></blockquote>',
    );
    expect(html('<details>\n<summary>The *log*</summary>\n\nline\n\n</details>')).toBe(
      '<details><summary>The <em>log</em></summary><p>line</p></details>',
    );
    expect(html('<details open><summary>a</summary>\n\n- b\n\n<details>\n\nc\n\n</details>\n</details>\n\nd')).toBe(
      '<details open=""><summary>a</summary><ul><li>b</li></ul><details><p>c</p></details></details><p>d</p>',
    );
    expect(html('<details>\n<summary>open</summary>\n\nline')).toBe('<p><strong>open</strong></p><p>line</p>');
    expect(html('<details><img src=x onerror=y></details>')).not.toContain('<img');
    expect(html('so it is[^1].\n\n[^1]: A source.')).toBe('<p>so it is<sup>1</sup>.</p><p><sup>1</sup>: A source.</p>');
  });
  test('has formulas with all their characters', () => {
    for (const formula of ['\\(a_1 * b_2 * c\\)', '$a*b*c$', '$$x_i^2 + y_i^2$$', '\\[\\frac{a}{b} = c\\]'])
      expect(html(`so ${formula} holds`)).toBe(`<p>so <code>${formula}</code> holds</p>`);
    expect(html('from $5 to $6, $HOME and $PATH')).toBe('<p>from $5 to $6, $HOME and $PATH</p>');
    expect(html('\\[x\\] and \\(')).toBe('<p>[x] and (</p>');
  });
  test('has addresses and descriptions without entities and marks', () => {
    expect(html('[x](https://e.com/?a=1&amp;b=2)')).toContain('<a href="https://e.com/?a=1&amp;b=2"');
    expect(html('![**bold** `c` x](https://host/x)')).toContain('image: bold c x');
    expect(html('[x](java&#60;script:y)')).not.toContain('<a ');
  });
  test('has strong, emphasised, struck out, quoted and ruled text', () => {
    expect(html('**a** *b* ~~c~~  \nd \\*e\\*')).toBe(
      '<p><strong>a</strong> <em>b</em> <del>c</del><br></br>d *e*</p>',
    );
    expect(html('> a\n> b')).toBe('<blockquote><p>a\nb</p></blockquote>');
    expect(html('---')).toBe('<hr></hr>');
  });
});

test('a text that would stop the page is shown without its marks', () => {
  const deep = ['>', '- ', '1. ', '> - '].map((marks) => marks.repeat(3000));
  const open = [
    ...['*a **b ', '_a __b ', '![a](', '"*a "**b '].map((marks) => marks.repeat(2000)),
    `${')'.repeat(1000)}${'![a]('.repeat(1000)}`,
    `${'*a **b '.repeat(1000)}${'x* '.repeat(2000)}`,
  ];
  for (const marks of [...deep, ...open]) {
    const text = `${marks}end`;
    expect(html(text)).toBe(`<p>${escape(text)}</p>`);
  }
  for (const marks of deep) expect(blocksOf(`intro\n\n${marks}end\n`, false)).toHaveLength(1);
  for (const usual of [
    '* **bold** and [a link](https://example.com) with snake_case\n',
    '- **Term**: a description, **bold**, (**bold**) and `a *pointer`\n',
    '- struct foo *a, **bold**\n',
    'Text with **bold**: *more*.\n',
  ])
    expect(html(usual.repeat(200))).toContain(
      '<strong>bold</strong>'.replace('bold', usual.includes('Term') ? 'Term' : 'bold'),
    );
  expect(html('```c\n' + 'int *a;\n'.repeat(200) + '```\n')).toContain('<pre>');
});
