import type { KeyObject } from "node:crypto";
import { isObject, type JsonObject } from "@crosszone/contracts/json";
import {
  type Checkpoint,
  CheckpointError,
  memberDigests,
  Frontier,
  leafOf,
  openCheckpoint,
  publicKeyText,
} from "../tree.ts";

/** What is wrong with a log. */
export type Tampering =
  | "changed"
  | "missing"
  | "reordered"
  | "cut"
  | "forked"
  | "bad_signature"
  /** A checkpoint after a change of the key has the signature of the former one. */
  | "old_key"
  /** A JSON object has two members of one name: readers differ in which counts. */
  | "duplicate_member"
  /** A member that no signature covers. */
  | "unsigned_member"
  /** An event says that it happened long before the one that it follows. */
  | "time_reversed"
  /** Nothing is signed. */
  | "empty";

/** The first problem. */
export interface AuditFinding {
  readonly kind: Tampering;
  /** The first event that can be affected. */
  readonly position: number;
  /** The last one, if the checkpoint that fails covers several. */
  readonly to?: number;
  readonly id?: string;
  readonly message: string;
}

export interface ExportVerdict {
  readonly origin: string;
  /** The number of events that were read, and of those whose content was erased. */
  readonly events: number;
  readonly erased: number;
  /** The number of checkpoints that cover them, and of those of `since` before the first event, which can't be compared. */
  readonly checkpoints: number;
  readonly uncompared: number;
  readonly finding?: AuditFinding;
}

/** The input is not an export, a receipt or a list of checkpoints. */
export class AuditInputError extends Error {
  override readonly name = "AuditInputError";
}

/** The members of each kind of object in an export or receipt, apart from those of an event, which are all signed. */
const known = {
  header: ["format", "origin", "public_key", "base", "exported_at"],
  base: ["size", "frontier"],
  event: ["position", "leaf", "event", "content"],
  content: ["salt", "members"],
  checkpoint: ["checkpoint"],
  receipt: ["format", "public_key", "position", "leaf", "event", "content", "proof", "checkpoint"],
} as const;

/** Returns the first member that nothing signs; undefined without one. */
export function unsignedIn(kind: keyof typeof known, line: JsonObject): string | undefined {
  const names: readonly string[] = known[kind];
  const inside = (["base", "content"] as const).flatMap((name) => {
    const value = kind === name ? undefined : line[name];
    return isObject(value) ? (unsignedIn(name, value) ?? []) : [];
  });
  return Object.keys(line).find((name) => !names.includes(name)) ?? inside[0];
}

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
  const found = memberDigests({ salt: String(content["salt"]), members: content["members"] });
  const names = Object.keys(digests);
  return names.length === Object.keys(found).length && names.every((name) => digests[name] === found[name]);
}

/** The part of an origin that a restore and a new key keep. */
const logOf = (origin: string): string => origin.split("/").slice(0, 3).join("/");

/** How long before an earlier event one can have happened, milliseconds: clocks differ, and are set. */
const mostBackMs = 3_600_000;

/** Verifies an export line by line. */
export class ExportReader {
  readonly #origin: string;
  readonly #keys: readonly KeyObject[];
  readonly #since: Map<number, readonly Checkpoint[]>;
  readonly #tree: Frontier;
  /** The size of the last checkpoint that fits, and its root. */
  #covered: { readonly size: number; readonly root: string };
  #counts = { events: 0, erased: 0, checkpoints: 0, uncompared: 0 };
  #finding: AuditFinding | undefined;
  /** The number of removed events, until the event comes that says that retention removed them. */
  #unexplained: number;
  /** The position of an event that was missed: it can come later. */
  #missed: number | undefined;
  /** The latest time of an event, Unix milliseconds. */
  #latest = 0;
  /** The keys that sign heads of more than `after` events, once the key was changed. */
  #signers: { readonly after: number; readonly keys: readonly KeyObject[] };

  constructor(header: JsonObject, keys: readonly KeyObject[], since: Map<number, readonly Checkpoint[]>) {
    const { format, origin, base } = header;
    const { size, frontier } = isObject(base) ? base : {};
    if (format !== "crosszone-audit/1" || typeof origin !== "string")
      throw new AuditInputError("The first line is not the header of an audit export, nor a receipt.");
    try {
      this.#tree = Frontier.of(size as number, frontier as string);
    } catch {
      throw new AuditInputError("The base in the header is malformed.");
    }
    [this.#origin, this.#keys, this.#since] = [origin, keys, since];
    this.#signers = { after: -1, keys };
    for (const head of [...since.values()].flat())
      if (logOf(head.origin) !== logOf(origin))
        throw new AuditInputError(`The earlier checkpoints are of ${head.origin}, the export is of ${origin}.`);
    this.#counts.uncompared = [...since.keys()].filter((of) => of < this.#tree.size).length;
    // Until a checkpoint fits, nothing is covered, not even the base.
    this.#covered = { size: this.#tree.size === 0 ? 0 : -1, root: "" };
    this.#unexplained = this.#tree.size;
    this.#checkMembers("header", header);
    this.#compare();
  }

  /** Reads a line. Returns true if no further line matters. */
  read(line: JsonObject, number: number): boolean {
    if (this.#missed !== undefined) return this.#isFoundLater(line);
    if ("checkpoint" in line) {
      this.#checkMembers("checkpoint", line);
      this.#readCheckpoint(line["checkpoint"]);
    } else if (isObject(line["event"]) && typeof line["position"] === "number") {
      this.#checkMembers("event", line);
      this.#readEvent(line, line["position"]);
    } else throw new AuditInputError(`Line ${number} is neither an event nor a checkpoint.`);
    return this.#isTampered() && this.#missed === undefined;
  }

  /** Notes that the next line has a member twice. */
  foundDuplicate(pointer: string): void {
    this.#find("duplicate_member", `The member ${pointer} is there twice.`, this.#uncovered());
  }

  end(): ExportVerdict {
    const { size } = this.#tree;
    const later = [...this.#since.keys()].find((of) => of > size);
    if (later !== undefined) this.#find("cut", `An earlier checkpoint covers ${later} events.`, { position: size });
    if (this.#covered.size < size) this.#find("cut", "No checkpoint covers the last events.", this.#uncovered());
    if (this.#counts.checkpoints === 0)
      this.#find("empty", "The export has no event and no checkpoint: nothing in it is signed.", { position: 0 });
    if (this.#unexplained > 0)
      this.#find("missing", "No event says that retention removed the first events.", {
        position: 0,
        to: this.#unexplained - 1,
      });
    const verdict = { origin: this.#origin, ...this.#counts };
    return this.#finding === undefined ? verdict : { ...verdict, finding: this.#finding };
  }

  #readEvent(line: JsonObject, position: number): void {
    const { size } = this.#tree;
    const id = String((line["event"] as JsonObject)["id"]);
    const leaf = leafOf(line["event"]);
    if (position > size) {
      this.#missed = size;
      return this.#find("missing", `Event ${size} is missing.`, { position: size });
    }
    if (position < size) return this.#find("reordered", "The event is out of order.", { position, id });
    if (leaf.toString("base64") !== line["leaf"])
      return this.#find("changed", "The event does not have its hash.", { position, id });
    this.#readTime(line["event"] as JsonObject, { position, id });
    const digests = (line["event"] as JsonObject)["content"];
    if (line["content"] === undefined) this.#counts.erased += digests === undefined ? 0 : 1;
    else if (!hasDigests(line["content"], digests))
      return this.#find("changed", "The content does not have its hashes.", { position, id });
    this.#tree.append(leaf);
    if (isRetention(line["event"], this.#unexplained)) this.#unexplained = 0;
    this.#readRekey(line["event"] as JsonObject);
    this.#counts.events += 1;
    return this.#compare();
  }

  #readTime({ at }: JsonObject, place: { readonly position: number; readonly id: string }): void {
    const time = Date.parse(String(at));
    if (time < this.#latest - mostBackMs) {
      const latest = new Date(this.#latest).toISOString();
      this.#find("time_reversed", `The event says ${String(at)}, but follows one of ${latest}.`, place);
    }
    this.#latest = Math.max(this.#latest, time || 0);
  }

  #readRekey({ action, details }: JsonObject): void {
    const key = action === "audit.rekey" && isObject(details) ? details["new_key"] : undefined;
    if (key === undefined) return;
    this.#signers = { after: this.#tree.size - 1, keys: this.#keys.filter((one) => publicKeyText(one) === key) };
  }

  #checkMembers(kind: "header" | "event" | "checkpoint", line: JsonObject): void {
    const name = unsignedIn(kind, line);
    if (name !== undefined)
      this.#find("unsigned_member", `Nothing signs the member ${JSON.stringify(name)}.`, {
        position: kind === "event" ? Number(line["position"]) : this.#tree.size,
      });
  }

  /** Compares the tree with the earlier checkpoint of its size. */
  #compare(): void {
    const heads = this.#since.get(this.#tree.size) ?? [];
    if (heads.some(({ root }) => root !== this.#root()))
      this.#find("forked", `An earlier checkpoint of ${this.#tree.size} events has another root.`, this.#uncovered());
  }

  #readCheckpoint(note: unknown): void {
    const head = openHead(note, this.#keys);
    const { size } = this.#tree;
    const at = this.#uncovered();
    if (typeof head === "string") return this.#find("bad_signature", `A checkpoint does not count: ${head}.`, at);
    if (logOf(head.origin) !== logOf(this.#origin))
      return this.#find("bad_signature", `A checkpoint is of ${head.origin}.`, at);
    if (head.size > this.#signers.after && typeof openHead(note, this.#signers.keys) === "string")
      return this.#find("old_key", "A checkpoint after audit.rekey has the signature of another key.", at);
    if (head.size > size)
      return this.#find("missing", `A checkpoint covers ${head.size} events, of which ${size} came.`, at);
    // An older head proves nothing about later events. Whether one covers them shows at the end.
    if (head.size < this.#covered.size) return undefined;
    const isSame = head.size === this.#covered.size;
    if (isSame && head.root !== this.#covered.root)
      return this.#find("forked", `Two checkpoints of ${head.size} events have different roots.`, { position: size });
    if (isSame) return undefined;
    if (head.size < size) return this.#find("changed", `The checkpoint covers only ${head.size} events.`, at);
    if (head.root !== this.#root()) return this.#find("changed", "The events do not have the signed root.", at);
    this.#covered = head;
    this.#counts.checkpoints += 1;
  }

  #isFoundLater(line: JsonObject): boolean {
    const position = this.#missed as number;
    const isLater = line["position"] === position && isObject(line["event"]);
    if (isLater) this.#finding = { kind: "reordered", position, message: "The event is out of order." };
    return isLater;
  }

  #isTampered = (): boolean => this.#finding !== undefined;

  #root = (): string => this.#tree.root().toString("base64");

  #uncovered(): { readonly position: number; readonly to: number } {
    const position = Math.max(0, this.#covered.size);
    return { position, to: Math.max(position, this.#tree.size - 1) };
  }

  #find(
    kind: Tampering,
    message: string,
    at: { readonly position: number; readonly to?: number; readonly id?: string },
  ): void {
    this.#finding ??= { kind, ...at, message };
  }
}

const isRetention = (event: unknown, to: number): boolean =>
  isObject(event) && event["action"] === "audit.retain" && isObject(event["details"]) && event["details"]["to"] === to;
