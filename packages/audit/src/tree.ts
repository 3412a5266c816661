import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { canonicalJson } from "@crosszone/contracts/json";

/** 32 bytes of SHA-256 in the Merkle tree of RFC 6962, which RFC 9162 keeps: https://www.rfc-editor.org/rfc/rfc9162#section-2.1 */
export type Hash = Buffer;

/** Keep a leaf from passing for a node. */
const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)];

export const hashLeaf = (data: string | Uint8Array): Hash =>
  hash("sha256", Buffer.concat([leafPrefix, Buffer.from(data as string)]), "buffer");

export const hashNode = (left: Hash, right: Hash): Hash =>
  hash("sha256", Buffer.concat([nodePrefix, left, right]), "buffer");

/** Returns the hash of an event in the tree. */
export const leafOf = (event: unknown): Hash => hashLeaf(canonicalJson(event));

/** Returns the salted hashes of an event's content by member. Equal values of two members have different hashes. */
export function memberDigests(content: {
  readonly salt: string;
  readonly members: Readonly<Record<string, unknown>>;
}): Record<string, string> {
  const salt = Buffer.from(content.salt, "base64");
  const digest = (member: readonly [string, unknown]): string =>
    hash("sha256", Buffer.concat([salt, Buffer.from(canonicalJson(member))]), "buffer").toString("hex");
  return Object.fromEntries(Object.entries(content.members).map(([name, value]) => [name, digest([name, value])]));
}

/** The right edge of a tree: the hashes of its largest complete subtrees, left to right. All that appending and the root need. */
export class Frontier {
  #size: number;
  readonly #hashes: Hash[];

  private constructor(size: number, hashes: Hash[]) {
    this.#size = size;
    this.#hashes = hashes;
  }

  /** Throws a `RangeError` when a tree of this size has another number of hashes, or one is not 32 bytes in base64. */
  static of(size: number, text: string): Frontier {
    const hashes = text.split(" ").flatMap((one) => (one === "" ? [] : [Buffer.from(one, "base64")]));
    const isTree = Number.isSafeInteger(size) && size >= 0 && hashes.length === onesOf(size);
    if (!isTree || hashes.some(({ length }) => length !== 32))
      throw new RangeError(`Expected the frontier of a tree with ${size} leaves, got ${hashes.length} hashes.`);
    return new Frontier(size, hashes);
  }

  get size(): number {
    return this.#size;
  }

  /** `onComplete` is called for each subtree of 2 ** `height` leaves that this completes. */
  append(leaf: Hash, onComplete?: (height: number, number: number, root: Hash) => void): void {
    let [right, number] = [leaf, this.#size];
    for (let height = 1; number % 2 === 1; height += 1) {
      right = hashNode(this.#hashes.pop() as Hash, right);
      number = (number - 1) / 2;
      onComplete?.(height, number, right);
    }
    this.#hashes.push(right);
    this.#size += 1;
  }

  root(): Hash {
    return this.#hashes.reduceRight<Hash | undefined>(foldLeft, undefined) ?? hash("sha256", "", "buffer");
  }

  /** The hashes in base64, with spaces between them. */
  toString(): string {
    return this.#hashes.map((one) => one.toString("base64")).join(" ");
  }
}

const foldLeft = (right: Hash | undefined, left: Hash): Hash => (right === undefined ? left : hashNode(left, right));

function onesOf(size: number): number {
  let ones = 0;
  for (let left = size; left > 0; left = Math.floor(left / 2)) ones += left % 2;
  return ones;
}

export function rootOf(leaves: readonly Hash[]): Hash {
  const frontier = Frontier.of(0, "");
  for (const leaf of leaves) frontier.append(leaf);
  return frontier.root();
}

/** Reads the hash of the complete subtree of 2 ** `height` leaves with this number. */
type ReadSubtree = (height: number, number: number) => Promise<Hash>;

/** Returns the hashes that lead from a leaf to the root. https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.1 */
export async function proveInclusion(position: number, size: number, read: ReadSubtree): Promise<readonly Hash[]> {
  const path: Hash[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    const isLeft = position < middle;
    path.unshift(isLeft ? await rootBetween(middle, end, read) : await rootBetween(start, middle, read));
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return path;
}

async function rootBetween(start: number, end: number, read: ReadSubtree): Promise<Hash> {
  const height = Math.log2(end - start);
  if (Number.isInteger(height)) return read(height, start / (end - start));
  const middle = start + splitOf(end - start);
  return hashNode(await rootBetween(start, middle, read), await rootBetween(middle, end, read));
}

/** The largest power of two below `size`. */
const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** Returns the root that a proof leads to; undefined when its length is wrong. https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2 */
export function rootFrom(
  leaf: Hash,
  { position, size }: { readonly position: number; readonly size: number },
  proof: readonly Hash[],
): Hash | undefined {
  if (!(position >= 0 && position < size)) return undefined;
  let [root, node, last] = [leaf, position, size - 1];
  for (const sibling of proof) {
    if (last === 0) return undefined;
    // A node without a right sibling is its own parent.
    while (node === last && node % 2 === 0) [node, last] = [node / 2, last / 2];
    root = node % 2 === 1 ? hashNode(sibling, root) : hashNode(root, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/** The signed head of a tree. https://c2sp.org/tlog-checkpoint */
export interface Checkpoint {
  /** The name of the log, and of its key. */
  readonly origin: string;
  readonly size: number;
  /** base64. */
  readonly root: string;
}

/** Why a checkpoint does not count. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}

/** https://c2sp.org/signed-note#signature-types */
const ed25519 = Buffer.of(1);
const keyIdBytes = 4;

/** Returns the public part of an Ed25519 key as base64 of its 32 bytes. */
export const publicKeyText = (key: KeyObject): string =>
  Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");

/** Returns the public key of base64 of 32 bytes. Throws a `TypeError` for other text. */
export function readPublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32 || bytes.toString("base64") !== text)
    throw new TypeError("Expected an Ed25519 public key: 32 bytes in base64, as crosszone audit key prints it.");
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") } });
}

const keyIdOf = (name: string, key: KeyObject): Buffer =>
  hash(
    "sha256",
    Buffer.concat([Buffer.from(`${name}\n`), ed25519, Buffer.from(publicKeyText(key), "base64")]),
    "buffer",
  ).subarray(0, keyIdBytes);

/** Returns text, which ends with a line feed, and its signature. https://c2sp.org/signed-note */
export function signNote(name: string, text: string, key: KeyObject): string {
  const signature = Buffer.concat([keyIdOf(name, key), sign(null, Buffer.from(text), key)]);
  return `${text}\n— ${name} ${signature.toString("base64")}\n`;
}

const signatureLine = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;

/**
 * Returns the text of a note if one of the keys signed it by this name. Signatures of others are ignored. Throws a `CheckpointError` when the
 * note is malformed, when none of the keys signed it, and when the signature of one is wrong.
 */
export function openNote(note: string, name: string, keys: readonly KeyObject[]): string {
  const at = note.lastIndexOf("\n\n") + 1;
  const [text, rest] = [note.slice(0, at), note.slice(at + 1)];
  const lines = rest.split("\n");
  if (at === 0 || lines.pop() !== "" || lines.length === 0) throw new CheckpointError("it is not a signed note");
  let isSigned = false;
  for (const line of lines) {
    const [, by, base64 = ""] = signatureLine.exec(line) ?? [];
    const bytes = Buffer.from(base64, "base64");
    if (by === undefined || bytes.toString("base64") !== base64) throw new CheckpointError("a signature is malformed");
    const key = keys.find((one) => by === name && keyIdOf(name, one).equals(bytes.subarray(0, keyIdBytes)));
    if (key === undefined) continue;
    if (!verify(null, Buffer.from(text), key, bytes.subarray(keyIdBytes)))
      throw new CheckpointError("its signature is wrong");
    isSigned = true;
  }
  if (!isSigned)
    throw new CheckpointError("the given keys did not sign it; a log with audit.rekey needs its former keys too");
  return text;
}

export const signCheckpoint = ({ origin, size, root }: Checkpoint, key: KeyObject): string =>
  signNote(origin, `${origin}\n${size}\n${root}\n`, key);

/** Returns a checkpoint that one of the keys signed. Throws a `CheckpointError` otherwise. */
export function openCheckpoint(note: string, keys: readonly KeyObject[]): Checkpoint {
  const [, origin = ""] = /^([^\s+]+)\n/.exec(note) ?? [];
  const text = openNote(note, origin, keys);
  const [, size = "", root = ""] = /^[^\n]+\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n$/.exec(text) ?? [];
  if (size === "" || !Number.isSafeInteger(Number(size)) || Buffer.from(root, "base64").toString("base64") !== root)
    throw new CheckpointError("it is not a checkpoint");
  return { origin, size: Number(size), root };
}

/** Returns the notes of a text that has one after the other. */
export const splitNotes = (text: string): readonly string[] => text.match(/[^—]+?\n\n(?:— .*\n)+/g) ?? [];
