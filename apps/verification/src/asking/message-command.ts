import type { CallOptions } from "@crosszone/jsonrpc";
import type { ZoneLink } from "../link/zone-link.ts";

/** Timeout for listing the names, milliseconds. After it the message is treated as a question. */
const timeoutMs = 3_000;

/**
 * Returns the command that a message means. `ask <name> …`, `run <name> …` and `@<name> …` without a colon are commands if an agent or a
 * workflow has that name. Otherwise they are ordinary questions, such as "ask me anything". Names are found in any case, because phones
 * begin a word with a capital letter. The text that goes to an agent or workflow `literally` is no command.
 */
export async function meantCommand(
  text: string,
  {
    link,
    call,
    literally,
  }: { readonly link: ZoneLink; readonly call: CallOptions; readonly literally?: string | undefined },
): Promise<WrittenCommand> {
  const command = literally === undefined ? readCommand(text) : ({ kind: "ask", agent: literally, text } as const);
  const named = "agent" in command && command.agent !== undefined ? command : undefined;
  const possible = named ?? readLooseCommand(text);
  const wanted = possible?.agent.toLowerCase();
  if (possible === undefined || (literally === undefined && named?.agent === wanted)) return command;
  const { agents = [] } = (await link.call("list_agents", {}, { ...call, timeoutMs }).catch(() => undefined)) ?? {};
  const alike = agents.filter(({ name }) => name.toLowerCase() === wanted);
  const found = alike.find(({ name }) => name === possible.agent) ?? alike[0];
  if (found === undefined) return command;
  const kind = found.kind === "workflow" ? "run" : "ask";
  return { ...possible, kind: literally === undefined ? (named?.kind ?? kind) : kind, agent: found.name };
}

interface NamedCommand {
  readonly kind: "ask" | "run";
  readonly agent: string;
  readonly text: string;
}

/** A command without a name. */
type Word = "stop" | "agents" | "quiet";

/** The command in a person's message. */
export type WrittenCommand =
  NamedCommand | { readonly kind: "ask"; readonly agent?: never; readonly text: string } | { readonly kind: Word };

const words: ReadonlyMap<string, Word> = new Map([
  ...["stop", "cancel"].flatMap((word) =>
    [word, `${word} please`, `please ${word}`].map((said) => [said, "stop"] as const),
  ),
  ["agents", "agents"],
  ["quiet", "quiet"],
  ["be quiet", "quiet"],
]);

/**
 * Reads `stop`, `cancel`, `quiet`, `agents`, `ask <agent>: …` and `run <workflow>: …` (names with spaces in quotes), as phones and input
 * methods type them: with any quotation marks, full-width characters and formatting around them, also as an item of a list. Everything else is a
 * question to the default agent. The rest of the text is as it was typed.
 */
export function readCommand(text: string): WrittenCommand {
  const kind = words.get(soleWords(text));
  return kind === undefined ? (readNamed(text, strict) ?? { kind: "ask", text }) : { kind };
}

/**
 * Reads `ask <agent> …`, `run <workflow> …` and `@<agent> …`, which are commands if the name exists; undefined for other text, and for
 * commands that `readCommand` reads.
 */
export function readLooseCommand(text: string): NamedCommand | undefined {
  if (words.has(soleWords(text)) || readNamed(text, strict) !== undefined) return undefined;
  return readNamed(text, loose);
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns true for one word, which is too little to ask anything while a question runs. Scripts without spaces have short words. */
export function isOneWord(text: string): boolean {
  const word = soleWords(text);
  const longest = unspaced.test(word) ? 4 : 20;
  return /^[\p{L}\p{M}]+$/u.test(word) && word.length <= longest;
}

/** Longest word or two that can be meant as a decision, and the longest of scripts without spaces. */
const [longestDecision, longestUnspaced] = [60, 8];

/**
 * Returns true for a word or two, or an emoji, without a command: too little to ask anything where a decision is awaited, and maybe meant as
 * one.
 */
export function isFewWords(text: string): boolean {
  const typed = text.trim();
  if (typed === "" || typed.length > longestDecision || quotedStart(typed) !== "") return false;
  const own = typed.replaceAll(/:[\w+-]+:/g, " emoji ");
  const said = soleWords(own);
  if (words.has(said) || (readNamed(own, strict) ?? readNamed(own, loose)) !== undefined) return false;
  return said.split(" ").length <= 2 && (!unspaced.test(own) || own.length <= longestUnspaced);
}

/** Longest text that can be a few words, with what surrounds them. */
const longestWords = 100;

/** Returns the words of a short text in lower case, without what is around them. */
function soleWords(text: string): string {
  const own = ownWords(text);
  if (own.length > longestWords) return "";
  const parts = folded(own)
    .text.toLowerCase()
    .split(/[\s\p{P}\p{S}]+/u);
  return parts.filter((part) => part !== "").join(" ");
}

/** Formatting around a command or a name. */
const marks = "[*_~`]*";
const quotedName = `"([^"\\n]{1,255})"|'([^'\\n]{1,255})'`;
const strict = new RegExp(
  `^\\s*(${marks})\\s*(ask|run)${marks}\\s+${marks}(?:${quotedName}|([^\\s":*_~\`][^\\s":]{0,254}?))${marks}\\s*:`,
  "i",
);
/** The same without a colon, or as `@agent text`: a command only if an agent or a workflow has the name. */
const loose = new RegExp(
  `^\\s*(${marks})\\s*(?:(ask|run)${marks}\\s+|@)${marks}(?:${quotedName}|([^\\s":,*_~\`][^\\s":,]{0,254}?))${marks}[,:]?${marks}(?=\\s|$)`,
  "i",
);

/** Reads a command that names an agent, from the start of a person's own words. The rest is as typed. */
function readNamed(text: string, pattern: RegExp): NamedCommand | undefined {
  const quoted = quotedStart(text);
  const own = ownWords(text);
  const { text: start, endOf } = folded(own.slice(0, longestStart));
  const [whole, opening = "", verb = "ask", ...names] = pattern.exec(start) ?? [];
  const agent = names.find((name) => name !== undefined);
  if (whole === undefined || agent === undefined) return undefined;
  const closing = opening.split("").toReversed().join("");
  const length = whole.length + (start.startsWith(closing, whole.length) ? closing.length : 0);
  const rest = own.slice(endOf(length)).trimStart();
  return { kind: verb.toLowerCase() === "run" ? "run" : "ask", agent: agent.normalize("NFC"), text: quoted + rest };
}

/** Maximum length of what names an agent. The patterns see no more, so they take no time with a long text. */
const longestStart = 1_000;

/** What makes a line an item of a list, as Slack and people write it. */
const itemMark = /^\s*(?:[-*+•◦▪–]|\d{1,3}[.)])\s+/;

/** Returns the words of a text after its block quotes, without the mark of a list's item. */
const ownWords = (text: string): string => text.slice(quotedStart(text).length).trim().replace(itemMark, "");

/** Block quotes at the start: words of others. */
const quotedStart = (text: string): string => /^(?:>[^\n]*(?:\n\s*|$))*/.exec(text)?.[0] ?? "";

const oneForm: readonly (readonly [as: string, marks: RegExp])[] = [
  ['"', /[“”„‟«»‹›「」『』〝〞]/u],
  ["'", /[‘’‚‛]/u],
  [":", /∶/u],
  [",", /、/u],
];

/**
 * Returns a text without invisible characters and with one form of quotation marks and of full-width characters. `endOf` returns where the text up to a
 * position in it ends in the original.
 */
function folded(text: string): { readonly text: string; readonly endOf: (position: number) => number } {
  // ASCII has one form.
  if (/^[\n\r\t -~]*$/.test(text)) return { text, endOf: (position) => position };
  const parts = Array.from(text, (character) => {
    const plain = /\p{Cf}/u.test(character) ? "" : character.normalize("NFKC");
    return { as: oneForm.find(([, of]) => of.test(plain))?.[0] ?? plain, length: character.length };
  });
  const endOf = (position: number): number => {
    let [end, seen] = [0, 0];
    for (const { as, length } of parts) {
      if (seen >= position) break;
      seen += as.length;
      end += length;
    }
    return end;
  };
  return { text: parts.map(({ as }) => as).join(""), endOf };
}
