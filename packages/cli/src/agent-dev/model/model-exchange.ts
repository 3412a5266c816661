import { hideSecrets } from "@crosszone/service-kit";
import { asJson } from "../wire/wire-exchange.ts";
import type { Provider } from "./model-bases.ts";

/** A request to a model and its response, without headers and secrets. */
export interface ModelExchange {
  readonly provider: Provider;
  /** Below the provider's base, such as `/chat/completions`. */
  readonly path: string;
  /** RFC 3339. */
  readonly at: string;
  readonly request: unknown;
  readonly status: number;
  readonly content_type: string;
  /** JSON, or the text when it is not JSON; absent for a stream. */
  readonly response?: unknown;
  /** The pieces of a stream as they came, each with the milliseconds since the request. */
  readonly chunks?: readonly ModelChunk[];
}

export interface ModelChunk {
  readonly at_ms: number;
  readonly text: string;
}

const hidden = "[hidden]";

/** Returns a function that removes secrets from texts: these values, and everything that looks like a secret. */
export function createCleaner(secrets: Iterable<string>): (text: string) => string {
  const values = [...secrets].filter((value) => value.length >= 8);
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, hidden), text);
    const value = asJson(known);
    return typeof value === "string" ? cleanText(known) : JSON.stringify(cleanValue(value));
  };
}

/** Looks at each text by itself: as a whole, JSON about tokens would look like a secret. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanValue(member)]));
}

/** Events of a stream are JSON, and a piece of a stream can end within one. */
function cleanText(text: string): string {
  if (!/^data: ?[{[]/m.test(text)) return hideSecrets(text);
  const clean = (line: string): string => {
    const [, head = "", data = ""] = /^(data: ?)([{[].*)$/.exec(line) ?? [];
    const value = asJson(data);
    return data === "" || typeof value === "string" ? line : head + JSON.stringify(cleanValue(value));
  };
  return text.split("\n").map(clean).join("\n");
}

/** Returns the values of the environment that are credentials by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /(KEY|TOKEN|SECRET|PASSWORD)$/.test(name) && value !== undefined ? [value] : [],
  );
}
