/** Replacement for a secret. */
export const hidden = "[redacted]";

const secretNames =
  /token|secret|passw|passphrase|pwd$|^jwt|authorization|cookie|apikey|signature|credential|(?:private|access|signing|hmac|tls|encryption)key/;

/** A member's name, and what it implies about the value. */
export interface MemberName {
  /** The name as shown, at most 200 characters. */
  readonly shown: string;
  /** Whether the value is a secret, in any spelling of the name: `bot_token`, `X-Api-Key`, `clientSecret`. */
  readonly secret: boolean;
  /** Whether a number with this name counts language model tokens: `input_tokens`, `maxTokens`. */
  readonly counts: boolean;
}

/** Caches the few common names. Bounded, because clients can send any name. */
const readNames = new Map<string, MemberName>();

export function readMemberName(name: string): MemberName {
  const known = readNames.get(name);
  if (known !== undefined) return known;
  const start = name.slice(0, 4_000);
  const squashed = start.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const read = {
    shown: hideSecrets(start).slice(0, 200).toWellFormed(),
    secret: secretNames.test(squashed),
    counts: /tokens|tokencount/.test(squashed),
  };
  if (readNames.size < 1_000 && name.length <= 60) readNames.set(name, read);
  return read;
}

/** Names of secret headers in lists that alternate names and values. */
const secretHeaders =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z0-9-]{0,30}(?:key|token|secret|signature|credential))$/i;

/** Returns true if an item of a list is the name of a header whose value, the next item, is a secret. */
export function isSecretHeader(item: unknown): boolean {
  return typeof item === "string" && item.length < 48 && secretHeaders.test(item);
}

const word = "(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|signature|credential|private[_-]?key)";
const mark = `["'\\\\]{0,4}`;

/**
 * Patterns of secrets in text, and their replacements. The order matters: `Bearer …` comes before header lines. Every pattern also matches
 * a token whose end is cut off. None looks back further than its own first letters, so the time is linear in the length of the text.
 */
const patterns: readonly (readonly [RegExp, string | ((found: string, ...groups: string[]) => string)])[] = [
  // Slack tokens, https://docs.slack.dev/authentication/tokens, the task handles that replace them in the other zone, file links, API tokens.
  [/(?:xox[a-z](?:\.xox[a-z])?-|xapp-|cz[hf]_|xz_)[\w%+/=.-]+/gi, hidden],
  // AWS key ids, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; language model keys.
  [/\b(?:A[KS]IA[A-Z0-9]{12,}|sk-[\w-]{16,})/g, hidden],
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: the URL alone allows posting.
  [/hooks\.slack(?:-gov)?\.com\/[^\s"'\\]+/gi, `hooks.slack.com/${hidden}`],
  // https://www.rfc-editor.org/rfc/rfc7468#section-10, to its end marker or the end of the text.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}KEY-----|$)/g, hidden],
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1. "bearer" is also a word: a scheme or a header after it is not a token.
  [
    /\bBearer[\s+]{1,5}(?!(?:Bearer|Basic)[\s+]|[\w-]{0,60}(?:authorization|cookie|api-key|-signature)\s{0,3}:)[^\s"'\\,;]+/gi,
    `Bearer ${hidden}`,
  ],
  // https://www.rfc-editor.org/rfc/rfc7617#section-2. "Basic" is also a word: only a value that decodes to `user:password` counts.
  [
    /\bBasic[\s+]{1,5}(?!Basic[\s+])([\w+/-]{4,}={0,2})/gi,
    (found, text = "") => (Buffer.from(text, "base64").toString("latin1").includes(":") ? `Basic ${hidden}` : found),
  ],
  // A JSON Web Token, or any base64url of a JSON object. https://www.rfc-editor.org/rfc/rfc7519
  [/eyJ[\w+/-]{5,}(?:\.[\w-]*){0,4}/g, hidden],
  // The user part of a URL. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
  [/:\/\/[^\s/@"'\\]+@/g, `://${hidden}@`],
  // Header lines: the whole rest of the line.
  [/(authorization|cookie|api-key|-signature)(["'\\]{0,3}\s{0,3}:\s{0,3}["'\\]{0,3})[^\r\n"'\\]+/gi, `$1$2${hidden}`],
  // JSON and the like inside text: "bot_token": "…", also with the quotes escaped.
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})"(?:[^"\\\\]|\\\\.)*"?`, "gis"), `$1"${hidden}"`],
  // … where an escaped quote within the secret has more backslashes than the one that ends it.
  [
    new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})(\\\\{1,3})"(?:[^"\\\\]|(?!\\2")\\\\+"?)*`, "gi"),
    `$1$2"${hidden}`,
  ],
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})'[^']*'?`, "gi"), `$1'${hidden}'`],
  // Forms and query strings: token=… A number of tokens is no secret: max_tokens=4096.
  [
    new RegExp(`(${word}[\\w-]{0,30}=)([^\\s"'\\\\&,;)\\]}]+)`, "gi"),
    (found, name = "", value = "") => (/^tokens=$/i.test(name) && /^[\d.]+$/.test(value) ? found : name + hidden),
  ],
];

const hint =
  /xox|xapp-|cz[hf]_|xz_|eyj|bearer|basic|:\/\/|hooks\.|authorization|cookie|token|secret|passw|passph|pwd|key|signature|credential|a[ks]ia|sk-|%[0-9a-f]{2}/i;

/** Most logged values are ids. No pattern consists of these characters alone. */
const onlyHex = /^[\da-f-]*$/i;

/**
 * Replaces every recognizable secret in a text: Slack tokens and webhooks, task handles, file links, bearer tokens, JSON Web Tokens, AWS
 * keys, private keys, user and password in a URL, `password=…`. Also finds percent-encoded secrets; the text is then returned decoded.
 */
export function hideSecrets(text: string): string {
  if (onlyHex.test(text) || !hint.test(text)) return text;
  const clean = hideShown(text);
  return clean.includes("%") ? hideEncoded(clean) : clean;
}

function hideShown(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement as string), text);
}

/** Maximum number of percent-encoding layers. */
const mostLayers = 3;

function hideEncoded(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const next = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString(),
    );
    if (next === decoded) return text;
    decoded = next;
    const clean = hideShown(decoded);
    if (clean !== decoded) return clean.includes("%") ? hideEncoded(clean) : clean;
  }
  return text;
}
