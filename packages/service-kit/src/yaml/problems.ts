import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";

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

export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the position of a JSON pointer (RFC 6901) in a YAML text: the key of a member, or an item. For a missing part, the position of
 * its deepest existing parent.
 */
export function locate(document: Document, lines: LineCounter, pointer: string): Position {
  let node: unknown = document.contents;
  let at = offsetOf(node) ?? 0;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const within: Node | undefined = isAlias(node) ? node.resolve(document) : (node as Node | undefined);
    const step = isMap(within) ? memberOf(within.items, name) : isSeq(within) ? itemOf(within.items, name) : undefined;
    if (step === undefined) break;
    // The target of an alias is elsewhere in the file; the position of the alias is the useful one.
    if (!isAlias(node)) at = offsetOf(step.place) ?? at;
    node = step.node;
  }
  const { line, col } = lines.linePos(at);
  return { line, column: col };
}

interface Step {
  readonly place: unknown;
  readonly node: unknown;
}

function memberOf(
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
  name: string,
): Step | undefined {
  const pair = pairs.find(({ key }) => isScalar(key) && String(key.value) === name);
  return pair && { place: pair.key, node: pair.value };
}

function itemOf(items: readonly unknown[], name: string): Step | undefined {
  const item = items[Number(name)];
  return item === undefined ? undefined : { place: item, node: item };
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
