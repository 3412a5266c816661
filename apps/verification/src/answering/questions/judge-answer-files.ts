import type { TaskFile } from "@crosszone/contracts";
import { type FileRules, isAllowedType, mediaTypeOf } from "../../slack/files/check-file.ts";
import { oneLine } from "../markdown/neutralise.ts";

export interface JudgedFiles {
  readonly files: readonly TaskFile[];
  /** A note that names the refused files and the reasons, as Markdown to append to the answer; empty without refused files. */
  readonly note: string;
}

/** Selects the files of an answer to attach, by the same rules as files of questions. */
export function judgeAnswerFiles(
  files: readonly TaskFile[] = [],
  { types, maxBytes }: Pick<FileRules, "types" | "maxBytes">,
): JudgedFiles {
  const refused = (file: TaskFile): string | undefined => {
    const type = mediaTypeOf(file.media_type);
    if (!isAllowedType(type, types)) return `files of the type ${type} are not allowed here`;
    return file.size > maxBytes ? `it is larger than ${Math.floor(maxBytes / 1_000_000)} MB` : undefined;
  };
  const notes = files.flatMap((file) => {
    const why = refused(file);
    return why === undefined ? [] : [`\n\n_The file ${oneLine(file.name, 80)} is not attached: ${why}._`];
  });
  return { files: files.filter((file) => refused(file) === undefined), note: notes.join("") };
}
