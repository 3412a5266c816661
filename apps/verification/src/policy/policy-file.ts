import { readFileSync } from "node:fs";
import { followFiles, jsonFileError, JsonFileError, parseJsonFile } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
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
  /** Without one, the default of every member is in force. */
  readonly path: string | undefined;
  /** Stores the audit event of a policy, before it is in force. */
  readonly store: (policy: AccessPolicy) => Promise<unknown>;
  /** Called with a new policy that is now in force. */
  readonly onChanged: (policy: AccessPolicy) => void;
  /** Called once for each version that is invalid or whose event can't be stored; the previous policy stays in force. */
  readonly onRefused: (problems: readonly string[]) => void;
}

/** Returns a policy source that follows a file. Rejects with a `JsonFileError` when the first version is invalid. */
export const followPolicyFile = ({ path, store, onChanged, onRefused }: PolicyFileOptions): Promise<PolicySource> =>
  followFiles({
    paths: path === undefined ? [] : [path],
    read: async () => readPolicyFile(path),
    store,
    onApplied: onChanged,
    onFailure: (error) => onRefused(error instanceof JsonFileError ? error.problems : [errorText(error)]),
  });
