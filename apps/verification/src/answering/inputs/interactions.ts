import type { InputAnswer } from "@crosszone/contracts";
import type { ModalErrors } from "../../slack/interaction.ts";
import { createStoreRetry } from "../../inbox/store-retry.ts";
import type { Interaction } from "../../slack/interaction.ts";
import { readHandle, readModalData } from "./input-handles.ts";
import { modalErrors, readAnswer } from "./input-modals.ts";
import { closedText, openModal } from "./open-modal.ts";
import { askerOf, type InteractionsDeps, type Press } from "./press.ts";

/** Presses on cards, and modals of input requests. */
export interface Interactions {
  /**
   * Stores an answer, or opens the modal that a press asks for. Resolves within Slack's three seconds with what is wrong in a submitted modal,
   * by block. Rejects if an answer was not stored: Slack then shows the person a warning. What is not for this app has no effect.
   */
  readonly take: (
    interaction: Interaction | undefined,
    delivered: { readonly traceparent?: string | undefined },
  ) => Promise<ModalErrors | undefined>;
}

/** How long an answer is stored and its outcome awaited; with opening a modal, below Slack's three seconds. Milliseconds. */
const [storeBudgetMs, outcomeWaitMs] = [1_000, 1_500];

/** Makes what accepts interactions. A press is stored before it is acknowledged, and worked on afterwards. */
export function createInteractions(deps: InteractionsDeps): Interactions {
  return {
    take: async (given, { traceparent }) => {
      const press = given && (await readPress(deps, given));
      if (press === undefined || typeof press === "string") {
        const { user_id, user_team: team_id, api_app_id } = given ?? {};
        const reason = press ?? "unreadable";
        deps.emit("interaction_refused", { reason, user_id, team_id, api_app_id, traceparent });
        return undefined;
      }
      if (press.given.type === "view_submission") return submit(deps, press, traceparent);
      const { value } = press.given.action ?? {};
      const stored = { digest: value, traceparent };
      const { verb } = press.handle;
      if (verb === "approve") await store(deps, press, { ...stored, answer: { verdict: "approve" } });
      else if (verb === "choose") await store(deps, press, { ...stored, answer: { verdict: "answer", value } });
      else await openModal(deps, press);
      return undefined;
    },
  };
}

/** Returns what an interaction means, or why it has no effect. */
async function readPress({ isForApp, findWorkspace, inbox }: InteractionsDeps, given: Interaction) {
  const { type, modal, action } = given;
  const retryStore = createStoreRetry(storeBudgetMs);
  if (!(await isForApp(given, retryStore))) return "wrong_app";
  const handle = readHandle((type === "view_submission" ? modal?.callback_id : action?.id) ?? "");
  const place = given.place ?? readModalData(modal?.private_metadata ?? "");
  if (handle === undefined || place === undefined) return "unknown_element";
  const workspace = await retryStore(() => findWorkspace(given.workspace));
  if (workspace === undefined) return "not_installed";
  const input = await retryStore(() => inbox.findInput(handle.inputId));
  return { given, handle, workspace, input, place, retryStore } satisfies Press;
}

/** Stores the answer of a modal, and waits a moment for what becomes of it, so that a rejected one stays open. */
async function submit(
  deps: InteractionsDeps,
  press: Press,
  traceparent: string | undefined,
): Promise<ModalErrors | undefined> {
  const { handle, input, place, given } = press;
  if (input === undefined) return modalErrors(undefined, { text: closedText });
  const answer = readAnswer(input.request, handle.verb, given.modal?.values ?? {});
  const requestId = deps.newId();
  const outcome = deps.pressers.expect(requestId);
  await store(deps, press, { answer, digest: place.digest, traceparent, requestId });
  const reply = await outcome(outcomeWaitMs);
  if (reply?.isRejected !== true) return undefined;
  return modalErrors(handle.verb === "deny" ? undefined : input.request, reply);
}

interface Stored {
  readonly answer: InputAnswer;
  readonly digest: string | undefined;
  readonly traceparent: string | undefined;
  readonly requestId?: string;
}

async function store(
  { inbox, pressers, clock, newId }: InteractionsDeps,
  { given, handle, workspace, input, place, retryStore }: Press,
  { answer, digest = "", traceparent, requestId: request_id = newId() }: Stored,
): Promise<void> {
  const { user_team, trigger_id, response_url } = given;
  const { team_id } = workspace.identity;
  pressers.pressed(request_id, { response_url, thread_ts: place.thread_ts });
  const ids = { request_id, correlation_id: input?.correlation_id ?? newId(), claims: [`press ${trigger_id}`] };
  const teams = {
    team_id,
    org_id: given.workspace.org_id,
    teams: [team_id],
    author_teams: user_team ? [user_team] : [],
  };
  const seen = /^[0-9a-f]{64}$/.test(digest) ? { digest } : {};
  const record = { ...ids, ...teams, ...askerOf(given, place), received_at: clock.now(), traceparent };
  const said = { kind: "decision", input_id: handle.inputId, answer, user_team, ...seen } as const;
  await retryStore(() => inbox.accept({ ...record, ...said }));
}
