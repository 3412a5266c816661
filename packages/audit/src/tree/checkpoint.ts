import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

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
  if (!isSigned) throw new CheckpointError("the key did not sign it");
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
