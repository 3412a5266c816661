import { SealedTextError } from "./sealed-text-error.ts";
import type { Vault } from "./vault.ts";

/**
 * Turns a record into the text of a column and back: JSON, sealed when there is a vault. What was stored before there was one is
 * read as well. `context` says which row and column the record belongs to.
 */
export interface RecordCodec {
  toColumn(record: unknown, context: string): string;
  /** Throws a `SealedTextError` for what does not open. */
  fromColumn(text: string, context: string): unknown;
}

/** No JSON text starts like this. */
const isSealed = (text: string): boolean => text.startsWith("v1.");

export function createRecordCodec(vault: Pick<Vault, "seal" | "open"> | undefined): RecordCodec {
  return {
    toColumn: (record, context) => {
      const text = JSON.stringify(record);
      return vault === undefined ? text : vault.seal(text, context);
    },
    fromColumn: (text, context) => {
      if (!isSealed(text)) return JSON.parse(text) as unknown;
      if (vault === undefined) throw new SealedTextError("unknown_key");
      return JSON.parse(vault.open(text, context)) as unknown;
    },
  };
}
