import type { KeyObject } from "node:crypto";
import { isObject } from "@crosszone/service-kit/json";
import { digestsOf } from "../log/audit-event.ts";
import { type Checkpoint, CheckpointError, openCheckpoint } from "../tree/checkpoint.ts";

/** What is wrong with a log. */
export type Tampering = "changed" | "missing" | "reordered" | "cut" | "forked" | "bad_signature";

/** The first problem. */
export interface Finding {
  readonly kind: Tampering;
  /** The first event that can be affected. */
  readonly position: number;
  /** The last one, if the checkpoint that fails covers several. */
  readonly to?: number;
  readonly id?: string;
  readonly message: string;
}

export interface Verdict {
  readonly origin: string;
  /** The number of events that were read, and of those whose content was erased. */
  readonly events: number;
  readonly erased: number;
  /** The number of checkpoints that cover them, and of those of `since` before the first event, which can't be compared. */
  readonly checkpoints: number;
  readonly uncompared: number;
  readonly finding?: Finding;
}

/** The input is not an export, a receipt or a list of checkpoints. */
export class AuditInputError extends Error {
  override readonly name = "AuditInputError";
}

/** A JSON object that was read. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns a checkpoint, or why it does not count. */
export function openHead(note: unknown, keys: readonly KeyObject[]): Checkpoint | string {
  try {
    return openCheckpoint(String(note), keys);
  } catch (error) {
    if (error instanceof CheckpointError) return error.message;
    throw error;
  }
}

/** Returns whether content is that of an event, by the hashes in it. */
export function hasDigests(content: unknown, digests: unknown): boolean {
  if (!isObject(content) || !isObject(content["members"]) || !isObject(digests)) return false;
  const found = digestsOf({ salt: String(content["salt"]), members: content["members"] });
  const names = Object.keys(digests);
  return names.length === Object.keys(found).length && names.every((name) => digests[name] === found[name]);
}
