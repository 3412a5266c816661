import { type Emit, followFiles } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { FileLoaded } from "./file-loaded.ts";
import { type ApprovalPolicy, createApprovalFor, defaultPolicy, readPolicy } from "../inputs/approvals.ts";

/** Reads APPROVALS_FILE; returns the default policy when it is not set. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readApprovalsFile(path: string | undefined): Promise<ApprovalPolicy> {
  if (path === undefined) return defaultPolicy;
  const { value, problemAt } = await readYamlFile(path, "approvals file");
  const read = readPolicy(value);
  if ("problems" in read) throw new FileProblemsError(read.problems.map(problemAt));
  return read.policy;
}

/**
 * Follows APPROVALS_FILE. Rejects with a `FileProblemsError` if it can't be used. An edit that can't be used is logged, and the previous
 * policy stays.
 */
export async function openApprovals(
  path: string | undefined,
  { emit, loaded }: { readonly emit: Emit<ExecutionEvent>; readonly loaded: FileLoaded },
) {
  const paths = path === undefined ? [] : [path];
  const { current, close } = await followFiles({
    paths,
    read: () => readApprovalsFile(path),
    store: (policy) => loaded("approvals", policy, paths),
    onApplied: () => emit("approvals_file_applied"),
    onFailure: (error) => emit("approvals_file_not_usable", { because: errorText(error) }),
  });
  return { approvalFor: createApprovalFor(current), close };
}
