/**
 * Approximate characters per token in English. Other scripts have fewer, so estimates for them are up to four times too
 * low.
 */
export const charactersPerToken = 4;

/** Approximate tokens of an image or a PDF page. */
const tokensOfFile = 1_500;

/** Returns the approximate number of tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Returns the approximate number of tokens of a prompt in any form. A file's bytes count as one image. */
export function estimatePromptTokens(prompt: unknown): number {
  let files = 0;
  const text = JSON.stringify(prompt, (_name, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    files += 1;
    return undefined;
  });
  return estimateTokens(text ?? "") + files * tokensOfFile;
}
