import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const prefix = "xz_";

/** Length of the random part: 192 bits. */
const randomLength = 32;

/**
 * Returns a new API token: `xz_`, 32 random characters and the CRC-32 of what precedes it. The prefix lets secret scanners find it, and the
 * checksum lets them skip other text, as in GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function newTokenText(): string {
  const random = prefix + randomBytes(24).toString("base64url");
  return random + checksumOf(random);
}

/** Whether a text looks like an API token, but has another checksum. */
export function isMistyped(token: string): boolean {
  const length = prefix.length + randomLength;
  return token.startsWith(prefix) && token.slice(length) !== checksumOf(token.slice(0, length));
}

/** Returns the SHA-256 of a token, hex. Only the digest is stored, and sent between the zones. */
export const digestOf = (token: string): string => hash("sha256", token);

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString("base64url");
}
