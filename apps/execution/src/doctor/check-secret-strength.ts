import { failed, passed, skipped, warned, type Check, type Finding } from "@crosszone/service-kit/doctor";
import type { AuthKind } from "../config/check-security.ts";

/** Bits that a guesser has to go through; a secret made of 32 random bytes has more than 200 by this measure. */
const fewBits = 96;
const tooFewBits = 48;
const make = "Make one with: node -p \"crypto.randomBytes(32).toString('base64url')\"";

export interface SecretStrength {
  readonly auth: AuthKind;
  /** Of `bearer`. */
  readonly tokens: readonly string[] | undefined;
  /** Of `hmac`. */
  readonly secrets: readonly string[] | undefined;
}

/** Whether the secrets that open this zone can be guessed. Says nothing of them but how many there are. */
export function checkSecretStrength({ auth, tokens, secrets }: SecretStrength): Check {
  return {
    name: "secret strength",
    reads: ["CALLER_AUTH", "EXECUTION_TOKEN", "EXECUTION_HMAC_SECRET"],
    run: () => {
      if (auth === "none") return warned("nothing is asked for: every process of this machine can run tasks", make);
      if (auth === "bearer") return judged("EXECUTION_TOKEN", tokens ?? []);
      if (auth === "hmac") return judged("EXECUTION_HMAC_SECRET", secrets ?? []);
      return skipped(`CALLER_AUTH is ${auth}: the zone has no secret to guess`);
    },
  };
}

function judged(name: string, secrets: readonly string[]): Finding {
  const bits = Math.min(...secrets.map(guessBits));
  const which = secrets.length === 1 ? name : `one of the ${secrets.length} in ${name}`;
  if (bits < tooFewBits) return failed(`${which} can be guessed: it repeats itself, or is made of words`, make);
  if (bits < fewBits) return warned(`${which} is easier to guess than its length says`, make);
  if (new Set(secrets).size < secrets.length) return warned(`${name} has the same one twice`, "Take one away.");
  if (secrets.length > 2)
    return warned(`${name} has ${secrets.length} of them`, "Take away those that nobody sends any more.");
  return passed(
    secrets.length === 1
      ? "one, and random by its look"
      : "two, and random by their look: take the old one away when it is replaced",
  );
}

/** Shannon's measure of the characters, and of their pairs, which words and repetitions keep low. */
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
