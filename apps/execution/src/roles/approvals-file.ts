import { hash } from "node:crypto";
import type { Emit } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { followFiles } from "./agents-file.ts";
import {
  type ApprovalFor,
  type ApprovalPolicy,
  createApprovalFor,
  defaultPolicy,
  readPolicy,
} from "../inputs/approvals.ts";

/** Reads APPROVALS_FILE; returns the default policy when it is not set. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readApprovalsFile(path: string | undefined): Promise<ApprovalPolicy> {
  if (path === undefined) return defaultPolicy;
  const { value, problemAt } = await readYamlFile(path, "approvals file");
  const read = readPolicy(value);
  if ("problems" in read) throw new FileProblemsError(read.problems.map(problemAt));
  return read.policy;
}

/** The approval policy of this process. */
export interface Approvals {
  readonly approvalFor: ApprovalFor;
  /** Stops following the file. */
  readonly close: () => Promise<void>;
}

interface ApprovalsOptions {
  readonly emit: Emit<ExecutionEvent>;
  /** Receives the digest of each policy, SHA-256 in hex, before it is in force. */
  readonly onLoad?: (digest: string) => Promise<unknown>;
}

/**
 * Follows APPROVALS_FILE. Rejects with a `FileProblemsError` if it can't be used. An edit that can't be used is logged, and the previous
 * policy stays.
 */
export async function openApprovals(path: string | undefined, { emit, onLoad }: ApprovalsOptions): Promise<Approvals> {
  const load = async (): Promise<ApprovalPolicy> => {
    const read = await readApprovalsFile(path);
    await onLoad?.(hash("sha256", canonicalJson(read)));
    return read;
  };
  let policy = await load();
  const apply = async (): Promise<void> => {
    policy = await load();
    emit("approvals_file_applied");
  };
  const onFailure = (error: unknown): void =>
    emit("approvals_file_not_usable", { because: error instanceof Error ? error.message : "it cannot be read" });
  const close = path === undefined ? async () => undefined : followFiles([path], { apply, onFailure });
  return { approvalFor: createApprovalFor(() => policy), close };
}
