import { readFileSync } from "node:fs";
import { openLiveFiles } from "@crosszone/service-kit";
import { policySchema, type AccessPolicy, type PolicySource } from "./access-policy.ts";

/** Thrown for an invalid policy file, with all its problems and their locations, but never its content. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** Reads a policy file; without one, returns the default of every member. Throws a `PolicyFileError`. */
export function readPolicyFile(path: string | undefined): AccessPolicy {
  if (path === undefined) return policySchema.parse({});
  try {
    return parsePolicy(readFileSync(path, "utf8"));
  } catch (error) {
    throw asPolicyFileError(error);
  }
}

export interface PolicyFileOptions {
  readonly path: string;
  /** How often the file is checked without a message, milliseconds. */
  readonly everyMs: number;
  /** Called with a new policy that is now in force. */
  readonly onChanged: (policy: AccessPolicy) => void;
  /** Called once for each new version that is invalid; the previous policy stays in force. */
  readonly onRefused: (error: PolicyFileError) => void;
}

/**
 * Returns a policy source that follows a file. The file is checked for each message and periodically in between, so that changes are
 * reported without messages. Throws a `ConfigError` when the first version is invalid.
 */
export function followPolicyFile({ path, everyMs, onChanged, onRefused }: PolicyFileOptions): PolicySource {
  const file = openLiveFiles({
    paths: { POLICY_FILE: path },
    parse: ([text = ""]) => parsePolicy(text),
    checkEveryMs: 0,
    onFailure: (error) => onRefused(asPolicyFileError(error)),
  });
  let inForce = file.current();
  const current = (): AccessPolicy => {
    const next = file.current();
    if (next !== inForce) {
      inForce = next;
      onChanged(next);
    }
    return next;
  };
  const timer = setInterval(current, everyMs).unref();
  return { current, close: () => clearInterval(timer) };
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
