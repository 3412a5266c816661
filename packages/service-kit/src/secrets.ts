/** What stands in the place of a secret. */
export const hidden = "[redacted]";

const secretNames =
  /token|secret|passw|passphrase|authorization|cookie|apikey|signature|credential|privatekey|accesskey|signingkey/;

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

const word = "(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|signature|credential|private[_-]?key)";
const mark = `["'\\\\]{0,3}`;

/**
 * What a secret looks like inside text, and what replaces it. The order matters: `Bearer …` comes before header lines.
 * Every pattern takes a token whose end was cut off too, and none looks further back than its own first letters,
 * so the time stays in proportion to the length of the text.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Slack tokens. https://docs.slack.dev/authentication/tokens
  [/xox[a-z](?:\.xox[a-z])?-[\w%+/=.-]+/gi, hidden],
  [/xapp-[\w%+/=.-]+/gi, hidden],
  // Handles that stand in for the Slack token.
  [/czh_[\w-]{8,}/g, hidden],
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
  [/\bBearer\s{1,5}[^\s"'\\,;]+/gi, `Bearer ${hidden}`],
  // A JSON Web Token, or any base64url of a JSON object. https://www.rfc-editor.org/rfc/rfc7519
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, hidden],
  // The user part of a URL. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
  [/:\/\/[^\s/@"'\\]+@/g, `://${hidden}@`],
  // Header lines: the whole rest of the line.
  [/(authorization|cookie|api-key|-signature)(["'\\]{0,3}\s{0,3}:\s{0,3}["'\\]{0,3})[^\r\n"'\\]+/gi, `$1$2${hidden}`],
  // JSON and the like inside text: "bot_token": "…", also with the quotes escaped.
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})"(?:[^"\\\\]|\\\\.)*"?`, "gis"), `$1"${hidden}"`],
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3}\\\\{1,3}")[^"\\\\]*`, "gi"), `$1${hidden}`],
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})'[^']*'?`, "gi"), `$1'${hidden}'`],
  // Forms and query strings: token=…
  [new RegExp(`(${word}[\\w-]{0,30}=)[^\\s"'\\\\&,;)\\]}]+`, "gi"), `$1${hidden}`],
];

const hint = /xox|xapp-|czh_|eyj|bearer|:\/\/|authorization|cookie|token|secret|passw|passph|key|signature|credential/i;

/** Replaces every secret that text shows by its form: Slack tokens, bearer tokens, JSON Web Tokens, `password=…`. */
export function hideSecrets(text: string): string {
  if (!hint.test(text)) return text;
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
