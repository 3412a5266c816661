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

type Hide = (text: string) => string;

/** Returns a function that removes secrets from texts: these values, and everything that looks like a secret. */
export function createCleaner(secrets: Iterable<string>): (text: string) => string {
  const forms = [...secrets].filter((value) => value.length >= 8).flatMap(formsOf);
  const values = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  const hide: Hide = (text) => values.reduce((rest, value) => rest.replaceAll(value, hidden), text);
  return (text) => {
    const value = asJson(text);
    return typeof value === "string" ? cleanText(text, hide) : JSON.stringify(cleanValue(value, hide));
  };
}

/** Returns a secret as texts contain it: as it is, within JSON, within JSON in a JSON text, and in a URL. */
function formsOf(secret: string): readonly string[] {
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [secret, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(secret)];
}

/** Checks each text separately: as a whole, JSON about tokens would look like a secret. `hide` removes known values first. */
export function cleanValue(value: unknown, hide: Hide = (text) => text): unknown {
  if (typeof value === "string") return cleanText(value, hide);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [hide(name), cleanValue(member, hide)]));
}

/** Events of a stream are JSON, and a piece of a stream can end within one. */
function cleanText(text: string, hide: Hide): string {
  if (!/^data: ?[{[]/m.test(text)) return hideSecrets(hide(text));
  const clean = (line: string): string => {
    const [, head = "", data = ""] = /^(data: ?)([{[].*)$/.exec(line) ?? [];
    const value = asJson(data);
    return data === "" || typeof value === "string" ? hide(line) : head + JSON.stringify(cleanValue(value, hide));
  };
  return text.split("\n").map(clean).join("\n");
}

const credentialName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|DSN)S?(_|$)|(^|_)(PAT|PASS|CREDS)(_|$)|_(PWD|AUTH)$/i;

/** Returns the values of the environment that are credentials by their names, and the members of lists of them. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = credentialName.test(name) && !/_(FILE|DIR|PATH|URL|ORIGINS|SOCK)$/i.test(name);
    return isSecret ? [value, value.trim(), ...value.split(",").map((member) => member.trim())] : [];
  });
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
