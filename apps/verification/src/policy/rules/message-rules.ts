import type { PolicyLimits, PolicyRule } from "../policy-rule.ts";

/** Denies a message that arrived when too many questions were waiting in its thread. */
export function threadQueueRule({ mostWaiting }: Pick<PolicyLimits, "mostWaiting">): PolicyRule {
  return ({ record }) => (record.kind === "turned_away" ? { reason: "thread_busy", limit: mostWaiting } : "allow");
}

/** Limits the characters of a question. */
export function textLengthRule({ mostCharacters }: Pick<PolicyLimits, "mostCharacters">): PolicyRule {
  return ({ record }) =>
    record.kind === "ask" && record.text.length > mostCharacters
      ? { reason: "text_too_long", limit: mostCharacters }
      : "allow";
}

/** Limits the number of files, and the size of each. A file whose size the event omits is measured when it is fetched. */
export function filesRule({ mostFiles, mostFileBytes }: Pick<PolicyLimits, "mostFiles" | "mostFileBytes">): PolicyRule {
  return ({ record }) => {
    if (record.kind !== "ask") return "allow";
    if (record.files.length > mostFiles) return { reason: "too_many_files", limit: mostFiles };
    const tooLarge = record.files.some(({ size = 0 }) => size > mostFileBytes);
    return tooLarge ? { reason: "file_too_large", limit: mostFileBytes } : "allow";
  };
}
