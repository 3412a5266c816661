/** Returns a JSON-compatible copy of a value, with a placeholder in place of every secret. */
export type Redactor = (value: unknown) => unknown;

const HIDDEN = "[redacted]";
const SECRET_NAME = /token|secret|cookie|password|(^|-)authorization$/i;
const SLACK_TOKEN = /xox[a-z](?:\.xox[a-z])?-[\w-]+|xapp-\d-[\w-]+/g;
const SOCKET_TICKET = /([?&]ticket=)[^&\s"]+/g;
const RESPONSE_URL = /(\/commands\/)[\w/-]+/g;
const LONGEST_STRING = 20_000;

/**
 * Makes the redactor, the one place that keeps secrets out of the traffic record. It redacts members with a secret's name, Slack tokens in
 * any text, tickets of socket URLs, URLs for command answers, and the `known` secrets of this run. Very long texts are cut.
 */
export function createRedactor(known: readonly string[]): Redactor {
  const values = known.filter((secret) => secret !== "");

  function redactText(text: string): string {
    let clean = text
      .replaceAll(SLACK_TOKEN, HIDDEN)
      .replaceAll(SOCKET_TICKET, `$1${HIDDEN}`)
      .replaceAll(RESPONSE_URL, `$1${HIDDEN}`);
    for (const value of values) clean = clean.replaceAll(value, HIDDEN);
    return clean.length > LONGEST_STRING ? `${clean.slice(0, LONGEST_STRING)}… (${clean.length} characters)` : clean;
  }

  function redact(value: unknown): unknown {
    if (typeof value === "string") return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== "object" || value === null) return value ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        redactText(name),
        SECRET_NAME.test(name) && member !== null && member !== "" ? HIDDEN : redact(member),
      ]),
    );
  }
  return redact;
}
