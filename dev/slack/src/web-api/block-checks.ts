/** A problem of a part of a block, and the JSON pointer to it inside the block. */
export type Problem = readonly [problem: string, pointer: string];

/** Checks one value; `at` is its JSON pointer. */
export type Check = (value: unknown, at: string) => Problem[];

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Returns true if a value is a plain JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Accepts any value. */
export const anything: Check = () => [];

/** Checks a text of `least`, by default 1, to `longest` characters. */
export function string(longest: number, least = 1): Check {
  return (value, at) => {
    if (typeof value !== "string") return [["must be a string", at]];
    if (value.length < least) return [[`must be more than ${least - 1} characters`, at]];
    return value.length > longest ? [[`must be less than ${longest + 1} characters`, at]] : [];
  };
}

/** Checks a boolean. */
export const boolean: Check = (value, at) => (typeof value === "boolean" ? [] : [["must be a boolean", at]]);

/** Checks a whole number of this range. */
export function wholeNumber(least: number, most: number = Infinity): Check {
  return (value, at) => {
    if (!Number.isInteger(value)) return [["must be an integer", at]];
    if (Number(value) < least) return [[`must be greater than or equal to ${least}`, at]];
    return Number(value) > most ? [[`must be less than or equal to ${most}`, at]] : [];
  };
}

/** Checks that a value is one of these. */
export function oneOf(...allowed: readonly string[]): Check {
  return (value, at) => (allowed.includes(value as string) ? [] : [[`must be a valid enum value`, at]]);
}

/** Checks a text object of these types. See https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export function textObject(longest: number, types: readonly string[] = ["plain_text", "mrkdwn"]): Check {
  const checkText = string(longest);
  return (value, at) => {
    if (!isObject(value)) return [["must be a text object", at]];
    const { type, text } = value;
    const isKnown = typeof type === "string" && types.includes(type);
    return [
      ...(isKnown ? [] : [[`unsupported type: ${JSON.stringify(type)}`, `${at}/type`] as const]),
      ...checkText(text, `${at}/text`),
    ];
  };
}

/** Checks a `plain_text` object. */
export const plain = (longest: number): Check => textObject(longest, ["plain_text"]);

/** Checks a list of 1 to `most` items. */
export function list(most: number, each: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value) || value.length === 0) return [["must have at least 1 item", at]];
    const problems = value.flatMap((item: unknown, index) => each(item, `${at}/${index}`));
    return value.length > most ? [[`no more than ${most} items allowed`, at], ...problems] : problems;
  };
}

/** The members of an object. */
export interface Rule {
  required?: Readonly<Record<string, Check>>;
  optional?: Readonly<Record<string, Check>>;
  /** One of these is required. */
  oneOf?: readonly string[];
  /** Rejects members that are not listed. */
  closed?: true;
}

/** Checks the members of an object. */
export function members({ required = {}, optional = {}, oneOf: anyOf, closed }: Rule): Check {
  const checks = { ...required, ...optional };
  return (value, at) => {
    if (!isObject(value)) return [["must be an object", at]];
    const missing = Object.keys(required).filter((name) => value[name] === undefined);
    const isNone = anyOf?.every((name) => value[name] === undefined) === true;
    const unknown = closed ? Object.keys(value).filter((name) => name !== "type" && !(name in checks)) : [];
    return [
      ...missing.map((name): Problem => [`missing required field: ${name}`, at]),
      ...(isNone ? [[`missing required field: ${anyOf.join(" or ")}`, at] as const] : []),
      ...unknown.map((name): Problem => [`invalid additional property: ${name}`, at]),
      ...Object.entries(checks).flatMap(([name, check]) =>
        value[name] === undefined ? [] : check(value[name], `${at}/${name}`),
      ),
    ];
  };
}

/** Checks an object by its `type`, one of `allowed`. */
export function typed(rules: Readonly<Record<string, Check>>, allowed: readonly string[] = Object.keys(rules)): Check {
  return (value, at) => {
    if (!isObject(value)) return [["must be an object", at]];
    const { type } = value;
    if (type === undefined) return [["missing required field: type", at]];
    const rule = typeof type === "string" && allowed.includes(type) ? rules[type] : undefined;
    return rule ? rule(value, at) : [[`unsupported type: ${JSON.stringify(type)}`, at]];
  };
}
