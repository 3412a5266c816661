import type { ParamProblem } from "@crosszone/contracts";
import { isReadableOnTheWay } from "@crosszone/service-kit";
import type { JWTPayload } from "jose";
import { z } from "zod";
import type { AskerGrant } from "./asker.ts";

const address = z
  .url({ protocol: /^https?$/, error: "is not a URL that starts with https:" })
  .refine((url) => !isReadableOnTheWay(url), { error: "uses http: to another machine: use https:" });
const text = z.string().min(1).max(255);

const issuer = z.strictObject({ issuer: address, jwks: address.optional(), audience: text.optional() });

const subject = z
  .strictObject({ issuer: text, sub: text.optional(), email: text.optional() })
  .refine(({ sub, email }) => (sub === undefined) !== (email === undefined), { error: "needs sub or email, not both" });

const grant = {
  agents: z.array(text).max(1_000).default([]),
  per_minute: z.int().min(1).max(100_000).default(60),
  open_tasks: z.int().min(1).max(10_000).default(10),
  stored_mb: z.int().min(1).max(1_000_000).optional(),
  budget: z.string().min(1).max(64).optional(),
};

const asker = z
  .strictObject({ token: z.string().min(1).max(58).optional(), subject: subject.optional(), ...grant })
  .refine((one) => (one.token === undefined) !== (one.subject === undefined), {
    error: "needs token or subject, not both",
  });

/** The content of ASK_FILE. Unknown members are rejected, because they are likely typos. */
const file = z.strictObject({
  issuers: z.array(issuer).max(20).default([]),
  askers: z.array(asker).max(10_000).default([]),
  card_key: z.string().min(1).optional(),
});

/** Which programs may ask, and what. */
export type AskSettings = z.output<typeof file>;
export type AskIssuer = AskSettings["issuers"][number];
type AskerEntry = AskSettings["askers"][number];

/** What a program may do, and how many requests it may send. */
export interface AskGrant extends AskerGrant {
  readonly perMinute: number;
}

/** Without a file, no program may ask anything. */
export const noAskers: AskSettings = file.parse({});

/**
 * Reads the settings. Returns their problems with JSON pointers, if there are any. Without ASK_URL each issuer needs an `audience`: otherwise
 * a token for another service would be accepted.
 */
export function readAskSettings(
  value: unknown,
  askUrl: string | undefined,
): { settings: AskSettings } | { problems: ParamProblem[] } {
  const read = file.safeParse(value ?? {});
  if (!read.success)
    return { problems: read.error.issues.map(({ path, message }) => ({ pointer: pointerTo(...path), message })) };
  const { issuers, askers } = read.data;
  const names = issuers.map((one) => one.issuer);
  const unnamed = "names an issuer that issuers does not have";
  const problems = [
    ...twice(names, "issuers"),
    ...twice(askers.map(nameOf), "askers"),
    ...issuers.flatMap(({ audience }, at) =>
      audience === undefined && askUrl === undefined
        ? [{ pointer: pointerTo("issuers", at), message: "needs an audience, because ASK_URL is not set" }]
        : [],
    ),
    ...askers.flatMap(({ subject: by }, at) =>
      by !== undefined && !names.includes(by.issuer)
        ? [{ pointer: pointerTo("askers", at, "subject", "issuer"), message: unnamed }]
        : [],
    ),
  ];
  return problems.length > 0 ? { problems } : { settings: read.data };
}

const pointerTo = (...path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join("");

const nameOf = ({ token, subject: by }: AskerEntry): string =>
  token ?? JSON.stringify([by?.issuer, by?.sub, by?.email]);

const twice = (names: readonly string[], list: string): ParamProblem[] =>
  names.flatMap((name, at) =>
    names.indexOf(name) < at ? [{ pointer: pointerTo(list, at), message: "is in the list twice" }] : [],
  );

/** Returns what a token may do, by its name: nothing without an entry. */
export const grantOfToken = ({ askers }: AskSettings, name: string): AskGrant =>
  grantOf(askers.find(({ token }) => token === name));

/** Returns what the subject of a verified token may do: nothing without an entry. An email counts only when the issuer has verified it. */
export const grantOfSubject = ({ askers }: AskSettings, claims: JWTPayload): AskGrant =>
  grantOf(
    askers.find(({ subject: by }) => {
      if (by === undefined || by.issuer !== claims.iss) return false;
      return by.sub === undefined
        ? by.email === claims["email"] && claims["email_verified"] === true
        : by.sub === claims.sub;
    }),
  );

function grantOf(entry: AskerEntry = asker.parse({ token: "?" })): AskGrant {
  const { agents, per_minute: perMinute, open_tasks: openTasks, stored_mb: storedMb, budget } = entry;
  return { agents, perMinute, openTasks, storedBytes: storedMb && storedMb * 1_000_000, budget };
}
