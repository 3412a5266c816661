import type { PolicyRule } from "../policy-rule.ts";

/** There are at most so many files, each of at most so many bytes. A size that the event does not say is measured when the file is fetched. */
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
