import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { ConfigProblem } from "./config-error.ts";
import { type ConfigValues, groupOf, list, variable } from "./definition.ts";

/**
 * Why sealed text can't be opened. `unknown_key`: the vault has no key with its id. `not_authentic`: it was modified, belongs elsewhere, or
 * was sealed with another key of the same id. `malformed`: it is not sealed text.
 */
export type SealedTextReason = "unknown_key" | "not_authentic" | "malformed";

const words = {
  unknown_key: "sealed with a key that DATA_KEYS of this process lacks",
  not_authentic: "the sealed text was modified, belongs elsewhere, or was sealed with another key of the same id",
  malformed: "the text is not sealed",
} satisfies Record<SealedTextReason, string>;

/** Sealed text can't be opened. The message shows nothing of it but the id of its key. */
export class SealedTextError extends Error {
  override readonly name = "SealedTextError";
  readonly reason: SealedTextReason;
  /** As `reason`, for `outageOf`. */
  readonly code: SealedTextReason;

  constructor(reason: SealedTextReason, keyId?: string) {
    super(
      keyId === undefined ? words[reason] : `sealed with the key "${keyId}", which DATA_KEYS of this process lacks`,
    );
    this.reason = reason;
    this.code = reason;
  }
}

/** Whether this process lacks a key that others of its zone may have: the same work can succeed there, and here once the key is back. */
export const isKeyMissing = (error: unknown): error is SealedTextError =>
  error instanceof SealedTextError && error.reason === "unknown_key";

/** A 256-bit key and its id, which is part of sealed text. */
export interface VaultKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
  readonly key: KeyObject;
}

const algorithm = "aes-256-gcm";
/** https://csrc.nist.gov/pubs/sp/800/38/d/final: 96 random bits, good for 2^32 texts with one key. */
const nonceBytes = 12;
const tagBytes = 16;
const form = /^v1\.([\w-]+)\.([\w-]*)$/;

/**
 * Encrypts text with AES-256-GCM, so that others can neither read nor replace it. `context` identifies the place of the text, such as
 * table, column and row id. It is not stored, and opening requires the same context, so sealed text can't be moved to another row. The
 * first key seals; all keys open.
 */
export function createVault(keys: readonly [VaultKey, ...VaultKey[]]) {
  const [first] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const prefix = `v1.${first.id}.`;
  return {
    /** Prefix of text sealed with the first key. Text with another prefix must be sealed again before its key is removed. */
    prefix,
    /**
     * Returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`, different each time. Text and context must be well-formed Unicode: half
     * a surrogate pair becomes U+FFFD.
     */
    seal: (text: string, context: string): string => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(prefix + context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return prefix + sealed.toString("base64url");
    },
    /** Throws a `SealedTextError` for text that this vault did not seal in this context. */
    open: (sealed: string, context: string): string => {
      const [, id, body] = form.exec(sealed) ?? [];
      if (id === undefined || body === undefined) throw new SealedTextError("malformed");
      const key = byId.get(id);
      if (key === undefined) throw new SealedTextError("unknown_key", id);
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

export type Vault = ReturnType<typeof createVault>;

/** Returns why a process without keys can't open sealed text. */
function withoutKeys(sealed: string): SealedTextError {
  const [, id] = form.exec(sealed) ?? [];
  return id === undefined ? new SealedTextError("malformed") : new SealedTextError("unknown_key", id);
}

/** JSON text never starts like this. */
const isSealed = (text: string): boolean => text.startsWith("v1.");

/**
 * Converts a record to the text of a column and back: JSON, sealed with a vault. Also reads rows that were stored without one.
 * `context` identifies the row and column.
 */
export function createRecordCodec(vault: Vault | undefined) {
  return {
    toColumn: (record: unknown, context: string): string => {
      const text = JSON.stringify(record);
      return vault === undefined ? text : vault.seal(text, context);
    },
    /** Throws a `SealedTextError` when the text can't be opened. */
    fromColumn: (text: string, context: string): unknown => {
      if (!isSealed(text)) return JSON.parse(text) as unknown;
      if (vault === undefined) throw withoutKeys(text);
      return JSON.parse(vault.open(text, context)) as unknown;
    },
  };
}

export type RecordCodec = ReturnType<typeof createRecordCodec>;

const expected =
  "id:key, several with commas, each id once; a key is the base64 of 32 random bytes, made with: openssl rand -base64 32";

/** The variable with the keys that secrets in the database are encrypted with, for the configuration of an app. */
export const dataKeysVariables = groupOf("Store data", {
  DATA_KEYS: variable(list().optional().describe(expected), { secret: true })`
    Keys that encrypt secrets in the database. The first key encrypts; all keys decrypt. Without keys, the zone stores
    no secrets.`,
});

type Keys = Partial<ConfigValues<typeof dataKeysVariables>>;

/** Returns the problems of the keys by position. Shows neither keys nor values in the place of ids. */
export function dataKeysProblems({ DATA_KEYS: items }: Keys): ConfigProblem[] {
  if (items === undefined) return [];
  const read = items.map(readKey);
  const faults = read.flatMap((key, at) => (typeof key === "string" ? [`item ${at + 1} ${key}`] : []));
  const ids = items.map((item) => item.split(":", 1)[0]);
  const twice = ids.flatMap((id, at) => (ids.indexOf(id) < at ? [`item ${at + 1} has the id of an earlier one`] : []));
  if (items.length === 0) faults.push("it holds no key");
  return [...faults, ...twice].map((fault) => ({ name: "DATA_KEYS", wrong: `is not valid: ${fault}`, expected }));
}

/** Returns the vault of these keys; undefined without keys. Expects valid keys. */
export function vaultOf({ DATA_KEYS: items = [] }: Keys): Vault | undefined {
  const [first, ...rest] = items.map(readKey).filter((key) => typeof key !== "string");
  return first && createVault([first, ...rest]);
}

/** The key, or its problem. */
function readKey(item: string): VaultKey | string {
  const [, id = "", text = ""] = /^([^:]*):(.*)$/.exec(item) ?? [];
  if (!item.includes(":")) return "has no id";
  if (!/^[\w-]{1,40}$/.test(id)) return "has an id that is not 1 to 40 letters, digits, - or _";
  if (!/^[\w+/-]*={0,2}$/.test(text)) return "has a key that is not base64";
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32) return `has a key of ${bytes.length} bytes instead of 32`;
  return { id, key: createSecretKey(bytes) };
}

/** Returns the content of a sealed column for a list; undefined when it can't be opened. Work uses `openedHere`. */
export function opened<Content>(open: () => Content): Content | undefined {
  try {
    return openedHere(open);
  } catch (error) {
    if (isKeyMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the content of a sealed column; undefined when it was modified. Throws when its key is missing (`isKeyMissing`): the work is left to a process that has it. */
export function openedHere<Content>(open: () => Content): Content | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealedTextError && !isKeyMissing(error)) return undefined;
    throw error;
  }
}
