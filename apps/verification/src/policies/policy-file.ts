import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AccessPolicy, PolicySource } from "./access-policy.ts";
import { policySchema } from "./policy-schema.ts";

/** Says all that is wrong with a policy file, each with where it is; never what is written there. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** Reads a policy file. Throws a `PolicyFileError`. */
export function readPolicyFile(path: string): AccessPolicy {
  try {
    return parsePolicy(readFileSync(path, "utf8"));
  } catch (error) {
    throw asPolicyFileError(error);
  }
}

export interface PolicyFileOptions {
  readonly path: string;
  /** How often the file is looked at, milliseconds. */
  readonly everyMs: number;
  /** Told of a new version that is in force from now on. */
  readonly onChanged: (policy: AccessPolicy) => void;
  /** Told of a new version that cannot be used, once; the one before stays in force. */
  readonly onRefused: (error: PolicyFileError) => void;
}

/**
 * The policy that a file holds, followed while it changes. The file is read again and again rather than watched: a mounted file is
 * replaced by moving a link, which a watcher does not see. Throws a `PolicyFileError` when the first version cannot be used.
 */
export function followPolicyFile({ path, everyMs, onChanged, onRefused }: PolicyFileOptions): PolicySource {
  let current = readPolicyFile(path);
  let seen = readFileSync(path, "utf8");
  let looking = false;

  async function look(): Promise<void> {
    const text = await readFile(path, "utf8").catch((error: unknown) => asPolicyFileError(error));
    const version = typeof text === "string" ? text : text.message;
    if (version === seen) return;
    seen = version;
    try {
      if (typeof text !== "string") throw text;
      current = parsePolicy(text);
      onChanged(current);
    } catch (error) {
      onRefused(asPolicyFileError(error));
    }
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, everyMs).unref();
  return { current: () => current, close: () => clearInterval(timer) };
}

function parsePolicy(text: string): AccessPolicy {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PolicyFileError(["it is not JSON"]);
  }
  const read = policySchema.safeParse(json);
  if (read.success) return read.data;
  throw new PolicyFileError(read.error.issues.map(({ path, message }) => `at /${path.join("/")}: ${message}`));
}

function asPolicyFileError(error: unknown): PolicyFileError {
  if (error instanceof PolicyFileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
  return new PolicyFileError([`it cannot be read (${code})`]);
}
