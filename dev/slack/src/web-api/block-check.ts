/** A problem of a part of a block, and the JSON pointer to it inside the block. */
export type Problem = readonly [problem: string, pointer: string];

/** Checks one value; `at` is its JSON pointer. */
export type Check = (value: unknown, at: string) => Problem[];

/** Returns true if a value is a plain JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a text of 1 to `longest` characters. */
export function string(longest: number): Check {
  return (value, at) => {
    if (typeof value !== "string") return [["must be a string", at]];
    if (value.length === 0) return [["must be more than 0 characters", at]];
    return value.length > longest ? [[`must be less than ${longest + 1} characters`, at]] : [];
  };
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

/** Checks a list of 1 to `most` items. */
export function list(most: number, each: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value) || value.length === 0) return [["must have at least 1 item", at]];
    const problems = value.flatMap((item: unknown, index) => each(item, `${at}/${index}`));
    return value.length > most ? [[`no more than ${most} items allowed`, at], ...problems] : problems;
  };
}

/** Checks that an element has a type; its content is not checked. */
export const element: Check = (value, at) =>
  isObject(value) && typeof value["type"] === "string" ? [] : [["missing required field: type", at]];
