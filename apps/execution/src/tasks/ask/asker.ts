import {
  isProgramGrant,
  isProgramsSection,
  type ProgramGrant,
  type ProgramIssuer,
  type ProgramsSection,
  ZoneError,
} from "@crosszone/contracts";
import type { HeldBytes, Sender } from "@crosszone/service-kit";
import type { JWTPayload } from "jose";
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

/** What the section `programs` says, and the key that signs agent cards. */
export interface AskSettings extends ProgramsSection {
  /** In PEM. */
  readonly cardKey?: string;
}
export type AskIssuer = ProgramIssuer;

/** What a program may do, and how many requests it may send. */
interface AskGrant extends AskerGrant {
  readonly perMinute: number;
}

/** Without the section, no program may ask anything. */
export const noAskers: AskSettings = isProgramsSection.filled({});

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

function grantOf(entry: ProgramGrant = isProgramGrant.filled({})): AskGrant {
  const { agents, per_minute: perMinute, open_tasks: openTasks, stored_mb: storedMb, budget } = entry;
  return { agents, perMinute, openTasks, storedBytes: storedMb && storedMb * 1_000_000, budget };
}
