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
