import type { QueryMember } from "./read-query.ts";

/** Any text. */
export const text: QueryMember<string | undefined> = (value) => value;

export const trueOrFalse: QueryMember<boolean | undefined> = (value, wrong) => {
  if (value !== undefined && value !== "true" && value !== "false") wrong("must be true or false");
  return value === undefined ? undefined : value === "true";
};

/** Text that passes a check of the contract; `rule` describes valid text. */
export function textThat<Value extends string>(
  check: (value: unknown) => value is Value,
  rule: string,
): QueryMember<Value | undefined> {
  return (value, wrong) => {
    if (value === undefined || check(value)) return value;
    wrong(rule);
    return undefined;
  };
}

function wholeNumber({ least, most, usual }: Record<"least" | "most" | "usual", number>): QueryMember<number> {
  return (value, wrong) => {
    if (value === undefined) return usual;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    if (number >= least && number <= most) return number;
    wrong(`must be a whole number from ${least} to ${most}`);
    return usual;
  };
}

/** The part of a list to return. */
export const page: { readonly limit: QueryMember<number>; readonly offset: QueryMember<number> } = {
  limit: wholeNumber({ least: 1, most: 200, usual: 50 }),
  offset: wholeNumber({ least: 0, most: 999_999_999, usual: 0 }),
};
