import type { ParamProblem } from "./generated/types.ts";

/** A text can't be read as JSON without changing it. The message is a predicate of the text: "is not JSON". */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  /** `number`: numbers would change. `duplicate`: members are there twice; numbers may change, too. */
  readonly kind: "not_utf8" | "not_json" | "too_deep" | "number" | "duplicate";
  /** At least one, and at most 20. */
  readonly problems: ParamProblem[];
  /** The changed value; undefined if there is none. */
  readonly value: unknown;

  constructor(
    kind: JsonTextError["kind"],
    problems: string | ParamProblem[],
    { value, cause }: ErrorOptions & { readonly value?: unknown } = {},
  ) {
    const all = typeof problems === "string" ? [{ pointer: "", message: problems }] : problems;
    const list = all.map(({ pointer, message }) => `${pointer || "the value"} ${message}`);
    super(typeof problems === "string" ? problems : `can't be kept as sent: ${list.join("; ")}`, { cause });
    this.kind = kind;
    this.problems = all;
    this.value = value;
  }
}

/** A hostile text could cause hundreds of thousands. */
const maxProblems = 20;

/** Characters of a pointer. Without a limit, a long name would be read again for each number below it. */
const longestPointer = 1_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON that comes from outside; bytes must be UTF-8. JSON.parse rounds numbers and drops all but the last of duplicate members. This
 * throws a `JsonTextError` instead, also for nesting that is deeper than `maxDepth`. `freeNumbers`: pointers of numbers that the caller does
 * not use, or keeps as text. `areTexts`: whether the number at a pointer, if it would change, becomes its text. The notation of a number is
 * free: 1.10 and 1e3 are kept. https://www.rfc-editor.org/rfc/rfc7493#section-2.2
 */
export function parseExactJson(
  source: string | Uint8Array,
  { maxDepth = 64, freeNumbers, areTexts }: ExactJsonOptions = {},
): unknown {
  const text = typeof source === "string" ? source : decode(source);
  // Before JSON.parse, which reads a megabyte of brackets to its end.
  const { members, isExact } = scanned(text, maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonTextError("not_json", "is not JSON", { cause });
  }
  if (isExact && membersOf(value) === members) return value;
  const isFree = (pointer: string): boolean => (freeNumbers?.test(pointer) ?? false) || areTexts?.(pointer) === true;
  const { problems, hasDuplicate } = findProblems(text, isFree);
  if (problems.length === 0) return areTexts === undefined ? value : JSON.parse(text, withTexts);
  throw new JsonTextError(hasDuplicate ? "duplicate" : "number", problems, { value });
}

interface ExactJsonOptions {
  readonly maxDepth?: number;
  readonly freeNumbers?: RegExp;
  readonly areTexts?: (pointer: string) => boolean;
}

/** Replaces a number that would change with its text. https://tc39.es/proposal-json-parse-with-source/ */
const withTexts = (...[, member, context]: [string, unknown, { readonly source: string }?]): unknown =>
  typeof member === "number" && context && changeOfNumber(context.source) !== undefined ? context.source : member;

/** Scans a text. One that is too deep, and whose brackets don't match, is no JSON. */
function scanned(text: string, maxDepth: number): ReturnType<typeof scan> {
  try {
    return scan(text, maxDepth);
  } catch (error) {
    throw isBalanced(text) ? error : new JsonTextError("not_json", "is not JSON", { cause: error });
  }
}

/** Returns whether each bracket of a text has its own. Takes linear time and no stack. */
function isBalanced(text: string): boolean {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === openBrace) open.push(closeBrace);
    else if (unit === openBracket) open.push(closeBracket);
    else if ((unit === closeBrace || unit === closeBracket) && open.pop() !== unit) return false;
  }
  return open.length === 0;
}

/** Whether a text opens more than `levels` nested arrays and objects. It may be invalid, and is read up to the first excess level. */
export function isDeeperThan(text: string, levels: number): boolean {
  try {
    scan(text, levels);
    return false;
  } catch {
    return true;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new JsonTextError("not_utf8", "is not UTF-8", { cause });
  }
}

/** The characters that give JSON its structure, as code units. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
/** In either case. */
const exponentSign = 0x65;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [point, plus, minus, zero, nine] = [0x2e, 0x2b, 0x2d, 0x30, 0x39];

/** Returns the number of members of all objects, and whether all numbers are exact. The text may be invalid. */
function scan(text: string, maxDepth: number): { readonly members: number; readonly isExact: boolean } {
  let members = 0;
  let depth = 0;
  let isExact = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === colon) members++;
    else if (unit === openBrace || unit === openBracket) {
      if (++depth > maxDepth) throw new JsonTextError("too_deep", `is nested in more than ${maxDepth} levels`);
    } else if (unit === closeBrace || unit === closeBracket) depth--;
    else if (startsNumber(unit)) {
      const end = endOfNumber(text, at);
      if (isExact && !isPlain(text, at, end)) isExact = changeOfNumber(text.slice(at, end)) === undefined;
      at = end - 1;
    }
  }
  return { members, isExact };
}

/** Returns the position of the closing quote of a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

const startsNumber = (unit: number): boolean => unit === minus || (unit >= zero && unit <= nine);

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  let unit = text.charCodeAt(end);
  while (startsNumber(unit) || unit === point || unit === plus || (unit | 0x20) === exponentSign)
    unit = text.charCodeAt(++end);
  return end;
}

/** Recognizes most numbers that need no closer look: a double keeps 15 digits. */
function isPlain(text: string, start: number, end: number): boolean {
  if (end - start > 15 || (text.charCodeAt(start) === minus && text.charCodeAt(start + 1) === zero)) return false;
  for (let at = start; at < end; at++) if ((text.charCodeAt(at) | 0x20) === exponentSign) return false;
  return true;
}

/** Returns the number of members of all objects of a parsed value. */
function membersOf(value: unknown): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && item !== null) members += membersOf(item);
  } else
    for (const name in value as object) {
      const member: unknown = (value as object)[name as never];
      members += typeof member === "object" && member !== null ? 1 + membersOf(member) : 1;
    }
  return members;
}

/** Finds what changes in a valid JSON text. */
function findProblems(
  text: string,
  isFree: (pointer: string) => boolean,
): { readonly problems: ParamProblem[]; readonly hasDuplicate: boolean } {
  const problems: ParamProblem[] = [];
  /** `before`: the pointer of the array or object. */
  const levels: { place: string | number; readonly names?: Set<string>; readonly before: string }[] = [];
  let expectsName = false;
  let hasDuplicate = false;
  const pointer = (): string => {
    const { before, place } = levels.at(-1) ?? { before: "", place: undefined };
    const whole = place === undefined ? "" : before + pointerStep(place);
    return whole.length > longestPointer ? `${whole.slice(0, longestPointer)}…` : whole;
  };
  for (let at = 0; at < text.length && problems.length < maxProblems; at++) {
    const unit = text.charCodeAt(at);
    const level = levels.at(-1);
    if (unit === openBrace || unit === openBracket) {
      const before = pointer();
      levels.push(unit === openBrace ? { place: "", names: new Set(), before } : { place: 0, before });
      expectsName = true;
    } else if (unit === closeBrace || unit === closeBracket) levels.pop();
    else if (unit === comma && level !== undefined) {
      if (typeof level.place === "number") level.place++;
      expectsName = true;
    } else if (unit === quote) {
      const end = endOfString(text, at);
      if (level?.names !== undefined && expectsName) {
        level.place = JSON.parse(text.slice(at, end + 1)) as string;
        if (level.names.has(level.place)) {
          problems.push({ pointer: pointer(), message: "is there twice: keep one" });
          hasDuplicate = true;
        }
        level.names.add(level.place);
        expectsName = false;
      }
      at = end;
    } else if (startsNumber(unit)) {
      const end = endOfNumber(text, at);
      const source = text.slice(at, end);
      const change = changeOfNumber(source);
      const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
      if (change !== undefined && !isFree(pointer()))
        problems.push({ pointer: pointer(), message: `is ${shown}, which would become ${change}: send it as text` });
      at = end - 1;
    }
  }
  return { problems, hasDuplicate };
}

/**
 * Returns what a number, written in decimal, becomes when it is read and written again; undefined if it is kept. An integer is kept if
 * JavaScript writes the same integer. A fraction is also kept if its digits are those of its double: C writes 0.1 as 0.10000000000000001.
 */
export function changeOfNumber(source: string): string | undefined {
  const value = Number(source);
  if (String(value) === source) return undefined;
  const given = decimalOf(source);
  if (given !== undefined) {
    const { text, digits, exponent } = given;
    if (decimalOf(String(value))?.text === text) return undefined;
    const isFraction = exponent < 0 && digits > 0 && digits <= 100;
    if (isFraction && decimalOf(value.toPrecision(digits))?.text === text) return undefined;
  }
  return JSON.stringify(value);
}

/** Returns a number in one notation, such as `-15e-1` for -1.50; undefined for one that is not finite. */
function decimalOf(number: string) {
  const [, sign, whole, fraction = "", power = "0"] = /^[+]?(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  const exponent = end === 0 ? 0 : Number(power) - fraction.length + digits.length - end;
  return { text: `${sign}${digits.slice(0, end)}e${exponent}`, digits: end, exponent };
}

/** Returns what a JSON pointer has for a member or an item. https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export const pointerStep = (name: unknown): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** A JSON object. Read only its own members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object; an empty one for anything else. */
export const recordOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns an own member of a JSON object, so that `constructor` is undefined in `{}`. */
export function ownMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** Returns a list member of a JSON object; an empty list for anything else. */
export function ownList(value: unknown, member: string): readonly unknown[] {
  const list = ownMember(value, member);
  return Array.isArray(list) ? list : [];
}

/** Returns the value of a JSON text as JavaScript reads it; undefined if it is not JSON. `parseExactJson` is for values that are kept. */
export function plainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a JSON value as the only text that RFC 8785 allows for it: members in the order of code units, no spaces. Members that are
 * undefined are omitted. https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}
