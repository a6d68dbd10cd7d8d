// SPDX-License-Identifier: Apache-2.0
// Finds the functions of a C++ source and their lengths, without a compiler: blanks comments and literals, and reads the rest as
// declarations. A function extends from the first line of its declaration to its closing brace, with every inner lambda and local class.
// A lambda outside of functions (the value of a constant, an entry of a table) is a separate function. Classes outside of functions are
// counted too: their member functions, with or without a body, and their members of type bool.

const word = /^[A-Za-z_]/;
const access = new Set(['public', 'protected', 'private']);
const classKeys = new Set(['class', 'struct', 'union']);
const beforeType = new Set(['inline', 'typedef', 'friend']);
// Parentheses after these words are no parameters.
const notNames = new Set([
  'alignas',
  'decltype',
  'noexcept',
  'explicit',
  'requires',
  'sizeof',
  '__attribute__',
  'static_assert',
]);
// Tokens before the `[` of a lambda. A subscript follows a name or a closing bracket.
const beforeLambda = /^([({,=?:;!&|]|&&|\|\||return|co_return|co_await|<<)$/;
const afterCaptures = /^(mutable|noexcept|constexpr|consteval|static|->)$/;

const lexemes = new RegExp(
  [
    /(?<nothing>^[ \t]*#(?:\\\n|\/\*[\s\S]*?\*\/|[^\n])*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))/, // directives and comments
    /(?<literal>(?:u8|[uUL])?(?:R"(?<mark>[^()\\\s]*)\([\s\S]*?\)\k<mark>"|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?))/,
    /[A-Za-z_]\w*|[0-9](?:'?[\w.])*/, // names and numbers: what is in them begins no literal
  ]
    .map((part) => part.source)
    .join('|'),
  'gm',
);

// The text with spaces for comments, preprocessor lines and literals, except a `"` at the start of a literal. Line ends stay.
export function blanked(text) {
  const spaces = (part) => part.replace(/[^\n]/g, ' ');
  return text.replace(lexemes, (part, ...rest) => {
    const { nothing, literal } = rest.at(-1);
    if (nothing !== undefined) return spaces(part);
    return literal === undefined ? part : `"${spaces(part.slice(1))}`;
  });
}

const token = new RegExp(
  [
    /operator\s*(?:(?:new|delete)\b(?:\s*\[\s*\])?|\(\s*\)|\[\s*\]|<=>|->\*?|<<=|>>=|<<|>>|[-+*/%^&|=!<>]=|&&|\|\||\+\+|--|[-+*/%^&|~!=<>,])/,
    /[A-Za-z_]\w*|[0-9](?:'?[\w.])*/,
    /\.\.\.|::|->|&&|\|\||\[\[|\]\]|<=|==|!=|\+=|-=|<<|\S/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

// [{text, line}]. `operator` and its symbol are a single token, like symbols of two signs, except `>>`, which may close two brackets.
export function tokens(text) {
  const code = blanked(text);
  let line = 1;
  let seen = 0;
  return [...code.matchAll(token)].map((match) => {
    for (; seen < match.index; ++seen) if (code[seen] === '\n') ++line;
    return { text: match[0], line };
  });
}

// Reads declarations and collects the functions among them.
class Declarations {
  constructor(list) {
    this.list = list;
    this.functions = [];
    this.classes = new Map(); // by qualified name: {name, methods, booleans}
  }

  at(i) {
    return this.list[i]?.text ?? '';
  }

  // The index after the bracket that matches the bracket at `i`.
  after(i) {
    const pairs = { '(': ')', '{': '}', '[': ']', '[[': ']]' };
    const open = this.at(i);
    for (let depth = 0; i < this.list.length; ++i) {
      if (open === '[' || open === '[[') {
        for (const sign of this.at(i)) depth += sign === '[' ? 1 : sign === ']' ? -1 : 0; // a[b[i]] ends with one token
      } else {
        depth += this.at(i) === open ? 1 : this.at(i) === pairs[open] ? -1 : 0;
      }
      if (depth === 0) return i + 1;
    }
    return i;
  }

  // The index after the `>` that matches the `<` at `i`, or after the `<` itself if it is a comparison.
  afterAngle(i) {
    let depth = 0;
    for (let k = i; k < this.list.length;) {
      const text = this.at(k);
      if (text === '(' || text === '{' || text === '[') {
        k = this.after(k);
        continue;
      }
      if (text === '<') ++depth;
      if (text === '>') --depth;
      if (text === ';' || text === '}' || text === ')') return i + 1;
      ++k;
      if (depth === 0) return k;
    }
    return i + 1;
  }

  add(name, from, to) {
    const line = this.list[from].line;
    this.functions.push({ name, line, lines: this.list[Math.min(to, this.list.length) - 1].line - line + 1 });
  }

  // The index after the body of the lambda whose `[` is at `i`, or 0 for other brackets.
  lambda(i) {
    if (i > 0 && !beforeLambda.test(this.at(i - 1))) return 0;
    let k = this.after(i);
    for (let first = true; k < this.list.length; first = false) {
      const text = this.at(k);
      if (text === '{') {
        const end = this.after(k);
        this.add('lambda', i, end);
        return end;
      }
      if (text === '(' || text === '[[') k = this.after(k);
      else if (text === '<') k = this.afterAngle(k);
      else if (!first && /^[;,)}=]$/.test(text)) return 0;
      else if (first && !afterCaptures.test(text)) return 0;
      else ++k;
    }
    return 0;
  }

  // A value from `i` to `end`: only its lambdas are functions.
  value(i, end) {
    while (i < end) i = (this.at(i) === '[' && this.lambda(i)) || i + 1;
  }

  // Declarations from `i` to their closing brace; returns the index after the brace.
  scope(i, owner = '') {
    while (i < this.list.length) {
      if (this.at(i) === '}') return i + 1;
      i = this.declaration(i, owner);
    }
    return i;
  }

  // A single declaration; returns the index after the declaration.
  declaration(begin, owner) {
    // head: the first token after template<…>, requires and attributes. parameters: their `(`. initialisers: the initialisers of a
    // constructor have begun. conversion: an operator to a type. end: the index after the declaration.
    const seen = { owner, head: -1, parameters: -1, initialisers: false, conversion: false, end: 0 };
    for (let i = begin; i < this.list.length;) {
      i = this.prefix(i, seen) || this.body(i, seen) || this.bracket(i, seen) || i + 1;
      if (seen.end) {
        this.count(seen);
        return seen.end;
      }
    }
    return this.list.length;
  }

  // Adds a declaration to the figures of its class. Constructors, destructors, friends and defaulted or deleted functions do not count.
  count(seen) {
    const members = this.classes.get(seen.owner);
    const head = this.at(seen.head);
    if (!members || head === 'friend' || head === 'using') return;
    if (seen.parameters < 0) members.booleans += this.at(seen.head + (head === 'mutable' ? 1 : 0)) === 'bool' ? 1 : 0;
    else if (
      this.at(seen.parameters - 1) !== members.name.split('::').at(-1) &&
      !/^(default|delete)$/.test(this.at(seen.end - 2))
    )
      ++members.methods;
  }

  ends(seen, i) {
    seen.end = i;
    return i;
  }

  // Tokens without influence on the kind of declaration, and ends of a declaration: the index after the token, or 0.
  prefix(i, seen) {
    const text = this.at(i);
    if (text === ';') return this.ends(seen, i + 1);
    if (text === '}') return this.ends(seen, i); // of the scope
    if (access.has(text) && this.at(i + 1) === ':') return this.ends(seen, i + 2);
    if (text === '[[') return this.after(i);
    if (text === 'template') return this.at(i + 1) === '<' ? this.afterAngle(i + 1) : i + 1;
    if (text === 'requires') return this.constraint(i + 1, seen.parameters >= 0);
    if (text !== 'extern' || this.at(i + 1) !== '"') return 0;
    return this.at(i + 2) === '{' ? this.ends(seen, this.scope(i + 3, seen.owner)) : i + 2;
  }

  // Namespaces, types and values: the index behind, or 0.
  body(i, seen) {
    const text = this.at(i);
    if (seen.head < 0) seen.head = i;
    if (i === seen.head || beforeType.has(this.at(i - 1))) {
      if (text === 'namespace') return this.ends(seen, this.namespace(i, seen.owner));
      if (text === 'enum') return this.ends(seen, this.rest(this.skipToBraceOrEnd(i)));
      const end = classKeys.has(text) ? this.classBody(i, seen.owner) : 0;
      if (end) return this.ends(seen, end);
    }
    return text === '=' && seen.parameters < 0 ? this.ends(seen, this.rest(i)) : 0;
  }

  // Parameters, initialisers and, at last, the body of a function: the index after the bracket, or 0.
  bracket(i, seen) {
    const text = this.at(i);
    const before = this.at(i - 1);
    const afterName = word.test(before) || before === '>';
    if (text === '<') return word.test(before) ? this.afterAngle(i) : 0;
    if (text === 'operator') seen.conversion = true;
    if (text === ':' && seen.parameters >= 0) seen.initialisers = true;
    if (text !== '(' && text !== '{') return 0;
    const end = this.after(i);
    if (text === '(' && seen.parameters < 0) {
      if (seen.conversion || (afterName && !notNames.has(before))) seen.parameters = i;
    } else if (text === '(' || seen.parameters < 0 || (seen.initialisers && afterName)) {
      this.value(i, end);
    } else {
      this.add(this.name(seen.parameters, seen.owner, seen.conversion), seen.head, end);
      return this.ends(seen, end);
    }
    return end;
  }

  // After `requires`: the index after its parts with brackets. declaration() reads names and operators.
  constraint(i, trailing) {
    for (;;) {
      if (this.at(i) === 'requires') {
        ++i;
        if (this.at(i) === '(') i = this.after(i);
        if (this.at(i) === '{') i = this.after(i);
      } else if (this.at(i) === '(') {
        i = this.after(i);
      } else if (this.at(i) === '!') {
        ++i;
        continue;
      } else {
        while (word.test(this.at(i)) || this.at(i) === '::') ++i;
        if (this.at(i) === '<') i = this.afterAngle(i);
        while (this.at(i) === '::') i += 2;
        if (this.at(i) === '(' && !trailing) i = this.after(i);
      }
      if (this.at(i) !== '&&' && this.at(i) !== '||') return i;
      ++i;
    }
  }

  namespace(i, owner) {
    while (this.at(i) !== '{' && this.at(i) !== ';' && i < this.list.length) ++i;
    return this.at(i) === '{' ? this.scope(i + 1, owner) : i + 1;
  }

  // The members of a class with its key at `i`; 0 for a return type or a declaration.
  classBody(i, owner) {
    let name = '';
    let k = i + 1;
    for (; k < this.list.length; ++k) {
      const text = this.at(k);
      if (text === 'alignas') k = this.after(k + 1) - 1;
      else if (text === '[[') k = this.after(k) - 1;
      else if (text === '<') k = this.afterAngle(k) - 1;
      else if (text === ';' || text === '(' || text === '=') return 0;
      else if (text === ':' || text === '{') break;
      else if (word.test(text) && text !== 'final') name = text;
    }
    while (k < this.list.length && this.at(k) !== '{') k = this.at(k) === '<' ? this.afterAngle(k) : k + 1;
    const qualified = owner ? `${owner}::${name}` : name;
    this.classes.set(qualified, { name: qualified, methods: 0, booleans: 0 });
    return this.rest(this.scope(k + 1, qualified));
  }

  skipToBraceOrEnd(i) {
    while (i < this.list.length && this.at(i) !== '{' && this.at(i) !== ';') ++i;
    return this.at(i) === '{' ? this.after(i) : i;
  }

  // The tokens after the brace of a type: a name, a value, the semicolon.
  rest(i) {
    const end = this.endOfValue(i);
    this.value(i, end);
    return end;
  }

  endOfValue(i) {
    while (i < this.list.length && this.at(i) !== ';') i = /^[({[]$/.test(this.at(i)) ? this.after(i) : i + 1;
    return i + 1;
  }

  // The name before the parameters; for TEST(Suite, Name) the parameters themselves.
  name(parameters, owner, conversion) {
    if (conversion) return owner ? `${owner}::operator` : 'operator';
    let from = parameters - 1;
    if (this.at(from) === '>') while (from > 0 && this.at(from) !== '<') --from;
    if (this.at(from) === '<') --from;
    let name = this.at(from);
    if (/^[A-Z][A-Z_]+$/.test(name)) return `${this.at(parameters + 1)}.${this.at(parameters + 3)}`;
    for (; this.at(from - 1) === '~'; --from) name = `~${name}`;
    for (; this.at(from - 1) === '::' && word.test(this.at(from - 2)); from -= 2)
      name = `${this.at(from - 2)}::${name}`;
    return (owner ? `${owner}::` : '') + name.replace(/\s+/g, '');
  }
}

// {functions: [{name, line, lines}], classes: [{name, methods, booleans}]} of a C++ source.
export function cppDeclarations(text) {
  const reader = new Declarations(tokens(text));
  for (let i = 0; i < reader.list.length;) i = reader.scope(i);
  return { functions: reader.functions, classes: [...reader.classes.values()] };
}

export const cppFunctions = (text) => cppDeclarations(text).functions;
