import { hideSecrets } from "@crosszone/service-kit";
import { asJson } from "../wire/wire-exchange.ts";

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

/** Checks each text separately: as a whole, JSON about tokens would look like a secret. */
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

type Env = Readonly<Record<string, string | undefined>>;

/** The APIs that are recorded, by the first part of a path at the model server. */
export type Provider = "openai" | "anthropic";

export type ModelBases = Readonly<Record<Provider, string>>;

const vendors: ModelBases = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" };

/** Returns the addresses of the models that the author's environment means, without a trailing slash. */
export function modelBases(env: Env): ModelBases {
  const set = (...names: readonly string[]): string | undefined =>
    names
      .map((name) => env[name])
      .find(Boolean)
      ?.replace(/\/+$/, "");
  return {
    openai: set("OPENAI_BASE_URL", "OPENAI_API_BASE") ?? vendors.openai,
    anthropic: set("ANTHROPIC_BASE_URL") ?? vendors.anthropic,
  };
}

/** Returns the variables that send an agent's model requests to a server at `url`. */
export function modelEnvironment(url: string): Readonly<Record<string, string>> {
  const openai = `${url}/openai/v1`;
  return { OPENAI_BASE_URL: openai, OPENAI_API_BASE: openai, ANTHROPIC_BASE_URL: `${url}/anthropic` };
}

/** Keys for an agent whose model is replayed: clients refuse to start without one. */
export const replayKeys: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "replayed",
  ANTHROPIC_API_KEY: "replayed",
};

/** Returns the provider and the path below its base; undefined for another path. The query is left out: it may hold a key. */
export function placeOf(path: string): { readonly provider: Provider; readonly path: string } | undefined {
  const { pathname } = new URL(path, "http://model");
  const found = /^\/(?:(openai)\/v1|(anthropic))(\/.*)$/.exec(pathname);
  if (found === null) return undefined;
  return { provider: found[1] === "openai" ? "openai" : "anthropic", path: found[3] ?? "/" };
}
