import type { Source } from "./sources.ts";

/** A part of a file is a story of its own from this length on, lines. */
const leastLines = 30;

/** How each statement at the top of a file begins, as prettier prints it: with its doc comment, ending before the next. */
const begins =
  /^(?:export |declare |async |default )*(?:abstract class|class|function(?=\b)\*?|const|let|interface|type|enum)(?![\w$])/;

interface Declaration {
  readonly names: readonly string[];
  readonly text: string;
  readonly lines: number;
}

/**
 * Returns the parts of a file that share no name: its declarations, joined when one names the other; by the first name of each, the longest first.
 * Parts of fewer than 30 lines belong to no story and are left out.
 */
export function storiesOf({ text }: Source): string[] {
  const left = new Set(declarationsOf(text));
  const parts: { readonly names: readonly string[]; readonly lines: number }[] = [];
  for (const first of left) {
    left.delete(first);
    const part = [first];
    // The array grows while it is walked.
    for (const one of part)
      for (const other of left)
        if (isNamed(one, other) || isNamed(other, one)) {
          left.delete(other);
          part.push(other);
        }
    parts.push({
      names: part.flatMap(({ names }) => names),
      lines: part.reduce((sum, { lines }) => sum + lines, 0),
    });
  }
  return parts
    .filter(({ lines }) => lines >= leastLines)
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ names, lines }) => `${names[0]} ${lines}`);
}

function declarationsOf(text: string): Declaration[] {
  const found: string[][] = [];
  let comment: string[] = [];
  for (const line of text.split("\n")) {
    if (begins.test(line)) {
      found.push([...comment, line]);
      comment = [];
    } else if (/^(\/\*\*|\/\/| \*)/.test(line)) comment.push(line);
    else found.at(-1)?.push(line);
  }
  return found.map((lines) => {
    const own = lines.filter((line) => line.trim() !== "");
    return {
      names: namesIn(own.find((line) => begins.test(line)) ?? "", own),
      text: own.join("\n"),
      lines: own.length,
    };
  });
}

/** Returns what a declaration declares; a destructuring declares several. */
function namesIn(first: string, lines: readonly string[]): string[] {
  const rest = first.replace(begins, "").trim();
  if (!/^[[{]/.test(rest)) return [/^[\w$]+/.exec(rest)?.[0] ?? ""];
  const whole = lines.join(" ");
  return [...whole.slice(0, whole.indexOf("=")).matchAll(/[\w$]+/g)].map(([name]) => name);
}

const isNamed = (by: Declaration, { names }: Declaration): boolean =>
  names.some((name) => name !== "" && new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(by.text));
