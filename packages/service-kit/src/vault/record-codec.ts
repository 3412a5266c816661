import { SealedTextError } from "./sealed-text-error.ts";
import type { Vault } from "./vault.ts";

/**
 * Converts a record to the text of a column and back: JSON, sealed if there is a vault. Also reads rows stored before there was one.
 * `context` identifies the row and column.
 */
export interface RecordCodec {
  toColumn(record: unknown, context: string): string;
  /** Throws a `SealedTextError` when the text can't be opened. */
  fromColumn(text: string, context: string): unknown;
}

/** JSON text never starts like this. */
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
