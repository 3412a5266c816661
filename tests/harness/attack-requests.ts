import type { InputRequest } from "@crosszone/contracts";
import { expect } from "vitest";
import { type Pressing, pressCard, sendSigned, type Signing, submitModal, type Submitting } from "./forged-presses.ts";
import { adminToken } from "./runs-api.ts";
import type { Attacked, Target } from "./start-attacked.ts";

/** What attacks do with requests, which they name by their titles. */
export type AttackTools = ReturnType<typeof createAttackTools>;

/** An attack on an open or ended request, and what it leaves besides the unchanged request. */
export interface Attack {
  readonly title: string;
  /** The attacked request; `deploy` by default. */
  readonly on?: string;
  readonly attack: (tools: AttackTools) => Promise<unknown>;
  /** What the person who pressed reads. */
  readonly says?: string;
  /** Members of a line of the log. */
  readonly leaves: object;
}

export const rejected = (outcome: string) => ({ event: "input_answer_rejected", outcome });
export const refused = (reason: string) => ({ event: "interaction_refused", reason });

/** The reasons in the audit log, for attacks that reach execution's requests. */
const reasons: Readonly<Record<string, string>> = {
  input_request_not_found: "not_found",
  failed: "invalid_params",
};

/** Expects that the audit log of execution has an attack that reached a request, with who tried and why it was rejected. */
export async function expectAudited({ execution }: Attacked, leaves: Attack["leaves"], before: number): Promise<void> {
  const { outcome = "", kind = outcome } = leaves as { readonly outcome?: string; readonly kind?: string };
  const acts = (await execution.acts()).slice(before);
  const rejections = acts.filter((act) => act.action === "input.decide" && act.outcome === "rejected");
  expect(rejections.map(({ details }) => details?.["because"])).toEqual([reasons[kind] ?? outcome].filter(Boolean));
}

/** Makes the tools. The card of `openTitle` must be open: Slack's client presses it for cards that have ended. */
export function createAttackTools(zones: Attacked, found: readonly Target[], openTitle: string) {
  const targets = Object.fromEntries(found.map((one) => [one.request.title, one]));
  const target = (title: string): Target => targets[title] as Target;
  const idOf = (title: string): string => target(title).request.request_id;
  const digestOf = (title: string): string => target(title).request.action?.digest ?? "";
  return {
    zones,
    idOf,
    digestOf,
    cardOf: (title: string) => target(title).card,
    stored: (title: string): Promise<InputRequest> => zones.stored(idOf(title)),
    press: (title: string, pressing: Pressing = {}) =>
      pressCard(zones, { target: target(title), on: target(openTitle), ...pressing }),
    submit: (title: string, how: Submitting) => submitModal(zones, target(title), how),
    /** Sends an approval that Slack did not send. */
    forge: (title: string, how: Signing) => sendSigned(zones, target(title), how),
    /** Calls the admin API. Resolves with the status of the response. */
    post: async (path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
      const sent = { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${zones.execution.url}/api/v1/input-requests/${path}`, sent)).status;
    },
    /** Approves over the zone link. Resolves with the response. */
    answerAs: (caller: string, title: string, by: object) => {
      const params = { request_id: idOf(title), answer: { verdict: "approve" }, by, digest: digestOf(title) };
      const message = JSON.stringify({ jsonrpc: "2.0", id: "attack-1", method: "answer_input", params });
      return zones.execution.app.dispatch(Buffer.from(message), { caller, correlationId: "attack-1" });
    },
  };
}

/** Does something. Returns what people were told since, in private or in a modal. */
export async function toldSince({ slack: { control } }: Attacked, act: () => Promise<unknown>): Promise<() => string> {
  const notices = () =>
    control
      .workspace()
      .channels.flatMap(({ id }) => control.messages({ channel: id }).filter((one) => one.ephemeral_for));
  const earlier = new Set(notices().map(({ ts }) => ts));
  const reaction = await act();
  return () => JSON.stringify([reaction ?? "", notices().filter(({ ts }) => !earlier.has(ts))]);
}
