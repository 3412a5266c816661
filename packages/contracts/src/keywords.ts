import { isObject, type JsonObject, pointerStep } from "./json.ts";

/** One failure: where in the value, and which keyword of the schema, with what it says. */
export interface ValidationFailure {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
  /** The members that are known, for one that is not. */
  known?: ReadonlySet<string>;
  /** The name of a member that is wrong. */
  name?: string;
}

/** Adds the failures of a value; their paths begin at the value. */
export type ValueCheck = (value: unknown, failures: ValidationFailure[]) => void;

/** The validators of other schemas, by `$ref`. */
export type Refs = Readonly<
  Record<
    string,
    { (value: unknown): boolean; errors?: ValidationFailure[] | null; readonly filled: (value: unknown) => unknown }
  >
>;

/** A JSON Schema 2020-12, with the keywords that the contract uses. */
export interface Schema {
  title?: string;
  description?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  /** The member whose constant says which branch of `oneOf` is meant: only that branch is read. */
  discriminator?: { propertyName: string };
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** What to write, the rest of a sentence: for people whose text does not match. Editors show it too. */
  patternErrorMessage?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  /** The value of an absent member. */
  default?: unknown;
  /** Never logged. */
  "x-secret"?: boolean;
  /** The API leaves it out without the scope `content:read`. */
  "x-content"?: boolean;
  /** What each value of `enum` means. */
  "x-meanings"?: Record<string, string>;
}

/** What the rule of a keyword is made from besides its own schema. */
export interface Parts {
  /** Returns what checks a value against an inner schema. */
  readonly checkOf: (schema: Schema) => ValueCheck;
  readonly refs: Refs;
}

/** A rule of one keyword: a value for which it does not hold fails with the message. */
export function rule<Value>(
  keyword: string,
  params: Record<string, unknown>,
  ...[holds, message]: [holds: (value: Value) => boolean, message: string]
): ValueCheck {
  return (value, failures) => {
    if (!holds(value as Value)) failures.push({ instancePath: "", keyword, params, message });
  };
}

export function compared(
  ...[keyword, comparison, limit, holds]: [string, string, limit: number, holds: (value: number) => boolean]
): ValueCheck {
  return rule(keyword, { comparison, limit }, holds, `must be ${comparison} ${limit}`);
}

export function most<Value>(
  keyword: string,
  limit: number,
  ...[size, of]: [(value: Value) => number, string]
): ValueCheck {
  return rule(keyword, { limit }, (value: Value) => size(value) <= limit, `must NOT have more than ${limit} ${of}`);
}

export function fewest<Value>(
  keyword: string,
  limit: number,
  ...[size, of]: [(value: Value) => number, string]
): ValueCheck {
  return rule(keyword, { limit }, (value: Value) => size(value) >= limit, `must NOT have fewer than ${limit} ${of}`);
}

export const lengthOf = (items: readonly unknown[]): number => items.length;
export const countOf = (members: JsonObject): number => Object.keys(members).length;

/** Returns the length of a string in code points, as in JSON Schema. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (!isPair) continue;
    length--;
    i++;
  }
  return length;
}

/** Checks what another schema says. */
export function referred({ refs }: Parts, ref: string): ValueCheck {
  const validate = refs[ref];
  if (!validate) throw new Error(`no validator of ${ref}`);
  return (value, failures) => {
    if (!validate(value)) for (const failure of validate.errors ?? []) failures.push(failure);
  };
}

export function exactlyOne(branches: readonly Schema[], { checkOf }: Parts): ValueCheck {
  const checks = branches.map((branch) => checkOf(branch));
  return (value, failures) => {
    const before = failures.length;
    const passing = checks.flatMap((check, index) => {
      const length = failures.length;
      check(value, failures);
      return failures.length === length ? [index] : [];
    });
    if (passing.length === 1) failures.length = before;
    else
      failures.push({
        instancePath: "",
        keyword: "oneOf",
        params: { passingSchemas: passing.length === 0 ? null : passing },
        message: "must match exactly one schema in oneOf",
      });
  };
}

/** Checks only the branch that the member of a union names. */
export function namedBranch({ discriminator, oneOf = [] }: Schema, { checkOf }: Parts): ValueCheck {
  const tag = discriminator?.propertyName ?? "";
  const branches = new Map(oneOf.map((branch) => [branch.properties?.[tag]?.const, checkOf(branch)]));
  return (value, failures) => {
    const tagValue = (value as JsonObject)[tag];
    const check = typeof tagValue === "string" ? branches.get(tagValue) : undefined;
    if (check) return check(value, failures);
    const error = typeof tagValue === "string" ? "mapping" : "tag";
    const message = error === "tag" ? `tag "${tag}" must be string` : `value of tag "${tag}" must be in oneOf`;
    failures.push({ instancePath: "", keyword: "discriminator", params: { error, tag, tagValue }, message });
  };
}

/** The most failures that one list, or the members of one object, are reported with. */
export const enoughFailures = 20;

/** Checks a part of a value: the failures' paths get the part's name. */
function within(
  check: ValueCheck,
  [part, name]: readonly [unknown, string | number],
  failures: ValidationFailure[],
): void {
  const before = failures.length;
  check(part, failures);
  if (failures.length === before) return;
  for (const failure of failures.slice(before)) failure.instancePath = pointerStep(name) + failure.instancePath;
}

export function eachItem(check: ValueCheck): ValueCheck {
  return (value, failures) => {
    const items = value as readonly unknown[];
    const enough = failures.length + enoughFailures;
    for (let i = 0; i < items.length && failures.length < enough; i++) within(check, [items[i], i], failures);
  };
}

export function hasMembers(names: readonly string[]): ValueCheck {
  return (value, failures) => {
    for (const name of names)
      if ((value as JsonObject)[name] === undefined)
        failures.push({
          instancePath: "",
          keyword: "required",
          params: { missingProperty: name },
          message: `must have required property '${name}'`,
        });
  };
}

export function eachName(check: ValueCheck): ValueCheck {
  return (value, failures) => {
    const enough = failures.length + enoughFailures;
    for (const name in value as JsonObject) {
      const before = failures.length;
      check(name, failures);
      if (failures.length === before) continue;
      for (const failure of failures.slice(before)) failure.name = name;
      failures.push({
        instancePath: "",
        keyword: "propertyNames",
        params: { propertyName: name },
        message: "property name must be valid",
      });
      if (failures.length >= enough) return;
    }
  };
}

export function otherMembers(
  { properties = {}, additionalProperties = true }: Schema,
  { checkOf }: Parts,
): ValueCheck | undefined {
  if (additionalProperties === true) return undefined;
  const check = additionalProperties === false ? undefined : checkOf(additionalProperties);
  const known = new Set(Object.keys(properties));
  return (value, failures) => {
    const enough = failures.length + enoughFailures;
    for (const name in value as JsonObject) {
      if (known.has(name)) continue;
      if (check) within(check, [(value as JsonObject)[name], name], failures);
      else
        failures.push({
          instancePath: "",
          keyword: "additionalProperties",
          params: { additionalProperty: name },
          message: "must NOT have additional properties",
          known,
        });
      if (failures.length >= enough) return;
    }
  };
}

/** Returns a valid value with the defaults of its schema in place of absent members. */
export function filledBy(schema: Schema, refs: Refs, value: unknown): unknown {
  const { $ref, items, properties = {}, additionalProperties: others } = schema;
  if ($ref !== undefined) return refs[$ref]?.filled(value);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => filledBy(items, refs, item));
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    filled[name] = typeof others === "object" ? filledBy(others, refs, member) : member;
  for (const [name, member] of Object.entries(properties)) {
    const own = Object.hasOwn(value, name) ? value[name] : member.default;
    if (own !== undefined) filled[name] = filledBy(member, refs, own);
  }
  return filled;
}

export function knownMembers(properties: Readonly<Record<string, Schema>>, { checkOf }: Parts): ValueCheck {
  const members = Object.entries(properties).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  return (value, failures) => {
    for (const { name, check } of members) {
      const member = (value as JsonObject)[name];
      if (member !== undefined) within(check, [member, name], failures);
    }
  };
}
