/** Characters of a token, about, in English text. Other scripts have fewer: an estimate for them is too low by up to four times. */
export const charactersPerToken = 4;

/** Tokens that an image or a page of a PDF counts as, about. */
const tokensOfFile = 1_500;

/** Returns how many tokens a text has, about. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Returns how many tokens a prompt has, about, whatever its shape. Bytes of a file count as one image. */
export function estimatePromptTokens(prompt: unknown): number {
  let files = 0;
  const text = JSON.stringify(prompt, (_name, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    files += 1;
    return undefined;
  });
  return estimateTokens(text ?? "") + files * tokensOfFile;
}
