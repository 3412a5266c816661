import { readFileSync } from "node:fs";
import { jsonFileError, type JsonFileError, openLiveFiles, parseJsonFile } from "@crosszone/service-kit";
import { policySchema, type AccessPolicy, type PolicySource } from "./access-policy.ts";

/** Reads a policy file; without one, returns the default of every member. Throws a `JsonFileError`. */
export function readPolicyFile(path: string | undefined): AccessPolicy {
  if (path === undefined) return policySchema.parse({});
  try {
    return parseJsonFile(readFileSync(path, "utf8"), policySchema);
  } catch (error) {
    throw jsonFileError(error);
  }
}

export interface PolicyFileOptions {
  readonly path: string;
  /** How often the file is checked without a message, milliseconds. */
  readonly everyMs: number;
  /** Called with a new policy that is now in force. */
  readonly onChanged: (policy: AccessPolicy) => void;
  /** Called once for each new version that is invalid; the previous policy stays in force. */
  readonly onRefused: (error: JsonFileError) => void;
}

/**
 * Returns a policy source that follows a file. The file is checked for each message and periodically in between, so that changes are
 * reported without messages. Throws a `ConfigError` when the first version is invalid.
 */
export function followPolicyFile({ path, everyMs, onChanged, onRefused }: PolicyFileOptions): PolicySource {
  const file = openLiveFiles({
    paths: { POLICY_FILE: path },
    parse: ([text = ""]) => parseJsonFile(text, policySchema),
    checkEveryMs: 0,
    onFailure: (error) => onRefused(jsonFileError(error)),
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
