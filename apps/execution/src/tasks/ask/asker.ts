import { type ParamProblem, ZoneError } from "@crosszone/contracts";
import { type HeldBytes, isReadableOnTheWay, type Sender } from "@crosszone/service-kit";
import type { JWTPayload } from "jose";
import { z } from "zod";
import type { ProgramAsk } from "../task.ts";

/** What a program may do. */
interface AskerGrant {
  /** Names of the agents and workflows that it may ask; `*` is all of them. */
  readonly agents: readonly string[];
  /** The most tasks that may be open at a time. */
  readonly openTasks: number;
  /** The channel in budgets and usage records; the surface when absent. Programs with the same one share its budget. */
  readonly budget?: string | undefined;
  /** The most bytes of questions and answers that are stored for it; `defaultStoredBytes` when absent. */
  readonly storedBytes?: number | undefined;
}

export const defaultStoredBytes = 1_000_000_000;

/** An authenticated program. */
export interface Asker extends AskerGrant {
  /** Its name in tasks, decisions and the audit log: `token:ci`, or `subject:` and an issuer's name for it. */
  readonly actor: string;
  /** The requests that it may send; 60 when absent. */
  readonly perMinute?: number;
  /** What its request holds in memory, until the response has been written. */
  readonly held?: HeldBytes | undefined;
  /** Where its request came from. */
  readonly from?: Sender;
}

export interface AskRequest {
  readonly asker: Asker;
  readonly surface: ProgramAsk["surface"];
  readonly correlationId: string;
  readonly traceparent?: string | undefined;
  readonly call?: ProgramAsk["call"];
}

/** Holds content of a request instead of what it held before, such as its body. Throws `rate_limited` when there is no room in time. */
export async function hold({ held }: Asker, bytes: number): Promise<void> {
  if ((await held?.take(bytes)) === false) throw new ZoneError("rate_limited", { retry_after_ms: 1_000 });
}

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
  events: z.array(text).max(1_000).optional(),
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

/**
 * Whether the holder of the API may start an agent or a workflow, or publish an event. A token with an entry may use what the entry lists: a grant
 * of the ask door is none of the API. `isClosed`: others may not, as for the event of a hook.
 */
export function mayUse(
  { askers }: AskSettings,
  actor: string,
  { kind, name, isClosed }: { readonly kind: "agents" | "events"; readonly name: string; readonly isClosed: boolean },
): boolean {
  const entry = askers.find(({ token }) => actor === `token:${token}`);
  const { [kind]: listed = [] } = entry ?? {};
  return entry === undefined ? !isClosed : listed.includes(name) || listed.includes("*");
}

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
