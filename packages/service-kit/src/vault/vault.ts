import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import { SealedTextError } from "./sealed-text-error.ts";

/** A 256-bit key and its id, which is part of sealed text. */
export interface VaultKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Encrypts text with AES-256-GCM, so that others can neither read nor replace it. `context` identifies the place of the text, such as
 * table, column and row id. It is not stored, and opening requires the same context, so sealed text can't be moved to another row.
 */
export interface Vault {
  /**
   * Returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`, different each time. Text and context must be well-formed Unicode: half
   * a surrogate pair becomes U+FFFD.
   */
  seal(text: string, context: string): string;
  /** Throws a `SealedTextError` for text that this vault did not seal in this context. */
  open(sealed: string, context: string): string;
  /** Prefix of text sealed with the first key. Text with another prefix must be sealed again before its key is removed. */
  readonly prefix: string;
}

const algorithm = "aes-256-gcm";
/** https://csrc.nist.gov/pubs/sp/800/38/d/final: 96 random bits, good for 2^32 texts with one key. */
const nonceBytes = 12;
const tagBytes = 16;
const form = /^v1\.([\w-]+)\.([\w-]*)$/;

/** Creates a vault. The first key seals; all keys open. */
export function createVault(keys: readonly [VaultKey, ...VaultKey[]]): Vault {
  const [first] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const prefix = `v1.${first.id}.`;
  return {
    prefix,
    seal: (text, context) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(prefix + context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return prefix + sealed.toString("base64url");
    },
    open: (sealed, context) => {
      const [, id, body] = form.exec(sealed) ?? [];
      if (id === undefined || body === undefined) throw new SealedTextError("malformed");
      const key = byId.get(id);
      if (key === undefined) throw new SealedTextError("unknown_key");
      const bytes = Buffer.from(body, "base64url");
      if (bytes.length < nonceBytes + tagBytes) throw new SealedTextError("malformed");
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(`v1.${id}.${context}`));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
      } catch {
        throw new SealedTextError("not_authentic");
      }
    },
  };
}
