import type { PolicyRule } from "../policy-rule.ts";

/** Denies texts of more than `mostCharacters` characters. */
export function createTextLengthRule(mostCharacters: number): PolicyRule {
  return {
    name: "text_length",
    judge: ({ record }) =>
      record.kind === "ask" && record.text.length > mostCharacters
        ? { reason: "text_too_long", limit: mostCharacters }
        : "allow",
  };
}
