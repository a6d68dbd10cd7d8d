// SPDX-License-Identifier: Apache-2.0
// The static site of the documentation: `scripts/site.sh` builds it into build/site. The build fails for a dead link within docs/. A link
// to another folder of the repository becomes plain text, or a link below DOCS_REPOSITORY if that variable is set.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const repository = process.env.DOCS_REPOSITORY ?? '';

const read = (page) => readFileSync(path.join(docs, page), 'utf8');
const titleOf = (page) => /^# (.*)/m.exec(read(page))?.[1] ?? page;

// The pages of a folder with their titles, as entries of the side bar.
const pages = (folder) =>
  readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .map((page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` }));

// The sections of the index by task, as groups of the side bar. The build fails for a page that the index does not name.
function index() {
  const text = read('README.md');
  const groups = text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split('\n')[0],
      items: [...section.matchAll(/^\| (.+?) \| .*?\]\(([\w/-]+)\.md\)/gm)].map(([, task, page]) => ({
        text: task,
        link: `/${page}`,
      })),
    }));
  for (const { link } of ['tutorial', 'howto', 'reference'].flatMap(pages))
    if (!text.includes(`(${link.slice(1)}.md)`)) throw new Error(`docs/README.md does not name ${link.slice(1)}.md`);
  return groups;
}

// A file name as the text of a link, such as team.md, becomes the title of the page.
function titles(markdown) {
  markdown.core.ruler.push('titles', (state) => {
    const folder = path.posix.dirname(state.env.relativePath ?? '');
    for (const { children } of state.tokens)
      for (const [at, token] of (children ?? []).entries()) {
        const target = token.type === 'link_open' ? (token.attrGet('href') ?? '').replace(/#.*/, '') : '';
        const text = children[at + 1];
        if (/^[\w/.-]+\.md$/.test(target) && text?.type === 'text' && target.endsWith(text.content)) {
          const page = path.posix.join(folder, target);
          if (!page.startsWith('..')) text.content = titleOf(page === 'index.md' ? 'README.md' : page);
        }
      }
  });
}

// The path of a link from the repository's root, or '' for links within docs/ and for addresses.
function outside(href, page) {
  if (/^([a-z]+:|#|\/)/.test(href)) return '';
  const target = path.posix.join('docs', path.posix.dirname(page), href);
  return target.startsWith('docs/') && (/\.md(#|$)/.test(target) || /\.(png|svg)$/.test(target)) ? '' : target;
}

function linksOutside(markdown) {
  markdown.core.ruler.push('links_outside', (state) => {
    const page = state.env.relativePath ?? '';
    const children = state.tokens.flatMap((token) => token.children ?? []);
    for (const [index, token] of children.entries()) {
      const target = token.type === 'link_open' ? outside(token.attrGet('href') ?? '', page) : '';
      if (!target) continue;
      if (repository) token.attrSet('href', `${repository.replace(/\/$/, '')}/blob/main/${target}`);
      else
        for (const end of [token, children.slice(index).find((each) => each.type === 'link_close')])
          Object.assign(end, { type: 'text', content: '', tag: '', nesting: 0 });
    }
  });
}

const icon = readFileSync(path.join(docs, '../packaging/registry/icon.svg'), 'utf8').replace('currentColor', '#3451b2');

export default {
  title: 'parlance',
  description: 'Connects AI coding agents to the programs that people use them from.',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  lastUpdated: false,
  cleanUrls: false,
  rewrites: { 'README.md': 'index.md' },
  srcExclude: ['api/**', 'node_modules/**'],
  transformPageData: (page) => (page.relativePath === 'index.md' ? { frontmatter: { pageClass: 'index' } } : undefined),
  markdown: {
    config(markdown) {
      titles(markdown); // before links to other folders become plain text
      linksOutside(markdown);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...index(),
      { text: 'Protocols', collapsed: true, items: pages('protocol') },
      { text: 'Decisions', collapsed: true, items: pages('decisions') },
    ],
  },
};
