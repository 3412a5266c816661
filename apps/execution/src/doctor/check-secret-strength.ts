import { failed, passed, skipped, warned, type Check, type Finding } from "@crosszone/service-kit/doctor";
import type { AuthKind } from "../config/check-security.ts";

/** Estimated entropy, bits, below which a secret is weak. A secret of 32 random bytes has more than 200. */
const fewBits = 96;
const tooFewBits = 48;
const make = "Generate one: node -p \"crypto.randomBytes(32).toString('base64url')\"";

export interface SecretStrength {
  readonly auth: AuthKind;
  /** With `bearer` authentication. */
  readonly tokens: readonly string[] | undefined;
  /** With `hmac` authentication. */
  readonly secrets: readonly string[] | undefined;
}

/** Checks that the zone's secrets can't be guessed. Reports only how many there are. */
export function checkSecretStrength({ auth, tokens, secrets }: SecretStrength): Check {
  return {
    name: "secret strength",
    reads: ["CALLER_AUTH", "EXECUTION_TOKEN", "EXECUTION_HMAC_SECRET"],
    run: () => {
      if (auth === "none")
        return warned("callers need no credentials: every process on this machine can run tasks", make);
      if (auth === "bearer") return judged("EXECUTION_TOKEN", tokens ?? []);
      if (auth === "hmac") return judged("EXECUTION_HMAC_SECRET", secrets ?? []);
      return skipped(`CALLER_AUTH is ${auth}: the zone has no secret`);
    },
  };
}

function judged(name: string, secrets: readonly string[]): Finding {
  const bits = Math.min(...secrets.map(guessBits));
  const which = secrets.length === 1 ? name : `one of the ${secrets.length} secrets in ${name}`;
  if (bits < tooFewBits) return failed(`${which} can be guessed: it repeats characters or consists of words`, make);
  if (bits < fewBits) return warned(`${which} is easier to guess than its length suggests`, make);
  if (new Set(secrets).size < secrets.length) return warned(`${name} contains the same secret twice`, "Remove one.");
  if (secrets.length > 2)
    return warned(`${name} has ${secrets.length} secrets`, "Remove the secrets that no caller uses.");
  return passed(
    secrets.length === 1
      ? "one, and it looks random"
      : "two, and they look random: remove the old one when callers use the new one",
  );
}

/** The smaller Shannon entropy of the characters and of their pairs, in bits. Words and repetitions lower it. */
function guessBits(token: string): number {
  const pairs = Array.from({ length: token.length - 1 }, (_, at) => token.slice(at, at + 2));
  const known = /(?:password|changeme|secret|example|token|crosszone|letmein|qwerty|12345|abcdef)/gi;
  const rest = token.replaceAll(known, "");
  return Math.min(entropy(rest.split("")) * rest.length, entropy(pairs) * pairs.length);
}

function entropy(symbols: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / symbols.length) * Math.log2(count / symbols.length),
    0,
  );
}
