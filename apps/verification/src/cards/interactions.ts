import { randomUUID } from "node:crypto";
import type { RecordAct } from "@crosszone/audit";
import type { Emit } from "@crosszone/service-kit";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "../inbox/inbox.ts";
import { createStoreRetry, type StoreRetry } from "../inbox/record-ends.ts";
import type { PressRecord } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { rejectedAct } from "../policy/policies.ts";
import { type ModalData, readModalData } from "../showing/answer-controls.ts";
import type { Interaction, ModalErrors } from "../slack/interaction.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import { makeModal, modalErrors, type ModalParts } from "./input-modals.ts";
import type { Pressers } from "./press-flow.ts";
import { presses, pressToStore, readHandle } from "./presses.ts";

/** What accepts presses on cards and under answers, and the modals that they open. */
interface InteractionsDeps {
  readonly link: ZoneLink;
  readonly emit: Emit<VerificationEvent>;
  readonly recordAct: RecordAct;
  readonly inbox: Inbox;
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly pressers: Pressers;
}

/** Times for the database, and then for the outcome of an answer or for opening a modal; together below three seconds. Milliseconds. */
const [storeMs, outcomeMs, modalMs] = [1_000, 1_500, 1_800];

const closed = "This is not open any more.";
const notOpened = "I could not open the form. Please press again.";

/**
 * Stores a press, or opens the modal that it asks for; a stored one is worked on afterwards. Resolves within Slack's three seconds with what is
 * wrong in a submitted modal, by block. Rejects if it was not stored: Slack then shows the person a warning. What is not for this app has no
 * effect.
 */
export async function takeInteraction(
  deps: InteractionsDeps,
  given: Interaction | undefined,
  { traceparent }: { readonly traceparent?: string | undefined },
): Promise<ModalErrors | undefined> {
  const arrival: Arrival = { given, traceparent, retryStore: createStoreRetry(storeMs) };
  const press = await readPress(deps, arrival);
  if (typeof press === "string") return reportRefused(deps, arrival, press);
  const { row, handle, taken } = press;
  const modal = taken.values === undefined && row.modal?.(taken);
  if (!modal || row.isDoneAtOnce === true) {
    const stored = pressToStore(row, handle, taken);
    if (stored === undefined) {
      await reportRefused(deps, press, "closed");
      return modalErrors({ text: closed });
    }
    const isAwaited = row.reply !== undefined && taken.values !== undefined;
    const outcome = await storePress(deps, press, { press: stored, isAwaited });
    const reply = isAwaited ? await outcome(outcomeMs) : undefined;
    if (reply?.isRejected === true) return row.reply?.(reply, taken.request);
  }
  if (modal) await openModal(deps, press, modal);
  return undefined;
}

/** How an interaction arrived. */
interface Arrival {
  readonly given: Interaction | undefined;
  readonly traceparent: string | undefined;
  readonly retryStore: StoreRetry;
}
type Press = Exclude<Awaited<ReturnType<typeof readPress>>, string>;

/** Returns what an interaction means, or why it has no effect. The request's record is undefined once the request is closed. */
async function readPress({ isForApp, findWorkspace, inbox, link }: InteractionsDeps, arrival: Arrival) {
  const { given, retryStore } = arrival;
  if (given === undefined) return "unreadable";
  if (!(await isForApp(given, retryStore))) return "wrong_app";
  const { modal, action, user_id } = given;
  const isSubmitted = given.type === "view_submission";
  const handle = readHandle((isSubmitted ? modal?.callback_id : action?.id) ?? "");
  const row = presses[handle?.verb ?? ""];
  const place: ModalData | undefined = given.place ?? readModalData(modal?.private_metadata ?? "");
  if (handle === undefined || row === undefined || place === undefined) return "unknown_element";
  const workspace = await retryStore(() => findWorkspace(given.workspace));
  if (workspace === undefined) return "not_installed";
  const input = row.of === "input" ? await retryStore(() => inbox.findInput(handle.id)) : undefined;
  const { channel, thread_ts = "" } = place;
  const asker = { channel, thread_ts, in_thread: thread_ts !== "", user_id };
  const value = isSubmitted ? place.value : action?.value;
  const [digest] = /^[0-9a-f]{64}$/.exec(place.digest ?? value ?? "") ?? [];
  const values = isSubmitted ? (modal?.values ?? {}) : undefined;
  const taken = { value, digest, values, request: input?.request, link };
  return { ...arrival, given, row, handle, workspace, input, asker, taken, data: { ...place, value, digest } };
}

async function reportRefused(
  { emit, recordAct }: InteractionsDeps,
  { given, traceparent, retryStore }: Arrival,
  reason: string,
): Promise<undefined> {
  const { user_id, user_team: team_id, api_app_id, action, modal, workspace } = given ?? {};
  emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
  const { of = "unknown", verb, id = "?" } = readHandle(action?.id ?? modal?.callback_id ?? "") ?? {};
  const [team, details] = [team_id ?? workspace?.team_id, { reason, of, verb: verb ?? null }];
  const act = rejectedAct({ action: "press.reject", user_id, team, target: { type: "press", id }, details });
  await retryStore(() => recordAct(act));
}

/** Stores a press. Resolves with a wait for what becomes of it. */
async function storePress(
  deps: InteractionsDeps,
  { given, workspace, input, asker, traceparent, retryStore }: Press,
  { press, isAwaited }: { readonly press: PressRecord["press"]; readonly isAwaited: boolean },
): Promise<ReturnType<Pressers["pressed"]>> {
  const { inbox, pressers, link } = deps;
  const { user_team, trigger_id, response_url: url } = given;
  const { team_id } = workspace.identity;
  const request_id = randomUUID();
  const outcome = pressers.pressed(request_id, { url, isAwaited });
  const ids = { request_id, correlation_id: input?.correlation_id ?? randomUUID(), claims: [`press ${trigger_id}`] };
  const teams = { team_id, org_id: given.workspace.org_id, teams: [team_id], author_teams: [user_team ?? team_id] };
  const record = { ...ids, ...teams, ...asker, received_at: link.clock.now(), traceparent };
  const stored = await retryStore(() => inbox.accept({ ...record, kind: "press", press, user_team }));
  if (stored === "duplicate") await reportRefused(deps, { given, traceparent, retryStore }, "duplicate");
  return outcome;
}

/** Opens a modal, or shows another page of one. If that fails, the person reads why. Never rejects. */
async function openModal(deps: InteractionsDeps, press: Press, made: Promise<ModalParts | undefined>): Promise<void> {
  const { pressers, emit } = deps;
  const { given, handle, data, workspace, asker } = press;
  const { slack } = workspace;
  const { response_url: url, trigger_id, modal: open, user_id } = given;
  const tell = (text: string): Promise<void> => pressers.tell(slack, asker, { url, text });
  const opening = async (): Promise<void> => {
    const parts = await made;
    if (parts === undefined) {
      await reportRefused(deps, press, "closed");
      return tell(closed);
    }
    const modal = makeModal(handle, data, parts);
    return open === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(open.id, modal);
  };
  await withTimeout(modalMs, opening).catch((failure: unknown) => {
    emit("modal_not_opened", { operation: "views.open", failure, user_id });
    void tell(notOpened).catch(() => undefined);
  });
}
