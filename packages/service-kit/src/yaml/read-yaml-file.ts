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
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys });
  const mistakes: FileProblem[] = [];
  const mistake = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    mistakes.push({ path, line, column: col, pointer: "", message });
  };
  for (const { pos, code, message } of [...document.errors, ...document.warnings]) {
    const { line } = lines.linePos(pos[0]);
    const split = one
      ? `one file is one ${one}: split at line ${line}`
      : `the ${what} has a second document: remove it`;
    // The parser quotes the text after a colon.
    mistake(pos[0], code === "MULTIPLE_DOCS" ? split : (message.split(":", 1)[0] as string));
  }
  visit(document, (_, node) => {
    const wrong = isPair(node) ? wrongKey(node.key) : isScalar(node) ? changeOf(node) : undefined;
    if (wrong !== undefined) mistake((isPair(node) ? offsetOf(node.key) : offsetOf(node)) ?? 0, wrong);
  });
  if (mistakes.length > 0) throw new FileProblemsError(mistakes);
  return {
    path,
    value: valueOf(document, path),
    problemAt: (problem) => ({ path, ...locate(document, lines, problem.pointer), ...problem }),
  };
}

/** Returns what is wrong with the key of a member; undefined if nothing is. */
function wrongKey(key: unknown): string | undefined {
  // An unquoted {{…}} is an object as the key of an object.
  if (isCollection(key)) return "a key must be a text: put quotes around a text that begins with a brace or a bracket";
  const isMerge = isScalar(key) && key.value === "<<" && key.type === "PLAIN";
  return isMerge ? "YAML merge keys are not supported: write the members out" : undefined;
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
  const bytes = await readBytes(path, what);
  // The parser handles a byte order mark.
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable(path, `the ${what} is not UTF-8: save it as UTF-8`);
  }
}

async function readBytes(path: string, what: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    // Reading a pipe would block until another process writes to it.
    if (!found.isFile()) throw unreadable(path, `the ${what} is not a regular file: create one, or set another path`);
    if (found.size <= mostBytes) return await readFile(path);
  } catch (error) {
    if (error instanceof FileProblemsError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw unreadable(path, `the ${what} cannot be read (${code}): create it, or set another path`);
  }
  throw unreadable(path, `the ${what} is too large: the limit is 4,000,000 bytes`);
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
function locate(document: Document, lines: LineCounter, pointer: string): Pick<FileProblem, "line" | "column"> {
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
