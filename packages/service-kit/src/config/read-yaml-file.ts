import { readFile, stat } from "node:fs/promises";
import { changeOfNumber } from "@crosszone/contracts/json";
import {
  type Document,
  isCollection,
  isPair,
  LineCounter,
  parseDocument,
  visit,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLError,
} from "yaml";

/** The content of a file and its positions. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** Adds the position of a JSON pointer (RFC 6901) to a problem. */
  readonly problemAt: (problem: { readonly pointer: string; readonly message: string }) => FileProblem;
}

/** Far more than a person writes. */
const mostBytes = 4_000_000;

/**
 * Reads a YAML 1.2 file, which includes JSON. `what` names it for people: `file of agents`; `one` names the
 * content of a file of which there can be several. Throws a
 * `FileProblemsError` with the position of each mistake when it can't be read, and of each value that JSON can't keep.
 * https://yaml.org/spec/1.2.2/
 */
export async function readYamlFile(path: string, what: string, one?: string): Promise<YamlFile> {
  const text = await readText(path, what);
  const lines = new LineCounter();
  // Keys become text, where 1 and "1" are the same.
  const uniqueKeys = (a: unknown, b: unknown): boolean =>
    isScalar(a) && isScalar(b) && String(a.value) === String(b.value);
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys, resolveKnownTags: false };
  const document = parseDocument(text, options);
  const mistakes: FileProblem[] = [];
  const mistake = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    mistakes.push({ path, line, column: col, pointer: "", message });
  };
  const found = [...document.errors, ...document.warnings];
  // What follows a mistake of syntax is read wrongly.
  const syntax = found.find(({ code }) => !["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"].includes(code));
  for (const error of syntax ? [syntax] : found) {
    const { at, fix } = fixOfYaml(error, text);
    const split = one
      ? `one file is one ${one}: split at line ${lines.linePos(at).line}`
      : `the ${what} has a second document: remove it`;
    mistake(at, error.code === "MULTIPLE_DOCS" ? split : fix);
  }
  if (document.directives.yaml.version !== "1.2") mistake(0, "the file is read as YAML 1.2: remove the line %YAML");
  else if (!syntax)
    visit(document, (_, node, around) => {
      const alias = isAlias(node) ? wrongAlias(node.resolve(document), around) : undefined;
      const wrong = isPair(node) ? wrongKey(node.key) : isScalar(node) ? changeOf(node) : alias;
      if (wrong !== undefined) mistake(offsetOf(isPair(node) ? node.key : node) ?? 0, wrong);
    });
  if (mistakes.length > 0) throw new FileProblemsError(mistakes);
  return {
    path,
    value: valueOf(document, path),
    problemAt: ({ pointer, message: said }) => {
      const [, type = ""] = /\b(?:be|expected) (\w+)(?:, rec.*)?$/.exec(said) ?? [];
      const message = Object.hasOwn(wordsOfTypes, type) ? `must be ${wordsOfTypes[type]}` : said;
      return { path, ...locate(document, lines, pointer), pointer, message };
    },
  };
}

/** The types of JSON, as people write them in YAML. */
const wordsOfTypes: Readonly<Record<string, string>> = {
  array: 'a list: begin each item with "- "',
  object: "a map: write its members as key: value",
  string: "a text: put quotes around it",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

/** Fixes by a pattern of the parser's code and words, the line before the mistake, and the line from it on. The first that applies counts. */
const fixes: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [/\n(<{7}|={7}|>{7})/, "a Git conflict is not resolved: keep one side, and remove the lines that mark it"],
  [/\n[ \t]*\t/, "a tab indents the line: use spaces"],
  [/\$\n\{/, "${…} between braces or brackets needs quotes: put quotes around it"],
  [/ must .*end with/, "a { or [ is not closed, or is not indented more than its key: close or indent it"],
  [/ Missing closing/, "a text in quotes is not closed: add the quote at its end"],
  [/^BAD_IND|^MULTI.*\n.*\n- | Sequence| Block scalar v/, "the column is wrong: indent the line like its neighbors"],
  [/^BLOCK_AS| same line/, 'the value has ": " or "- " in it: put quotes around it, or begin a new line'],
  [/^BLOCK_IN| Missing [, s]/, "a comma, or the space after a colon, is missing between braces or brackets: add it"],
  [/^MISSING_CHAR (?!C)|^MULTILINE|^KEY/, "a key needs a colon and a space after it, on its line: write key: value"],
  [/^BAD_SCALAR/, "a text that begins with this character needs quotes: put quotes around it"],
  [/^BAD_DQ/, "a backslash in double quotes begins an escape: write two, or use single quotes"],
  [/^DUPLICATE/, "the key is already in this map: remove one of the two"],
  [/^BAD_DIR/, "the file is read as YAML 1.2: remove the line that begins with %"],
  [/^RESOURCE/, "too many maps and lists are inside each other: use fewer levels"],
  [/TAG|ALIAS|ANCHOR|PROP|COLL/, "anchors and tags can't be used here: put quotes around a text with &, * or !"],
  [/^/, "the value ends before this character: put quotes around the whole value, or remove the rest"],
];

/** Returns where a mistake in a YAML text is, and its fix in one sentence, which shows nothing of the text. */
function fixOfYaml({ code, message, pos: [end] }: YAMLError, text: string): { at: number; fix: string } {
  // The parser reports the end of a text that is not closed.
  const at = message.startsWith("Missing closing") ? text.lastIndexOf(message.charAt(16)) : end;
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const said = `${code} ${message}\n${before}\n${text.slice(at, at + 100).split("\n", 1)[0]}`;
  return { at, fix: fixes.find(([pattern]) => pattern.test(said))?.[1] ?? message };
}

/** Returns what is wrong with an alias within these nodes; undefined if nothing is. */
function wrongAlias(meant: Node | undefined, around: readonly unknown[]): string | undefined {
  if (meant === undefined) return "an alias has no anchor before it: put quotes around a text that begins with *";
  return around.includes(meant) ? "an alias is inside of what it refers to: write the members out" : undefined;
}

/** Returns what is wrong with the key of a member; undefined if nothing is. */
function wrongKey(key: unknown): string | undefined {
  // An unquoted {{…}} is an object as the key of an object.
  if (isCollection(key)) return "a key must be a text: put quotes around a text that begins with a brace or a bracket";
  if (!isScalar(key) || typeof key.value !== "string" || key.type !== "PLAIN") return undefined;
  if (key.value.trim() !== key.value) return "a key begins or ends with a blank that is no space: use spaces";
  return key.value === "<<" ? "YAML merge keys are not supported: write the members out" : undefined;
}

/** Returns how a number would change in JSON; undefined for one that is kept. */
function changeOf({ value, source = "" }: Scalar): string | undefined {
  if (typeof value !== "number") return undefined;
  if (!Number.isFinite(value) && /[a-z]{3}/i.test(source))
    return `${source} is not a number in JSON: remove it, or put quotes around it`;
  if (/^[-+]?0\d/.test(source)) return `${source} is read as ${value}: write ${value}, or put quotes around it`;
  // In base 8 or 16.
  if (/^0[ox]/.test(source))
    return Number.isSafeInteger(value) ? undefined : `${source} is too large: put quotes around it`;
  const change = changeOfNumber(source);
  return change && `${source} would become ${change}: put quotes around it`;
}

async function readText(path: string, what: string): Promise<string> {
  const failed = (message: string): FileProblemsError => unreadable(path, `the ${what} ${message}`);
  const unread = (error: NodeJS.ErrnoException): never => {
    throw failed(`cannot be read (${error.code ?? "unreadable"}): create it, or set another path`);
  };
  const found = await stat(path).catch(unread);
  // Reading a pipe would block until another process writes to it.
  if (!found.isFile()) throw failed("is not a regular file: create one, or set another path");
  if (found.size > mostBytes) throw failed("is too large: the limit is 4,000,000 bytes");
  const bytes = await readFile(path).catch(unread);
  try {
    // The parser handles a byte order mark. YAML also ends lines with a carriage return alone.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replaceAll(/\r(?!\n)/g, "\n");
  } catch {
    throw failed("is not UTF-8: save it as UTF-8");
  }
}

function valueOf(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch {
    // A few lines of nested aliases could expand beyond the memory.
    throw unreadable(path, "the aliases expand to too much data: write out what they refer to");
  }
}

const unreadable = (path: string, message: string): FileProblemsError =>
  new FileProblemsError([{ path, line: 1, column: 1, pointer: "", message }]);

/** A problem in a file. Lines and columns count from 1. */
export interface FileProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer to the member; empty if none. */
  readonly pointer: string;
  /** Without the value, which may be a misplaced secret. */
  readonly message: string;
}

/** Files are invalid. The message has a line for each problem, such as `agents.yaml:3:5: /agents/0/url is missing`. */
export class FileProblemsError extends Error {
  override readonly name = "FileProblemsError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    const files = [...new Set(problems.map(({ path }) => path))];
    const sorted = problems.toSorted(
      (a, b) => files.indexOf(a.path) - files.indexOf(b.path) || a.line - b.line || a.column - b.column,
    );
    const lines = sorted.map(({ path, line, column, pointer, message }) =>
      [`${path}:${line}:${column}:`, pointer, message].filter((word) => word !== "").join(" "),
    );
    super(lines.join("\n"));
    this.problems = sorted;
  }
}

/**
 * Returns the position of a JSON pointer (RFC 6901) in a YAML text: the key of a member, or an item. For a missing part, the position of
 * its deepest existing parent.
 */
function locate(document: Document, lines: LineCounter, pointer: string) {
  let node: unknown = document.contents;
  let at = offsetOf(node) ?? 0;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const within: Node | undefined = isAlias(node) ? node.resolve(document) : (node as Node | undefined);
    const part = partOf(within, name);
    if (part === undefined) break;
    // The target of an alias is elsewhere in the file; the position of the alias is the useful one.
    if (!isAlias(node)) at = offsetOf(part.key) ?? at;
    node = part.value;
  }
  const { line, col } = lines.linePos(at);
  return { line, column: col };
}

/** Returns a member of a map with its key; an item of a list is its own key. */
function partOf(node: Node | undefined, name: string): { readonly key: unknown; readonly value: unknown } | undefined {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  const item = isSeq(node) ? node.items[Number(name)] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
