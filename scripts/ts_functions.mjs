// SPDX-License-Identifier: Apache-2.0
// Finds the functions of a TypeScript or JavaScript source and their lengths, by indentation: a function extends from its declaration to the
// next line with the same indentation. Inner functions count with the outer function.

const declares = [
  /^(export )?(default )?(async )?function\b\*? ?(?<name>\w*)/,
  /^(export )?(const|let) (?<name>\w+)\b.*=>/,
  /^(?<name>test|it)\(.*(=>|function)/,
];
const member =
  /^(public |private |protected |static |async |get |set |override )*[#*]?(?<name>\w+)(<[^>]*>)?\(.*\{$|^(private |readonly )*(?<field>\w+) = (async )?\(.*=>/;
const noMember = /^(if|for|while|switch|catch|return|do|else)\b/;
const indentation = (line) => line.length - line.trimStart().length;

// The index of the last line of the function at `from`.
function endOf(lines, from) {
  const depth = indentation(lines[from]);
  let last = from;
  for (let i = from + 1; i < lines.length; ++i) {
    if (lines[i].trim() === '') continue;
    if (indentation(lines[i]) > depth) last = i;
    else return /^[)\]}>]/.test(lines[i].trimStart()) && indentation(lines[i]) === depth ? endOfClosed(lines, i) : last;
  }
  return last;
}

// `}): Thing {` closes the parameters and opens the body.
const endOfClosed = (lines, i) => (/[{(]$/.test(lines[i]) ? endOf(lines, i) : i);

// [{name, line, lines}]
export function tsFunctions(text) {
  const lines = text.split('\n');
  const found = [];
  let classEnd = -1;
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i].trimStart();
    const depth = indentation(lines[i]);
    if (depth === 0 && /^(export )?(default )?(abstract )?class\b/.test(line)) classEnd = endOf(lines, i);
    const inClass = i <= classEnd && depth === 2 && !noMember.test(line);
    const inGroup = depth === 2 && /^it\(/.test(line); // describe(…, () => { it(…
    const begins =
      depth === 0 || inGroup
        ? declares.map((each) => each.exec(line)).find(Boolean)
        : inClass
          ? member.exec(line)
          : null;
    if (!begins) continue;
    const last = endOf(lines, i);
    found.push({ name: begins.groups.name || begins.groups.field || 'function', line: i + 1, lines: last - i + 1 });
    i = last;
  }
  return found;
}
