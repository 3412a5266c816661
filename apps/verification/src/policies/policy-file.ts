import { readFileSync } from "node:fs";
import { openLiveFiles } from "@crosszone/service-kit";
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
  /** How often the file is looked at though nobody asks, milliseconds. */
  readonly everyMs: number;
  /** Told of a new version that is in force from now on. */
  readonly onChanged: (policy: AccessPolicy) => void;
  /** Told of a new version that cannot be used, once; the one before stays in force. */
  readonly onRefused: (error: PolicyFileError) => void;
}

/**
 * The policy that a file holds, followed while it changes: looked at when it is asked for, and again and again in between, so that
 * a new version is told of though nobody writes. Throws a `ConfigError` when the first version cannot be used.
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
