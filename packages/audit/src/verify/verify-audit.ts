import type { KeyObject } from "node:crypto";
import { isObject, type JsonObject, JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { type Checkpoint, leafOf, rootFrom, splitNotes } from "../tree.ts";
import {
  AuditInputError,
  ExportReader,
  type AuditFinding,
  hasDigests,
  openHead,
  type Tampering,
  unsignedIn,
  type ExportVerdict,
} from "./export-reader.ts";

export interface VerifyOptions {
  /** Public keys, one of which signed each checkpoint. */
  readonly keys: readonly KeyObject[];
  /** Earlier checkpoints of the log, kept elsewhere: notes, one after the other. */
  readonly since?: string | undefined;
}

/**
 * Verifies an export or a receipt, line by line, with the memory of one line. Needs no zone. Throws an `AuditInputError` for anything else.
 * Tampering that an export can't show: a tail that was cut at a checkpoint, or was written again with the key. `since` shows it.
 */
export async function verifyAudit(
  lines: AsyncIterable<string> | Iterable<string>,
  { keys, since }: VerifyOptions,
): Promise<ExportVerdict> {
  let reader: ExportReader | undefined;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line === "") continue;
    const { value, duplicate } = parse(line, number);
    const isFirst = reader === undefined;
    if (isFirst && value["format"] === "crosszone-audit-receipt/1") return verifyReceipt(value, keys, duplicate);
    reader ??= new ExportReader(value, keys, readSince(since, keys));
    if (duplicate !== undefined) reader.foundDuplicate(duplicate);
    if (!isFirst && reader.read(value, number)) break;
  }
  if (reader === undefined) throw new AuditInputError("The file is empty. Export again.");
  return reader.end();
}

/** Returns the lines of UTF-8 text. Unlike `readline`, ends them at line feeds only: JSON can contain U+2028. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest + decoder.decode();
}

/** Returns the object of a line, and the pointer of a member that it has twice. */
function parse(line: string, number: number): { readonly value: JsonObject; readonly duplicate?: string | undefined } {
  try {
    const value = parseExactJson(line);
    if (isObject(value)) return { value };
  } catch (error) {
    if (error instanceof JsonTextError && error.kind === "duplicate" && isObject(error.value))
      return { value: error.value, duplicate: error.problems.at(-1)?.pointer };
  }
  throw new AuditInputError(`Line ${number} is not a JSON object. The file may be incomplete: export again.`);
}

function readSince(since: string | undefined, keys: readonly KeyObject[]): Map<number, Checkpoint[]> {
  const notes = splitNotes(since ?? "");
  if (since !== undefined && (notes.length === 0 || notes.join("") !== since))
    throw new AuditInputError("The file of earlier checkpoints must have signed notes, one after the other.");
  const heads = notes.map((note) => {
    const head = openHead(note, keys);
    if (typeof head === "string")
      throw new AuditInputError(`A note of the earlier checkpoints is not usable: ${head}.`);
    return head;
  });
  return Map.groupBy(heads, ({ size }) => size);
}

/** Verifies one event and its way to a signed root. */
function verifyReceipt(receipt: JsonObject, keys: readonly KeyObject[], duplicate: string | undefined): ExportVerdict {
  const { event, position, proof, content, checkpoint } = receipt;
  if (!isObject(event) || !Number.isSafeInteger(position) || !Array.isArray(proof))
    throw new AuditInputError("The receipt is malformed.");
  const head = openHead(checkpoint, keys);
  const id = String(event["id"]);
  const place = { position: Number(position), size: typeof head === "string" ? 0 : head.size };
  const found = (kind: Tampering, message: string): AuditFinding => ({ kind, position: place.position, id, message });
  const counts = { events: 1, erased: content === undefined && "content" in event ? 1 : 0, uncompared: 0 };
  if (typeof head === "string") {
    const finding = found("bad_signature", `The checkpoint does not count: ${head}.`);
    return { origin: "", ...counts, checkpoints: 0, finding };
  }
  const hashes = proof.map((hash) => Buffer.from(String(hash), "base64"));
  const root = rootFrom(leafOf(event), place, hashes)?.toString("base64");
  const verdict = { origin: head.origin, ...counts, checkpoints: 1 };
  if (root !== head.root) return { ...verdict, finding: found("changed", "The event is not in the signed tree.") };
  const unsigned = unsignedIn("receipt", receipt);
  if (duplicate !== undefined)
    return { ...verdict, finding: found("duplicate_member", `The member ${duplicate} is there twice.`) };
  if (unsigned !== undefined)
    return { ...verdict, finding: found("unsigned_member", `Nothing signs the member ${JSON.stringify(unsigned)}.`) };
  if (content === undefined || hasDigests(content, event["content"])) return verdict;
  return { ...verdict, finding: found("changed", "The content does not have its hashes.") };
}

const number = new Intl.NumberFormat("en-US");

/** Says a verdict to people, on one line. */
export function verdictText({ finding, events, erased, checkpoints, uncompared }: ExportVerdict): string {
  if (finding !== undefined) {
    const { kind, position, to = position, id, message } = finding;
    const where = to === position ? `event ${position}` : `events ${position} to ${to}`;
    return `${kind.toUpperCase()} at ${where}${id === undefined ? "" : ` (${id})`}: ${message}`;
  }
  const counts = `${number.format(events)} events, ${number.format(checkpoints)} checkpoints`;
  const gone = erased === 0 ? "" : ` The content of ${number.format(erased)} was erased.`;
  const older = uncompared === 0 ? "" : ` ${uncompared} earlier checkpoints are older than its first event.`;
  return `The audit log is intact: ${counts}.${gone}${older}`;
}
