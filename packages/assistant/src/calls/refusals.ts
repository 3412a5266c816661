import { hash } from "node:crypto";
import { type ProviderError, stringIn } from "../models/provider-error.ts";
import type { ModelCallOptions } from "./stream-call.ts";

type Tools = NonNullable<ModelCallOptions["tools"]>;

/**
 * Where providers say which tool they refuse: its place in the list, as in `tools[3].function.parameters`, `tools.3.custom.input_schema` or
 * `toolConfig.tools[3].toolSpec`. Gemini's `tools` has one entry, with the list in it; AWS counts the members of a list from 1.
 */
const places: readonly (readonly [path: RegExp, first: number])[] = [
  [/function_?declarations(?:[[./]|['"],\s*)(\d+)/gi, 0],
  [/\btools\.(\d+)\.member\b/gi, 1],
  [/\b(?:tools|functions)(?:[[./]|['"],\s*)(\d+)/gi, 0],
  [/\btools? (?:at )?index (\d+)/gi, 0],
];

/** What stands before the name of a tool: "Invalid schema for function 'x'", "parameters of tool x". */
const beforeName = String.raw`\b(?:schema|parameters|function|tool)(?:[\s:=('"\x60‘“]|\b(?:for|of|in|the|named?|tool|function)\b){1,12}`;

/** Statuses of a refused request; some servers send others for everything, or none with an event of a stream. */
const ofRequest: readonly unknown[] = [undefined, 200, 400, 422, 500, 502];

/**
 * Returns what is to be remembered of the sent tools that an error refuses, by their places in the request or by their names: a model may accept a
 * tool with another definition.
 */
export function refusalsOfTools(
  { message, param }: ProviderError,
  tools: Tools = [],
  status?: number,
): readonly string[] {
  if (!ofRequest.includes(status)) return [];
  const text = `${param}\n${message}`;
  const [path, first] = places.find(([known]) => text.search(known) !== -1) ?? [];
  const placed = path && Array.from(text.matchAll(path), ([, at]) => tools[Number(at) - (first ?? 0)]);
  const isNamed = ({ name }: Tools[number]): boolean => new RegExp(`${beforeName}${name}(?![\\w-])`, "i").test(message);
  const found = placed ?? (/schema|parameters/i.test(message) ? tools.filter(isNamed) : []);
  return [...new Set(found.filter((tool) => tool !== undefined).map(refusalOf))];
}

const refusalOf = (tool: Tools[number]): string =>
  `tool ${tool.name} ${hash("sha256", JSON.stringify(tool), "base64url").slice(0, 16)}`;

/** Returns the name of a tool that is remembered as refused; undefined for a parameter. */
export const refusedToolIn = (refusal: string): string | undefined => /^tool (\S+) \S+$/.exec(refusal)?.[1];

/** Returns the tools without those that the model refused. */
export function withoutRefusedTools(tools: Tools, refused: ReadonlySet<string>): Tools {
  const names = new Set([...refused].map(refusedToolIn));
  return tools.filter((tool) => !names.has(tool.name) || !refused.has(refusalOf(tool)));
}

/** What providers call a file, and the media types that they mean. */
const kinds: readonly (readonly [words: RegExp, media: RegExp])[] = [
  [/\bpdfs?\b/i, /pdf/],
  [/\b(?:images?|image_url|pictures?|vision)\b/i, /^image\//],
  [/\b(?:documents?|files?|file_data|attachments?|inline_?data|pages)\b/i, /./],
];

/** What is wrong with a file, and what its person can do. The first match counts. */
const faults: readonly (readonly [words: RegExp, sentence: (name: string) => string])[] = [
  [
    /password|encrypt|locked/i,
    (name) => `${name} is locked with a password. Remove it, or ask again without the file.`,
  ],
  [
    /(?:maximum|limit|at most|too many|exceed|more than).{0,40}\bpages|\bpages\b.{0,40}(?:maximum|limit|at most|exceed|more than)/i,
    (name) => `${name} has more pages than the model reads. Ask again with a part of it.`,
  ],
  [
    /too (?:large|big|small)|exceed|larger than|smaller than|maximum|at least|dimension/i,
    (name) => `The model doesn't read a file of this size: ${name}. Ask again with another size, or without it.`,
  ],
  [
    /invalid|not valid|corrupt|damaged|malformed|could(?: not|n't) (?:be )?(?:process|read|open|pars|decod|load)|(?:unable|failed) to|cannot|can't|no pages|empty|truncated/i,
    (name) => `The model can't open ${name}. It may be damaged: ask again with another copy, or without it.`,
  ],
  [/support|format|accept/i, (name) => `The model can't read ${name}. Ask again without it.`],
];

/** Says that it is about something else, although it may name a file. */
const otherSubject = /\b(?:tools?|functions?|schema)\b/i;

/**
 * Returns the sentence for the person whose file a provider refuses, with the file's name; undefined when the provider speaks of something else or
 * the `prompt` has no such file.
 */
export function refusedFileSentence(
  { message, param }: ProviderError,
  prompt: ModelCallOptions["prompt"],
): string | undefined {
  const words = `${param} ${message}`;
  const media = otherSubject.test(words) ? undefined : kinds.find(([known]) => known.test(words))?.[1];
  const sentence = faults.find(([known]) => known.test(message))?.[1];
  if (media === undefined || sentence === undefined) return undefined;
  const files = prompt.flatMap(({ role, content }) =>
    role !== "user" ? [] : content.flatMap((part, at) => (part.type === "file" ? [{ ...part, at }] : [])),
  );
  const like = files.filter(({ mediaType }) => media.test(mediaType));
  // Providers count the parts of a message: messages.0.content.1.pdf.
  const [, at] = /content\W{1,3}(\d+)/i.exec(words) ?? [];
  const named = like.filter((file) => at !== undefined && file.at === Number(at));
  const nameOf = (name: unknown): string => JSON.stringify(stringIn(name).replaceAll(/[_*`]/g, " ") || "a file");
  const names = (named.length > 0 ? named : like).map(({ filename }) => nameOf(filename));
  return names.length === 0 ? undefined : sentence([...new Set(names)].join(" or "));
}
