import { randomUUID } from "node:crypto";
import type { RecordAct } from "@crosszone/audit";
import type { InputAnswer } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { ModalView } from "@slack/web-api";
import type { Inbox } from "../inbox/inbox.ts";
import { createStoreRetry, type StoreRetry } from "../inbox/record-ends.ts";
import type { AnswerPress, PressRecord } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { rejectedAct } from "../policy/policies.ts";
import {
  badRating,
  workflowForm,
  type Handle,
  type ModalData,
  readHandle,
  readModalData,
} from "../showing/answer-controls.ts";
import type { Pressers } from "../showing/pressers.ts";
import type { Interaction, ModalErrors } from "../slack/interaction.ts";
import type { SlackAsker } from "../slack/slack-api.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import {
  answerModal,
  argumentsModal,
  denyModal,
  formInputs,
  makeModal,
  modalErrors,
  readModalAnswer,
  reasonInput,
} from "./input-modals.ts";

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

/** Times for the database, and then for the outcome of an answer or for opening a modal, with its form; together below three seconds. Milliseconds. */
const [storeMs, outcomeMs, modalMs, formMs] = [1_000, 1_500, 1_800, 1_500];

const closed = "This is not open any more.";
const notOpened = "I could not open the form. Please press again.";

/**
 * Stores an answer, or opens the modal that a press asks for; a press is worked on afterwards. Resolves within Slack's three seconds with what is
 * wrong in a submitted modal, by block. Rejects if an answer was not stored: Slack then shows the person a warning. What is not for this app has no
 * effect.
 */
export async function takeInteraction(
  deps: InteractionsDeps,
  given: Interaction | undefined,
  { traceparent }: { readonly traceparent?: string | undefined },
): Promise<ModalErrors | undefined> {
  const retryStore = createStoreRetry(storeMs);
  const press = given && (await readPress(deps, given, retryStore));
  if (press === undefined || typeof press === "string") {
    await reportRefused(deps, { given, traceparent, retryStore }, press ?? "unreadable");
    return undefined;
  }
  const { handle } = press;
  const taken = { ...press, traceparent, retryStore };
  return handle.of === "input" ? takeInput(deps, { ...taken, handle }) : takeAnswer(deps, { ...taken, handle });
}

/** Takes a press on the card of an input request, or its modal. */
async function takeInput(deps: InteractionsDeps, press: Press & { readonly handle: InputHandle }) {
  const { handle, input, given, place } = press;
  const { id, verb } = handle;
  const { value } = given.action ?? {};
  const store = (answer: InputAnswer, seen = ""): Promise<Wait> =>
    storePress(deps, press, { of: "input", id, answer, ...(/^[0-9a-f]{64}$/.test(seen) && { digest: seen }) });
  if (given.type === "view_submission") {
    if (input === undefined) {
      await reportRefused(deps, press, "closed");
      return modalErrors(undefined, { text: closed, isRejected: true });
    }
    const outcome = await store(readModalAnswer(input.request, verb, given.modal?.values ?? {}), place.digest);
    const reply = await outcome(outcomeMs);
    return reply?.isRejected === true ? modalErrors(verb === "deny" ? undefined : input.request, reply) : undefined;
  }
  if (verb === "approve") await store({ verdict: "approve" }, value);
  else if (verb === "choose") await store({ verdict: "answer", value });
  else
    await openModal(deps, press, async () => {
      if (input === undefined) return undefined;
      const { request } = input;
      const data = { ...place, digest: place.digest ?? (request.action && value) };
      const page = given.modal === undefined ? 0 : Number(value);
      const make = { deny: denyModal, open: answerModal, show: argumentsModal }[verb];
      return make(request, data, Number.isInteger(page) ? page : 0);
    });
  return undefined;
}

/**
 * Returns how to make the modal that a press under an answer opens; undefined for one that opens none. Making it resolves with undefined if there
 * is nothing to fill in any more.
 */
const answerModals: Partial<
  Record<
    AnswerPress["verb"],
    (handle: AnswerHandle, data: ModalData) => ((link: ZoneLink) => Promise<ModalView | undefined>) | undefined
  >
> = {
  rate: (handle, data) => {
    if (data.value !== badRating) return undefined;
    const about = "What was wrong with the answer?";
    return async () => makeModal({ handle, data, title: "Feedback", submit: "Send", about, blocks: [reasonInput()] });
  },
  form: (handle, data) => async (link) => {
    const { value: about = "" } = data;
    const schema = await workflowForm(about, { link, call: { timeoutMs: formMs } });
    const blocks = formInputs(schema);
    return schema && makeModal({ handle, data, title: "Run a workflow", submit: "Run", about, blocks });
  },
};

/** Takes a press under an answer, or its modal. */
async function takeAnswer(deps: InteractionsDeps, press: Press & { readonly handle: AnswerHandle }) {
  const { handle, given, place } = press;
  const isModal = given.type === "view_submission";
  const value = isModal ? place.value : given.action?.value;
  const opened = isModal ? undefined : answerModals[handle.verb]?.(handle, { ...place, value });
  if (handle.verb !== "form" || isModal)
    await storePress(deps, press, { ...handle, value, values: given.modal?.values });
  if (opened !== undefined) await openModal(deps, press, () => opened(deps.link));
  return undefined;
}

async function reportRefused(
  { emit, recordAct }: InteractionsDeps,
  { given, traceparent, retryStore }: Taken & { readonly given: Interaction | undefined },
  reason: string,
): Promise<void> {
  const { user_id, user_team: team_id, api_app_id, action, modal, workspace } = given ?? {};
  emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
  const { of = "unknown", verb, id = "?" } = readHandle(action?.id ?? modal?.callback_id ?? "") ?? {};
  const [team, details] = [team_id ?? workspace?.team_id, { reason, of, verb: verb ?? null }];
  const act = rejectedAct({ action: "press.reject", user_id, team, target: { type: "press", id }, details });
  await retryStore(() => recordAct(act));
}

/** How a press arrived. */
interface Taken {
  readonly traceparent: string | undefined;
  readonly retryStore: StoreRetry;
}
type Press = Exclude<Awaited<ReturnType<typeof readPress>>, string> & Taken;
type InputHandle = Extract<Handle, { of: "input" }>;
type AnswerHandle = Extract<Handle, { of: "answer" }>;
type Wait = ReturnType<Pressers["pressed"]>;

/** Returns what an interaction means, or why it has no effect. The request's record is undefined once the request is closed. */
async function readPress(
  { isForApp, findWorkspace, inbox }: InteractionsDeps,
  given: Interaction,
  retryStore: StoreRetry,
) {
  const { type, modal, action } = given;
  if (!(await isForApp(given, retryStore))) return "wrong_app";
  const handle = readHandle((type === "view_submission" ? modal?.callback_id : action?.id) ?? "");
  const place: ModalData | undefined = given.place ?? readModalData(modal?.private_metadata ?? "");
  if (handle === undefined || place === undefined) return "unknown_element";
  const workspace = await retryStore(() => findWorkspace(given.workspace));
  if (workspace === undefined) return "not_installed";
  const input = handle.of === "input" ? await retryStore(() => inbox.findInput(handle.id)) : undefined;
  const { channel, thread_ts = "" } = place;
  const asker: SlackAsker = { channel, thread_ts, in_thread: thread_ts !== "", user_id: given.user_id };
  return { given, handle, workspace, input, place, asker };
}

/** Stores a press. Resolves with a wait for what becomes of it. */
async function storePress(
  deps: InteractionsDeps,
  { given, workspace, input, asker, traceparent, retryStore }: Press,
  press: PressRecord["press"],
): Promise<Wait> {
  const { inbox, pressers, link } = deps;
  const { user_team, trigger_id, response_url } = given;
  const { team_id } = workspace.identity;
  const request_id = randomUUID();
  const outcome = pressers.pressed(request_id, {
    url: response_url,
    isModal: input !== undefined && given.type === "view_submission",
  });
  const ids = { request_id, correlation_id: input?.correlation_id ?? randomUUID(), claims: [`press ${trigger_id}`] };
  const { org_id } = given.workspace;
  const teams = { team_id, org_id, teams: [team_id], author_teams: [user_team ?? team_id] };
  const record = { ...ids, ...teams, ...asker, received_at: link.clock.now(), traceparent };
  const stored = await retryStore(() => inbox.accept({ ...record, kind: "press", press, user_team }));
  if (stored === "duplicate") await reportRefused(deps, { given, traceparent, retryStore }, "duplicate");
  return outcome;
}

/** Opens a modal, or shows another page of one. If that fails, the person reads why. Never rejects. */
async function openModal(
  deps: InteractionsDeps,
  press: Press,
  make: () => Promise<ModalView | undefined>,
): Promise<void> {
  const { pressers, emit } = deps;
  const { given, workspace, asker } = press;
  const { slack } = workspace;
  const { response_url: url, trigger_id, modal: open, user_id } = given;
  const tell = (text: string): Promise<void> => pressers.tell(slack, asker, { url, text });
  const opening = async (): Promise<void> => {
    const modal = await make();
    if (modal !== undefined)
      return open === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(open.id, modal);
    await reportRefused(deps, press, "closed");
    return tell(closed);
  };
  await withTimeout(modalMs, opening).catch((failure: unknown) => {
    emit("modal_not_opened", { operation: "views.open", failure, user_id });
    void tell(notOpened).catch(() => undefined);
  });
}
