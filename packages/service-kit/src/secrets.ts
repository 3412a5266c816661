/** What stands in the place of a secret. */
export const hidden = "[redacted]";

const secretNames =
  /token|secret|passw|passphrase|pwd$|^jwt|authorization|cookie|apikey|signature|credential|(?:private|access|signing|hmac|tls|encryption)key/;

/** What the name of a member says about its value. */
export interface MemberName {
  /** The name as it may be shown, at most 200 characters. */
  readonly shown: string;
  /** The value is a secret, however the name is written: `bot_token`, `X-Api-Key`, `clientSecret`. */
  readonly secret: boolean;
  /** A number under this name counts language model tokens: `input_tokens`, `maxTokens`. */
  readonly counts: boolean;
}

/** The same few names come all the time; names that somebody sends cannot fill it without end. */
const seen = new Map<string, MemberName>();

export function readMemberName(name: string): MemberName {
  const known = seen.get(name);
  if (known !== undefined) return known;
  const start = name.slice(0, 4_000);
  const squashed = start.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const read = {
    shown: hideSecrets(start).slice(0, 200).toWellFormed(),
    secret: secretNames.test(squashed),
    counts: /tokens|tokencount/.test(squashed),
  };
  if (seen.size < 1_000 && name.length <= 60) seen.set(name, read);
  return read;
}

/** Headers that carry a secret, by the names that lists of headers hold beside the value. */
const secretHeaders =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z0-9-]{0,30}(?:key|token|secret|signature|credential))$/i;

/** Whether an item of a list is the name of a header whose value, the next item, is a secret. */
export function isSecretHeader(item: unknown): boolean {
  return typeof item === "string" && item.length < 48 && secretHeaders.test(item);
}

const word = "(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|signature|credential|private[_-]?key)";
const mark = `["'\\\\]{0,4}`;

type Pattern = readonly [RegExp, string | ((found: string, ...groups: string[]) => string)];

/**
 * What a secret looks like inside text, and what replaces it. The order matters: `Bearer …` comes before header lines.
 * Every pattern takes a token whose end was cut off too, and none looks further back than its own first letters,
 * so the time stays in proportion to the length of the text.
 */
const patterns: readonly Pattern[] = [
  // Slack tokens, https://docs.slack.dev/authentication/tokens, the handles that go to the other zone in their place, and links of files.
  [/(?:xox[a-z](?:\.xox[a-z])?-|xapp-|cz[hf]_)[\w%+/=.-]+/gi, hidden],
  // Ids of AWS keys, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; keys of language models.
  [/\b(?:A[KS]IA[A-Z0-9]{12,}|sk-[\w-]{16,})/g, hidden],
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: whoever has the address may post.
  [/hooks\.slack(?:-gov)?\.com\/[^\s"'\\]+/gi, `hooks.slack.com/${hidden}`],
  // https://www.rfc-editor.org/rfc/rfc7468#section-10, to its end, or to the end of what there is.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}KEY-----|$)/g, hidden],
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1. "bearer" is a word too: a scheme or a header behind it is no token.
  [
    /\bBearer[\s+]{1,5}(?!(?:Bearer|Basic)[\s+]|[\w-]{0,60}(?:authorization|cookie|api-key|-signature)\s{0,3}:)[^\s"'\\,;]+/gi,
    `Bearer ${hidden}`,
  ],
  // https://www.rfc-editor.org/rfc/rfc7617#section-2. "Basic" is a word too: only what decodes to `user:password` counts.
  [
    /\bBasic[\s+]{1,5}(?!Basic[\s+])([\w+/-]{4,}={0,2})/gi,
    (found, text = "") => (atob8(text).includes(":") ? `Basic ${hidden}` : found),
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
  // Forms and query strings: token=…
  [new RegExp(`(${word}[\\w-]{0,30}=)[^\\s"'\\\\&,;)\\]}]+`, "gi"), `$1${hidden}`],
];

const atob8 = (text: string): string => Buffer.from(text, "base64").toString("latin1");

const hint =
  /xox|xapp-|cz[hf]_|eyj|bearer|basic|:\/\/|hooks\.|authorization|cookie|token|secret|passw|passph|pwd|key|signature|credential|a[ks]ia|sk-|%[0-9a-f]{2}/i;

/** Ids are most of what is logged. None of the forms is made of these characters alone. */
const onlyHex = /^[\da-f-]*$/i;

/**
 * Replaces every secret that text shows by its form: Slack tokens and webhooks, task handles, file links, bearer tokens, JSON Web Tokens, AWS keys,
 * private keys, user and password in a URL, `password=…`. Percent-encoding hides none of them: text in which it did is given decoded.
 */
export function hideSecrets(text: string): string {
  if (onlyHex.test(text) || !hint.test(text)) return text;
  const clean = hideShown(text);
  return clean.includes("%") ? hideEncoded(clean) : clean;
}

function hideShown(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement as string), text);
}

/** So many times may text be percent-encoded over. */
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
