import type { JsonObject } from "@crosszone/service-kit/json";
import { redact } from "@crosszone/service-kit";

/** An error as a provider says it. What it does not say is empty; `param` is the parameter that it is about. */
export type ProviderError = Readonly<Record<"message" | "type" | "code" | "param", string>>;

/**
 * Finds an error in a JSON body or event, in each form that servers give it: `error` with members or as a text,
 * `errors`, `detail` (FastAPI), problem details, `base_resp` (MiniMax), or an object that is itself the error.
 */
export function findError(value: unknown): ProviderError | undefined {
  const body = membersOf(Array.isArray(value) ? value[0] : value);
  const { error, errors, detail, base_resp: response, choices, content } = body;
  const isBare = choices === undefined && content === undefined && stringIn(body["message"] ?? body["title"]) !== "";
  const refused = Number(membersOf(response)["status_code"] ?? 0) === 0 ? undefined : response;
  const places = [error, listOf(errors)[0], membersOf(listOf(choices)[0])["error"], detail, refused, isBare && body];
  const found = places.find((one) => stringIn(one) !== "" || Object.keys(membersOf(one)).length > 0);
  if (found === undefined) return undefined;
  const members = typeof found === "string" ? { message: found } : membersOf(Array.isArray(found) ? found[0] : found);
  const first = (...names: readonly string[]): string => names.map((name) => wordOf(members[name])).find(Boolean) ?? "";
  const said = first("message", "msg", "status_msg", "detail", "title") || "no message";
  const upstream = stringIn(membersOf(members["metadata"])["raw"]);
  return {
    message: [said, upstream].filter(Boolean).join(": "),
    type: first("type", "__type"),
    code: first("code", "status_code", "status") || wordOf(body["code"]),
    param: first("param") || listOf(members["loc"]).join("."),
  };
}

/** Returns a text, or a number as a text; empty for anything else. */
export const wordOf = (value: unknown): string => (typeof value === "number" ? String(value) : stringIn(value));

export const membersOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null ? (value as JsonObject) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const stringIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** The longest sentence of a provider in the log, and the longest message that is read for it, characters. */
const [longestSentence, longestMessage] = [300, 1_000];

/**
 * Returns a provider's message for operators: without secrets, without what it quotes of the request, and shortened.
 */
export function safeSentence(message: string, request: string): string {
  const plain = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
  const asked = plain(request);
  const isQuoted = (text: string): boolean => plain(text).trim() !== "" && asked.includes(plain(text));
  const words = message
    .slice(0, longestMessage)
    .replaceAll(/(["'`])(.+?)\1/gs, (all, mark: string, quoted: string) => (isQuoted(quoted) ? mark + mark : all))
    .replaceAll(/(key[^:]{0,30}:\s*)\S+/gi, "$1…")
    .split(/(?:\s|\\n)+/);
  const beginsRun = words.map((_, at) => at + 4 <= words.length && isQuoted(words.slice(at, at + 4).join(" ")));
  const isInRun = (at: number): boolean => beginsRun.slice(Math.max(0, at - 3), at + 1).includes(true);
  const shown = words.map((word, at) => (isInRun(at) ? "…" : word)).join(" ");
  return String(redact(shown.replaceAll(/…(?: …)+/g, "…").trim(), { text: longestSentence }));
}
