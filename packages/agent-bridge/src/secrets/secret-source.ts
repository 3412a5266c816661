import { constants, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { AgentFailure } from "../protocol/agent-failure.ts";

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

export interface SecretSourceOptions {
  /** The variables for `env:AGENT_SECRET_…`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of `file:…`; when absent, no file can be read. */
  readonly dir?: string;
}

/** Larger than any certificate chain; bytes. */
const maxBytes = 65_536;

/**
 * Creates a source that reads secrets from variables `AGENT_SECRET_…` and from files of one folder. A link can lead
 * only to another file of the folder, as in Kubernetes. Drops one line break at the end of a file.
 */
export function createSecretSource({ environment, dir }: SecretSourceOptions): SecretSource {
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
