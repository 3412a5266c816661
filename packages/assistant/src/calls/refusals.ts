import { hash } from "node:crypto";
import type { ProviderError } from "../models/provider-error.ts";
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
