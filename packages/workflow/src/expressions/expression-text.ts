import { readReference, type Reference, ReferenceSyntaxError } from "../mapping/reference.ts";

/**
 * Replaces each `${…}` with a CEL path, or with a variable for a reference with a default, whose value is looked up as in mappings (`bound`). The run's text never becomes part of the expression, so an agent's output is never evaluated. A
 * literal that is one reference, `'${a.output}'`, becomes that value as text. Throws a ReferenceSyntaxError.
 */
export function replaceReferences(expression: string, variables: ReadonlySet<string>) {
  const references: Reference[] = [];
  const bound = new Map<string, Reference>();
  const standIn = (reference: Reference): string => {
    references.push(reference);
    if (!reference.fallback) return celPath(reference.path, variables);
    const name = `_reference${bound.size}`;
    bound.set(name, reference);
    return name;
  };
  let cel = "";
  for (let at = 0; at < expression.length;) {
    const literal = literalAt(expression, at);
    if (literal) {
      cel += literal.hasReference ? `string(${standIn(onlyReference(literal, at))})` : literal.text;
      at += literal.text.length;
    } else if (expression.startsWith("${", at)) {
      const { reference, end } = readReference(expression, at);
      cel += standIn(reference);
      at = end;
    } else cel += expression[at++];
  }
  return { cel, references, bound };
}

interface Literal {
  readonly text: string;
  readonly content: string;
  readonly hasReference: boolean;
}

/** Returns the comment or the quoted literal that begins here: https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax */
function literalAt(expression: string, at: number): Literal | undefined {
  const comment = /\/\/[^\n]*/y;
  const string = /("""|'''|"|')/y;
  comment.lastIndex = string.lastIndex = at;
  const text = comment.exec(expression)?.[0];
  if (text !== undefined) return { text, content: "", hasReference: false };
  const quote = string.exec(expression)?.[0];
  if (quote === undefined) return undefined;
  const raw = /(?<![A-Za-z0-9_])(?:[rR][bB]?|[bB][rR])$/.test(expression.slice(Math.max(0, at - 3), at));
  let end = at + quote.length;
  while (end < expression.length && !expression.startsWith(quote, end)) end += !raw && expression[end] === "\\" ? 2 : 1;
  const content = expression.slice(at + quote.length, end);
  return { text: expression.slice(at, end + quote.length), content, hasReference: content.includes("${") };
}

function onlyReference({ content }: Literal, at: number): Reference {
  const { reference, end } = readReference(content, content.indexOf("${"));
  if (!content.startsWith("${") || end < content.length)
    throw new ReferenceSyntaxError(
      `write "text" + string(${reference.text}) instead of a reference within a longer literal`,
      at,
    );
  return reference;
}

function celPath(path: Reference["path"], variables: ReadonlySet<string>): string {
  const [head = "", ...rest] = path;
  if (head === "workflow" || head === "steps" || variables.has(String(head)))
    return `${head}${rest.map(select).join("")}`;
  return `steps${path.map(select).join("")}`;
}

function select(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return isMemberName(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Returns true if CEL accepts the name after a dot. Other names need brackets: `steps["a-b"]`. */
export function isMemberName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !celWords.has(name);
}

/** CEL's reserved words. */
const celWords = new Set(
  "as break const continue else false for function if import in let loop namespace null package return true var void while __proto__ prototype".split(
    " ",
  ),
);
