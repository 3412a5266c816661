/**
 * Why sealed text can't be opened. `unknown_key`: the vault has no key with its id. `not_authentic`: it was modified, belongs elsewhere, or
 * was sealed with another key of the same id. `malformed`: it is not sealed text.
 */
export type SealedTextReason = "unknown_key" | "not_authentic" | "malformed";

const words = {
  unknown_key: "DATA_KEYS has no key with the id that the text was sealed with",
  not_authentic: "the sealed text was modified, belongs elsewhere, or was sealed with another key of the same id",
  malformed: "the text is not sealed",
} satisfies Record<SealedTextReason, string>;

/** Sealed text can't be opened. The message shows nothing of it. */
export class SealedTextError extends Error {
  override readonly name = "SealedTextError";
  readonly reason: SealedTextReason;

  constructor(reason: SealedTextReason) {
    super(words[reason]);
    this.reason = reason;
  }
}
