import { constants, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { AgentAuth } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { matchesOrigin, type OriginPattern, parseOriginPattern } from "./address-rules.ts";

/**
 * Reads a secret by its reference on each call, so that a replaced one takes effect. Throws an `AgentFailure`
 * `secret_unavailable` that names the reference.
 */
export interface SecretSource {
  readonly read: (reference: string) => Promise<string>;
}

/** Only these names are allowed, so that an admin can't send another variable or file to an agent. */
const variable = /^env:(AGENT_SECRET_[A-Z0-9_]+)$/;
const file = /^file:([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;

/** Returns whether a text is `env:AGENT_SECRET_…` or `file:…`. */
export const isSecretReference = (text: string): boolean => variable.test(text) || file.test(text);

/** Larger than any certificate chain; bytes. */
const maxBytes = 65_536;

/**
 * Creates a source that reads secrets from variables `AGENT_SECRET_…` and from files of one folder. A link can lead
 * only to another file of the folder, as in Kubernetes. Drops one line break at the end of a file. Without `dir` no file can be read.
 */
export function createSecretSource({
  environment,
  dir,
}: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dir?: string;
}): SecretSource {
  const readFile = async (name: string): Promise<string> => {
    if (dir === undefined) throw new Error("AGENT_SECRETS_DIR is not set");
    const folder = await realpath(dir);
    const path = await realpath(join(folder, name));
    if (!path.startsWith(folder + sep)) throw new Error("it leads out of AGENT_SECRETS_DIR");
    // Doesn't wait for a pipe.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error("it is not a file");
      if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
      return (await handle.readFile("utf8")).replace(/\r?\n$/, "");
    } finally {
      await handle.close();
    }
  };

  const find = async (reference: string): Promise<string> => {
    const [, name] = variable.exec(reference) ?? [];
    if (name !== undefined) return environment[name] ?? fail("the variable is not set");
    return readFile(file.exec(reference)?.[1] ?? "");
  };

  return {
    read: async (reference) => {
      // A text of another form may be the secret itself.
      if (!isSecretReference(reference))
        throw unavailable("The agent's secret is not available: write it as env:AGENT_SECRET_… or file:….");
      try {
        return (await find(reference)) || fail("it is empty");
      } catch (error) {
        throw unavailable(`The secret ${reference} is not available: ${reasonOf(error as NodeJS.ErrnoException)}.`);
      }
    },
  };
}

const unavailable = (message: string): AgentFailure => new AgentFailure("secret_unavailable", message);

/** Omits the path, which stays private. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message;
  return code === "ENOENT" ? "the file doesn't exist" : `it can't be read (${code})`;
}

function fail(why: string): never {
  throw new Error(why);
}

/** Decides which secrets can be sent to which agents. */
export type SecretRules = ReturnType<typeof createSecretRules>;

/**
 * Binds secrets to origins, so that an admin who can register agents can't send a secret to their own server. A secret
 * with bindings is sent only to those origins. A secret without one is sent only to agents of the settings, whose author
 * has access to the secrets anyway. Throws a `TypeError` for an entry that can't be parsed.
 */
export function createSecretRules({ bindings }: { readonly bindings: readonly string[] }) {
  const bound = bindings.map(parseSecretBinding);

  const checkOne = (reference: string, url: string, isOfFile: boolean): void => {
    const places = bound.filter((binding) => binding.reference === reference);
    if (places.length === 0 && isOfFile) return;
    const target = URL.parse(url);
    if (target !== null && places.some((place) => matchesOrigin(place.origin, target))) return;
    const origin = target?.origin ?? "an invalid URL";
    const otherwise = places.length === 0 ? ", or declare the agent in EXECUTION_FILE" : "";
    throw new AgentFailure(
      "secret_unavailable",
      `The secret ${reference} must not be sent to ${origin}. To allow it, add ${reference}=${origin} to AGENT_SECRETS_ORIGINS${otherwise}.`,
    );
  };

  return {
    /**
     * Checks an agent's URL, source and `auth` before a secret is read. Throws an `AgentFailure` `secret_unavailable` that names the
     * secret, the origin and what to do.
     */
    check: ({
      auth,
      source,
      url,
    }: {
      readonly auth: AgentAuth;
      readonly source: string;
      readonly url: string;
    }): void => {
      for (const reference of secretsIn(auth))
        for (const place of placesOf(auth, url)) checkOne(reference, place, source === "file");
    },
  };
}

/** The members that name a secret, by kind of auth. The certificate authority of `mtls` is not sent, so it is not one of them. */
const secretMembers: Readonly<Record<AgentAuth["type"], readonly string[]>> = {
  none: [],
  bearer: ["token"],
  api_key: ["value"],
  basic: ["password"],
  oauth2_client_credentials: ["client_secret"],
  mtls: ["cert", "key"],
};

/** Returns the references of the secrets that authenticate us. An unknown kind of auth has no credentials. */
const secretsIn = (auth: AgentAuth): readonly string[] =>
  Object.entries(auth).flatMap(([member, reference]) =>
    secretMembers[auth.type]?.includes(member) ? [String(reference)] : [],
  );

/** Returns the URLs that get credentials: the agent's, and the token endpoint of a client secret. */
const placesOf = (auth: AgentAuth, url: string): readonly string[] =>
  auth.type === "oauth2_client_credentials" ? [auth.token_url, url] : [url];

/**
 * Parses one binding, such as `env:AGENT_SECRET_SCOUT=https://agents.example.com`. The origin has the form of AGENT_ORIGINS. Throws a
 * `TypeError` that does not repeat the text before the `=`, which may be the secret itself.
 */
export function parseSecretBinding(entry: string): { readonly reference: string; readonly origin: OriginPattern } {
  const at = entry.indexOf("=");
  const reference = entry.slice(0, Math.max(at, 0)).trim();
  if (!isSecretReference(reference))
    throw new TypeError(
      "Expected env:AGENT_SECRET_… or file:…, then = and an origin such as https://agents.example.com",
    );
  return { reference, origin: parseOriginPattern(entry.slice(at + 1).trim()) };
}
