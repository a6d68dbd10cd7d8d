// One closed block of markdown -> DOM nodes that are safe to show. Two walls: raw HTML is written out as text before it can
// become markup, and what the renderer made goes through an allow list.

import DOMPurify from 'dompurify';
import { Lexer, Marked, Parser, type Links, type Tokens } from 'marked';
import { t } from '../strings';

const TAGS = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 'del', 'br', 'hr', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'];
const ATTRIBUTES = ['href', 'title', 'target', 'rel', 'class', 'start', 'align'];
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const marked = new Marked({
  gfm: true,
  renderer: {
    html(token) { return escape(token.raw); },
    heading({ tokens, depth }) {
      const level = Math.min(depth + 1, 6);  // the page's own title is the first level
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }: Tokens.Link) { return anchor(href, this.parser.parseInline(tokens)); },
    image({ href, text }: Tokens.Image) { return anchor(href, escape(t.image(text))); },  // nothing is fetched unasked
    checkbox({ checked }) { return checked ? '☑ ' : '☐ '; },
    code({ text, lang }: Tokens.Code) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? '';
      return `<pre><code class="language-${escape(language)}">${escape(text)}\n</code></pre>\n`;
    },
  },
});

function anchor(href: string, inner: string): string {
  if (!SAFE_LINK.test(href)) return inner === escape(href) ? `<code>${inner}</code>` : `${inner} <code>${escape(href)}</code>`;
  return `<a href="${escape(href)}" title="${escape(href)}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
}

/** Link definitions of a whole text, for blocks that use them from elsewhere. */
export function definitions_in(text: string): Links {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(text, []);
  return lexer.tokens.links;
}

export function render_markdown(text: string, links?: Links): DocumentFragment {
  const lexer = new Lexer(marked.defaults);
  if (links) Object.assign(lexer.tokens.links, links);
  const html = Parser.parse(lexer.lex(text), marked.defaults);
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: SAFE_LINK, RETURN_DOM_FRAGMENT: true, ADD_URI_SAFE_ATTR: ['target', 'rel', 'title', 'start', 'align', 'class'],
  });
}
