import type { LoadedConfig } from "@crosszone/service-kit";
import {
  checkOpens,
  checkReachable,
  failed,
  passed,
  probe,
  skipped,
  warned,
  type Check,
  type Finding,
  type Peer,
} from "@crosszone/ops/doctor";
import { z } from "zod";
import { callerVariables } from "../../config/caller-variables.ts";
import { authKindOf, type AuthKind } from "../../config/check-callers.ts";
import type { executionConfig, ExecutionConfig } from "../../config/config.ts";
import { createAuthenticator, serverTls } from "../../roles/create-authenticator.ts";

type SecretFiles = LoadedConfig<typeof executionConfig>["files"];

/** Checks of the callers' credentials and the zone's own. */
export function callerChecks(config: ExecutionConfig, files: SecretFiles): Check[] {
  const reads = Object.keys(callerVariables);
  const auth = authKindOf(config);
  const { CALLER_JWT_JWKS_URL: keysUrl } = config;
  const onFileFailure = (): void => undefined;
  const peer = (): Peer => ({ url: keysUrl ?? "", variable: "CALLER_JWT_JWKS_URL", whenDown: "Start the issuer" });
  return [
    checkOpens({ name: "callers", reads }, async () => {
      await createAuthenticator({ values: config, files, onFileFailure });
      return { says: `CALLER_AUTH is ${auth}` };
    }),
    checkOpens({ name: "tls", reads }, () => {
      const material = serverTls(config, onFileFailure)?.material();
      if (material === undefined)
        return { says: "TLS_CERT_FILE is not set: the zone serves HTTP, for a proxy or for this machine" };
      return {
        says: "the zone serves HTTPS",
        certificates: { TLS_CERT_FILE: material.cert, CALLER_TLS_CA_FILE: material.ca },
      };
    }),
    checkSecretStrength({ auth, tokens: config.EXECUTION_TOKEN }),
    ...(auth === "jwt" && keysUrl !== undefined
      ? [checkReachable({ name: "keys reachable", reads }, { peer, probe }).check, checkKeySet(keysUrl, fetchKeySet)]
      : []),
  ];
}

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
const keySet = z.object({ keys: z.array(z.object({ kty: z.string(), kid: z.string().default("") })) });

/** Fetches the key set over HTTP. Times out after five seconds. */
const fetchKeySet: FetchKeySet = async (url) => {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    return keySet.parse(await response.json()).keys.map(({ kid }) => kid);
  } catch {
    return undefined;
  }
};

/** Returns the key ids at a URL; undefined when the response is not a key set. */
export type FetchKeySet = (url: string) => Promise<readonly string[] | undefined>;

/** Checks that the issuer's keys can be fetched. Without them the zone rejects every token. */
export function checkKeySet(url: string, fetchKeys: FetchKeySet): Check {
  return {
    name: "keys",
    needs: ["keys reachable"],
    run: async () => {
      const ids = await fetchKeys(url);
      if (ids === undefined || ids.length === 0)
        return failed(
          "the response of CALLER_JWT_JWKS_URL is not a key set",
          "Set it to the jwks_uri in the issuer's /.well-known/openid-configuration.",
        );
      return passed(`${ids.length} keys`);
    },
  };
}

/** Estimated entropy, bits, below which a secret is weak. A secret of 32 random bytes has more than 200. */
const fewBits = 96;
const tooFewBits = 48;
const make = "Generate one: node -p \"crypto.randomBytes(32).toString('base64url')\"";

export interface SecretStrength {
  readonly auth: AuthKind;
  /** With `bearer` authentication. */
  readonly tokens: readonly string[] | undefined;
}

/** Checks that the zone's secrets can't be guessed. Reports only how many there are. */
export function checkSecretStrength({ auth, tokens }: SecretStrength): Check {
  return {
    name: "secret strength",
    reads: ["CALLER_AUTH", "EXECUTION_TOKEN"],
    run: () => {
      if (auth === "none")
        return warned("callers need no credentials: every process on this machine can run tasks", make);
      if (auth === "bearer" || auth === "hmac") return judged("EXECUTION_TOKEN", tokens ?? []);
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
