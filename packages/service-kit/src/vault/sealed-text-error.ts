/**
 * Why sealed text does not open. `unknown_key`: no key of the vault has the id that it was sealed with. `not_authentic`: it was changed,
 * belongs to something else, or its key has the same id and is another. `malformed`: it is no sealed text.
 */
export type SealedTextReason = "unknown_key" | "not_authentic" | "malformed";

const words = {
  unknown_key: "no key of DATA_KEYS has the id that the text was sealed with",
  not_authentic: "the sealed text was changed, or belongs to something else, or its key is another",
  malformed: "it is no sealed text",
} satisfies Record<SealedTextReason, string>;

/** Thrown for sealed text that does not open. Shows nothing of it. */
export class SealedTextError extends Error {
  override readonly name = "SealedTextError";
  readonly reason: SealedTextReason;

  constructor(reason: SealedTextReason) {
    super(words[reason]);
    this.reason = reason;
  }
}
