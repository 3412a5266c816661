import { isUtf8 } from "node:buffer";
import { type Attachment, threadFileIds } from "@crosszone/contracts";
import { type BuiltinSkill, code, type SkillFile, type RunContext, type TaskInput } from "./skill.ts";

const [mostBytes, mostFiles] = [1_000_000, 5];
const textType = /^(?:text\/(?!html\b)|application\/(?:json|csv)\b|application\/[\w.-]+\+json\b)/i;
const textName = /\.(?:txt|text|log|csv|tsv|json|md|markdown)$/i;
const asking =
  /^(?:files?$|what(?: files?)? (?:did i (?:attach|send|upload)|have i (?:attached|sent|uploaded))|what(?:'s| is| are) in (?:the|this|that|these|my) (?:attached )?(?:files?|attachments?))/i;

/** Returns the files of a message; those of its thread if it has none and asks about files. */
export function filesToRead({ thread, attachments }: TaskInput, phrase: string): readonly Attachment[] {
  const earlier = threadFileIds(thread);
  const own = attachments.filter(({ id }) => !earlier.has(id));
  return own.length === 0 && asking.test(phrase) ? attachments : own;
}

const tooLarge = "It is larger than 1 MB, the most that I read.";

/** Why a file is not fetched at all. */
function reasonNotTo({ id, name = "", mime_type = "", size = 0, unreadable }: Attachment): string | undefined {
  if (unreadable !== undefined) return unreadable;
  if (!textType.test(mime_type) && !textName.test(name)) return "I read only text, CSV, JSON and Markdown.";
  if (size > mostBytes) return tooLarge;
  return id === undefined ? "It came without an id, so it can't be fetched." : undefined;
}

/** Reads the contents of text files. */
export async function readSkillFiles(
  files: readonly Attachment[],
  { readFile, signal }: RunContext,
): Promise<readonly SkillFile[]> {
  let count = 0;
  const read = async (file: Attachment): Promise<string> => {
    const why =
      reasonNotTo(file) ?? ((count += 1) > mostFiles ? `I read only the first ${mostFiles} files.` : undefined);
    if (why !== undefined) throw new Error(why);
    const bytes = await readFile(file.id ?? "");
    if (bytes.length > mostBytes) throw new Error(tooLarge);
    if (!isUtf8(bytes)) throw new Error("It is not UTF-8 text.");
    return new TextDecoder().decode(bytes);
  };
  return Promise.all(
    files.map(async (file): Promise<SkillFile> => {
      const { name = "unnamed" } = file;
      return (file.text === undefined ? read(file) : Promise.resolve(file.text)).then(
        (text) => ({ name, text }),
        (error: Error) => {
          signal.throwIfAborted();
          return { name, why: error.message };
        },
      );
    }),
  );
}

/** Says which files an answer doesn't consider and why, a line per reason. Empty when all files were read. */
export function unreadNote(files: readonly SkillFile[]): string {
  const unread = files.filter(({ why }) => why !== undefined);
  return [...Map.groupBy(unread, ({ why }) => why)]
    .map(([why, some]) => {
      const names = some.slice(0, 3).map(({ name }) => code(name, 60));
      return `_I did not read ${counted(some.length, "file")} (${names.join(", ")}${some.length > 3 ? ", …" : ""}). ${why}_`;
    })
    .join("\n");
}

/** Describes the files of a message. Also the answer when files come with a message that no skill matches. */
export function describeFiles(files: readonly SkillFile[]): string {
  if (files.length === 0) return "No file arrived with your message.";
  const lines = files
    .filter(({ text }) => text !== undefined)
    .map(({ name, text = "" }) => `- ${code(name, 60)}: ${contentOf(text)}`);
  return [[`**${counted(files.length, "file")} arrived.**`, ...lines].join("\n"), unreadNote(files)]
    .filter(Boolean)
    .join("\n\n");
}

const counted = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

const contentOf = (text: string): string =>
  `${counted(text.trimEnd().split("\n").length, "line")}, ${counted(text.match(/\S+/g)?.length ?? 0, "word")}`;

export const files: BuiltinSkill = {
  id: "files",
  name: "Files",
  description: "Lists the files of your message, or else of its thread: how long they are, or why one was not read.",
  examples: ["what did I attach", "what is in the files"],
  match: (phrase, question) => (asking.test(phrase) ? () => describeFiles(question.files) : undefined),
};
