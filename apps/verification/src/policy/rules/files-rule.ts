import type { PolicyRule } from "../policy-rule.ts";

/** Limits the number of files, and the size of each. A file whose size the event omits is measured when it is fetched. */
export function createFilesRule({
  mostFiles,
  mostBytes,
}: {
  readonly mostFiles: number;
  readonly mostBytes: number;
}): PolicyRule {
  return {
    name: "files",
    judge: ({ record }) => {
      if (record.kind !== "ask") return "allow";
      if (record.files.length > mostFiles) return { reason: "too_many_files", limit: mostFiles };
      const tooLarge = record.files.some(({ size = 0 }) => size > mostBytes);
      return tooLarge ? { reason: "file_too_large", limit: mostBytes } : "allow";
    },
  };
}
