import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";
import type { ExecutionConfig } from "../config.ts";

/** Bits that a guesser has to go through; a token made of 32 random bytes has more than 200 by this measure. */
const fewBits = 96;
const tooFewBits = 48;
const make = "Make one with: node -p \"crypto.randomBytes(32).toString('base64url')\"";

/** Whether the tokens that open this zone can be guessed. Says nothing of them but how many there are. */
export function checkTokenStrength({
  auth,
  tokens = [],
}: {
  readonly auth: ExecutionConfig["EXECUTION_AUTH"];
  readonly tokens: readonly string[] | undefined;
}): Check {
  return {
    name: "token strength",
    reads: ["EXECUTION_AUTH", "EXECUTION_TOKEN"],
    run: () => {
      if (auth !== "bearer") return skipped(`EXECUTION_AUTH is ${auth}: the zone looks at no token`);
      if (tokens.length === 0)
        return warned("EXECUTION_TOKEN is not set: every process of this machine can run tasks", make);
      const bits = Math.min(...tokens.map(guessBits));
      const which = tokens.length === 1 ? "EXECUTION_TOKEN" : `one of the ${tokens.length} in EXECUTION_TOKEN`;
      if (bits < tooFewBits) return failed(`${which} can be guessed: it repeats itself, or is made of words`, make);
      if (bits < fewBits) return warned(`${which} is easier to guess than its length says`, make);
      if (new Set(tokens).size < tokens.length)
        return warned("EXECUTION_TOKEN has the same token twice", "Take one away.");
      if (tokens.length > 2)
        return warned(`EXECUTION_TOKEN has ${tokens.length} tokens`, "Take away those that nobody sends any more.");
      return passed(
        tokens.length === 1
          ? "one, and random by its look"
          : "two, and random by their look: take the old one away when it is replaced",
      );
    },
  };
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
