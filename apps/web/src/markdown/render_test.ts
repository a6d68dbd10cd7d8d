// The first of the two walls: what the renderer makes of markdown, before the allow list sees it. The second is a library of its own,
// and tests/web looks at both in a browser.
import { describe, expect, test, vi } from 'vitest';

vi.mock('dompurify', () => ({ default: { sanitize: (html: string) => html } }));
const { definitions_in, escape, render_markdown } = await import('./render');
const html = (text: string, links?: Parameters<typeof render_markdown>[1]) => (render_markdown(text, links) as unknown as string).trim();

describe('Raw HTML', () => {
  test('is text, whatever it is', () => {
    for (const raw of ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<b>bold</b>', '<!-- comment -->', '<svg/onload=x>', '<a href="javascript:x">y</a>']) {
      expect(html(raw)).not.toMatch(/<(?!\/?p>)/);
      expect(html(`before ${raw} behind`)).not.toMatch(/<(?!\/?p>)/);
      expect(html(`- ${raw}`)).not.toMatch(/<(?!\/?(?:ul|li|p)>)/);
    }
  });
  test('is shown as it was written', () => {
    expect(html('a <b title="x">c</b>')).toBe('<p>a &#60;b title=&#34;x&#34;&#62;c&#60;/b&#62;</p>');
  });
  test('inside code is code', () => {
    expect(html('`<b>`')).toBe('<p><code>&lt;b&gt;</code></p>');
    expect(html('```\n<script>\n```')).toContain('&#60;script&#62;');
  });
  test('every character that could begin markup is escaped', () => {
    expect(escape(`<a href="x" id='y'>&`)).toBe('&#60;a href=&#34;x&#34; id=&#39;y&#39;&#62;&#38;');
    expect(escape('plain')).toBe('plain');
  });
});

describe('Links', () => {
  test('lead to the web or to a letter, in a page of their own', () => {
    expect(html('[x](https://host/a?b=1&c=2)')).toBe('<p><a href="https://host/a?b=1&#38;c=2" title="https://host/a?b=1&#38;c=2" target="_blank" rel="noopener noreferrer">x</a></p>');
    expect(html('[x](mailto:a@b.example)')).toContain('<a href="mailto:a@b.example"');
    expect(html('https://host/')).toContain('<a href="https://host/"');
  });
  test('that lead elsewhere are told and not made', () => {
    for (const href of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', '/relative', '#part', 'ftp://host/'])
      expect(html(`[x](${href})`)).not.toContain('<a ');
    expect(html('[x](javascript:alert\\(1\\))')).toContain('x <code>javascript:alert(1)</code>');
    expect(html('[/src/a.ts](/src/a.ts)')).toBe('<p><code>/src/a.ts</code></p>');
  });
  test('cannot break out of their attribute', () => {
    expect(html('[x](https://host/"onmouseover="alert)')).not.toMatch(/"onmouseover/);
    expect(html("[x](<https://host/' onclick='x>)")).not.toMatch(/' onclick/);
    expect(html('<https://host/"x>')).not.toContain('"x"');
  });
  test('have the addresses that the whole text defines', () => {
    const text = 'see [the manual][m] and [m]\n\nmore\n\n[m]: https://host/manual';
    const links = definitions_in(text);
    expect(Object.keys(links)).toEqual(['m']);
    expect(html('see [the manual][m]', links)).toContain('<a href="https://host/manual"');
    expect(html('see [the manual][m]')).not.toContain('<a ');
  });
  test('a definition is held to the same rule', () => {
    expect(html('[x][m]', definitions_in('[m]: javascript:alert(1)'))).not.toContain('<a ');
  });
});

describe('Pictures', () => {
  test('are links: nothing is fetched unasked', () => {
    const made = html('![a cat](https://host/cat.png)');
    expect(made).not.toContain('<img');
    expect(made).toContain('<a href="https://host/cat.png"');
    expect(made).toContain('a cat');
    expect(html('![<b>](https://host/x)')).not.toContain('<b>');
    expect(html('![x](data:image/png;base64,AAAA)')).not.toMatch(/<(?:img|a) /);
  });
});

describe('Text', () => {
  test('has its headings one level lower: the first is the page\'s own', () => {
    expect(html('# a')).toBe('<h2>a</h2>');
    expect(html('###### a')).toBe('<h6>a</h6>');
  });
  test('has boxes that are ticked or not', () => {
    const made = html('- [x] done\n- [ ] open');
    expect(made).toContain('☑ ');
    expect(made).toContain('☐ ');
    expect(made).not.toContain('<input');
  });
  test('has code with the language that it names, and no other class', () => {
    expect(html('```c++ title="x"\na\n```')).toContain('<code class="language-c++">a\n</code>');
    expect(html('```"><script>\na\n```')).toContain('<code class="language-">');
    expect(html('```\na\n```')).toContain('<code class="language-">');
  });
  test('has tables and lists', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td align="right">2</td>');
    expect(html('3. a\n4. b')).toContain('<ol start="3">');
  });
});
