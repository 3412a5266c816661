import { parseAst } from "rolldown/parseAst";

/** One small fault in the product. Its file, text and occurrence find it again when lines moved. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly kind: "negate" | "drop" | "bound" | "return";
  /** The lines that change, from the first word on, and what they become. */
  readonly from: string;
  readonly to: string;
  /** Which of the equal texts of the file: 0 is the first. */
  readonly nth: number;
}

/** Where a mutant could be: its offset, and whether a function contains it. Code outside of functions runs once a process. */
export interface Place extends Mutant {
  readonly offset: number;
  readonly inFunction: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** A table has room for so many lines of a mutant. */
const mostLines = 3;

const otherBound: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const otherLogic: Readonly<Record<string, string>> = { "&&": "||", "||": "&&" };

/** Returns all mutants of a file that its kinds allow, in the order of its text. */
export function findPlaces(file: string, text: string): Place[] {
  const places: Place[] = [];
  visit(parseAst(text, { lang: "ts" }) as unknown as Node, undefined, (node, around) => {
    for (const [kind, at, replacement] of changesOf(node, around, text)) {
      const start = text.lastIndexOf("\n", at.start - 1) + 1;
      const first = start + /^\s*/.exec(text.slice(start, at.start))![0].length;
      const end = text.indexOf("\n", at.end);
      const from = text.slice(first, end);
      if (from.split("\n").length > mostLines) continue;
      const to = text.slice(first, at.start) + replacement + text.slice(at.end, end);
      const before = text.slice(0, first);
      const [line, nth] = [before.split("\n").length, before.split(from).length - 1];
      places.push({ file, line, kind, from, to, nth, offset: at.start, inFunction: around !== undefined });
    }
  });
  return places.toSorted((a, b) => a.offset - b.offset);
}

type Change = readonly [kind: Mutant["kind"], at: Node, replacement: string];

/** Returns the changes of one node, which the function `around` contains. */
function changesOf(node: Node, around: Node | undefined, text: string): Change[] {
  const source = (of: Node) => text.slice(of.start, of.end);
  const { type, operator } = node as { type: string; operator?: string };
  if (type === "IfStatement" || type === "WhileStatement" || type === "ConditionalExpression") {
    const test = node["test"] as Node;
    return [["negate", test, `!(${source(test)})`]];
  }
  if (type === "ExpressionStatement") {
    const expression = node["expression"] as Node;
    const call = expression.type === "AwaitExpression" ? (expression["argument"] as Node) : expression;
    const isSuper = (call["callee"] as Node | undefined)?.type === "Super";
    return call.type === "CallExpression" && !isSuper ? [["drop", node, ";"]] : [];
  }
  if (type === "ReturnStatement") {
    const returned = node["argument"] as Node | null;
    const returns = around?.["returnType"] as Node | null | undefined;
    const isNothing = returned === null || source(returned) === "undefined";
    if (isNothing || (returns && /\bvoid\b/.test(source(returns)))) return [];
    return [["return", node, "return undefined as never;"]];
  }
  if (type === "VariableDeclarator") {
    const [id, init] = [node["id"] as Node, node["init"] as Node | null];
    return init && isNumber(init) && /^(most|least|max|min|limit)/i.test(source(id))
      ? [["bound", init, oneMore(source(init))]]
      : [];
  }
  if (operator === undefined || !(type === "LogicalExpression" || type === "BinaryExpression")) return [];
  const [left, right] = [node["left"] as Node, node["right"] as Node];
  const between = { ...node, start: left.end, end: right.start };
  const swapped = (other: string) => source(between).replace(operator, other);
  if (otherLogic[operator] !== undefined) return [["negate", between, swapped(otherLogic[operator])]];
  const isEquality = /^[!=]==$/.test(operator);
  if (otherBound[operator] === undefined && !isEquality) return [];
  const numbers = [left, right].filter(isNumber).map((of): Change => ["bound", of, oneMore(source(of))]);
  return isEquality ? numbers : [["bound", between, swapped(otherBound[operator]!)], ...numbers];
}

const isNumber = (node: Node): boolean => node.type === "Literal" && typeof node["value"] === "number";
const oneMore = (number: string): string => `${number} + 1`;

function visit(node: Node, around: Node | undefined, see: (node: Node, around: Node | undefined) => void): void {
  see(node, around);
  const isFunction = /Function|^PropertyDefinition$|^StaticBlock$/.test(node.type);
  for (const [member, value] of Object.entries(node)) {
    if (member === "typeAnnotation" || member === "returnType") continue;
    for (const child of [value].flat())
      if (typeof (child as Node | null)?.type === "string") visit(child as Node, isFunction ? node : around, see);
  }
}

/** Returns the text with the mutant's fault, or `undefined` if the text has its lines no more. */
export function mutate(text: string, { from, to, nth }: Mutant): string | undefined {
  const parts = text.split(from);
  if (parts.length < nth + 2) return undefined;
  return `${parts.slice(0, nth + 1).join(from)}${to}${parts.slice(nth + 1).join(from)}`;
}

/** Returns the room of a source: a folder of a zone, a package or a tool. */
export const roomOf = (path: string): string | undefined =>
  /^apps\/\w+\/src\/[^/]+(?=\/)|^(packages|tools)\/[^/]+/.exec(path)?.[0];

/**
 * Draws `count` mutants that a test executes, `least` of them from each room and the rest from all: a large room gets more of them.
 * Each draw chooses a kind first, since conditions are far more than bounds. Also returns the drawn that no test executes.
 */
export function drawMutants(
  places: readonly Place[],
  { seed, count, least }: { readonly seed: number; readonly count: number; readonly least: number },
  isExecuted: (place: Place) => boolean,
): { readonly drawn: Place[]; readonly unexecuted: Place[] } {
  const random = randomFrom(seed);
  const drawn: Place[] = [];
  const unexecuted: Place[] = [];
  const left = new Set(places);
  const draw = (among: readonly Place[], most: number) => {
    const enough = drawn.length + most;
    while (drawn.length < enough) {
      const open = among.filter((place) => left.has(place));
      const kinds = [...new Set(open.map(({ kind }) => kind))];
      const kind = kinds[Math.floor(random() * kinds.length)];
      const ofKind = open.filter((place) => place.kind === kind);
      const place = ofKind[Math.floor(random() * ofKind.length)];
      if (place === undefined) return;
      // Two faults in the same lines say little more than one.
      for (const near of open) if (near.file === place.file && near.line === place.line) left.delete(near);
      (isExecuted(place) ? drawn : unexecuted).push(place);
    }
  };
  const rooms = Map.groupBy(places, ({ file }) => roomOf(file) ?? "");
  rooms.delete("");
  for (const room of [...rooms.keys()].toSorted()) draw(rooms.get(room)!, least);
  draw([...rooms.values()].flat(), count - drawn.length);
  return { drawn, unexecuted };
}

/** Returns a generator of numbers from 0 to 1, mulberry32: the same seed gives the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
