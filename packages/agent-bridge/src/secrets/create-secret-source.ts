import { constants, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { AgentFailure } from "../agent-failure.ts";
import { fileIn, isSecretReference, variableIn } from "./secret-reference.ts";
import type { SecretSource } from "./secret-source.ts";

/** Where the secrets of agents are. */
export interface SecretSourceOptions {
  /** Where `env:AGENT_SECRET_…` is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the files of `file:…` are; none can be read when absent. */
  readonly dir?: string | undefined;
}

/** Larger than any certificate chain; bytes. */
const maxBytes = 65_536;

/**
 * Finds secrets in variables `AGENT_SECRET_…` and in the files of one folder. A link may lead to another file of the folder, as
 * Kubernetes has it, and nowhere else. One line break at the end of a file does not count.
 */
export function createSecretSource({ environment, dir }: SecretSourceOptions): SecretSource {
  const readFile = async (name: string): Promise<string> => {
    if (dir === undefined) throw new Error("AGENT_SECRETS_DIR is not set");
    const folder = await realpath(dir);
    const path = await realpath(join(folder, name));
    if (!path.startsWith(folder + sep)) throw new Error("it leads out of AGENT_SECRETS_DIR");
    // A pipe is not waited for.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error("it is no file");
      if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
      return (await handle.readFile("utf8")).replace(/\r?\n$/, "");
    } finally {
      await handle.close();
    }
  };

  const find = async (reference: string): Promise<string> => {
    const inVariable = variableIn(reference);
    if (inVariable !== undefined) return environment[inVariable] ?? fail("the variable is not set");
    return readFile(fileIn(reference) ?? "");
  };

  return {
    read: async (reference) => {
      // What has another form may be the secret itself.
      if (!isSecretReference(reference))
        throw unavailable("The agent's secret cannot be had: name it as env:AGENT_SECRET_… or file:….");
      try {
        return (await find(reference)) || fail("it is empty");
      } catch (error) {
        throw unavailable(`The secret ${reference} cannot be had: ${reasonOf(error as NodeJS.ErrnoException)}.`);
      }
    },
  };
}

const unavailable = (message: string): AgentFailure => new AgentFailure("secret_unavailable", message);

/** Without the path, which is nobody's business. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message;
  return code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
}

function fail(why: string): never {
  throw new Error(why);
}
