import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node } from "yaml";

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
