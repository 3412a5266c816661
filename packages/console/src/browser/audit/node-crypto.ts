/**
 * What the verification of the audit log uses of Node.js, for a browser: its files are served as they are, with this module as their
 * `node:crypto`. WebCrypto can't stand in, because its functions are asynchronous.
 */
import { hashes, verify as verifyEd25519 } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";

hashes.sha512 = sha512;

type Encoding = "base64" | "base64url" | "hex" | "utf8";

/** The part of Node's `Buffer` that the verification uses. */
class Bytes extends Uint8Array {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }

  override toString(encoding: Encoding = "utf8"): string {
    if (encoding === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (encoding === "utf8") return new TextDecoder().decode(this);
    const text = btoa(String.fromCharCode(...this));
    return encoding === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
}

function bytesFrom(source: string | Uint8Array, encoding: Encoding = "utf8"): Bytes {
  if (typeof source !== "string") return new Bytes(source);
  if (encoding === "utf8") return new Bytes(new TextEncoder().encode(source));
  // As in Node, other characters are skipped.
  const text = source
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return new Bytes(Array.from(atob(whole), (character) => character.charCodeAt(0)));
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

(globalThis as { Buffer?: unknown }).Buffer = { from: bytesFrom, concat, of: (...bytes: number[]) => new Bytes(bytes) };

/** A public key, as `export({ format: "jwk" })` shows one. */
interface PublicKey {
  readonly export: () => { readonly x: string };
}

export const hash = (_sha256: string, data: string | Uint8Array): Bytes =>
  new Bytes(sha256(typeof data === "string" ? bytesFrom(data) : data));

export const createPublicKey = ({ key }: { readonly key: { readonly x: string } }): PublicKey => ({
  export: () => key,
});

export function verify(...[, data, key, signature]: [null, Uint8Array, PublicKey, Uint8Array]): boolean {
  try {
    return verifyEd25519(signature, data, bytesFrom(key.export().x, "base64url"), { zip215: false });
  } catch {
    return false;
  }
}

export function sign(): never {
  throw new Error("a browser signs nothing");
}
