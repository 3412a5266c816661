import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import { SealedTextError } from "./sealed-text-error.ts";

/** A key of 256 bits and its name, which sealed text shows. */
export interface VaultKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Seals text for a place where others may read it, or put other text in its stead: authenticated encryption with AES-256-GCM.
 * `context` says what the text belongs to, such as the table, the column and the row's id. It is not kept, and the same has to be
 * said to open: sealed text that was moved to another row does not open there.
 */
export interface Vault {
  /**
   * `v1.<key id>.<base64url of nonce, ciphertext and tag>`. Different each time. Text and context are well-formed Unicode, as JSON is:
   * half a surrogate pair would come back as U+FFFD.
   */
  seal(text: string, context: string): string;
  /** Throws a `SealedTextError` for what this vault did not seal in this context. */
  open(sealed: string, context: string): string;
  /** How everything starts that the first key seals: what starts otherwise is to be sealed again before its key can go. */
  readonly prefix: string;
}

const algorithm = "aes-256-gcm";
/** https://csrc.nist.gov/pubs/sp/800/38/d/final: 96 random bits, good for 2^32 texts with one key. */
const nonceBytes = 12;
const tagBytes = 16;
const form = /^v1\.([\w-]+)\.([\w-]*)$/;

/** The first key seals, all of them open. */
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
