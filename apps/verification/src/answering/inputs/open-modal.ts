import { withTimeout } from "@crosszone/service-kit/timing";
import { answerModal, argumentsModal, denyModal } from "./input-modals.ts";
import { askerOf, type InteractionsDeps, type Press } from "./press.ts";

/** How long opening a modal can take, milliseconds. */
const modalBudgetMs = 1_800;

export const closedText = "This is not open any more.";
const notOpened = "I could not open the form. Please press again.";

/** Opens a modal, or shows another page of one. A person whose modal can't be opened is told so. Never rejects. */
export async function openModal(
  { pressers, emit }: Pick<InteractionsDeps, "pressers" | "emit">,
  { given, handle, workspace, input, place }: Press,
): Promise<void> {
  const { slack } = workspace;
  const { response_url, action, trigger_id, modal: open, user_id } = given;
  const tell = (text: string): Promise<void> =>
    pressers.tell(slack, askerOf(given, place), { at: { response_url, thread_ts: place.thread_ts }, text });
  const opening = async (): Promise<void> => {
    if (input === undefined) return tell(closedText);
    const { request } = input;
    const data = { ...place, digest: place.digest ?? (request.action && action?.value) };
    const modals = { deny: denyModal, open: answerModal, show: argumentsModal } as const;
    const page = open === undefined ? 0 : Number(action?.value);
    const modal = modals[handle.verb as keyof typeof modals](request, data, Number.isInteger(page) ? page : 0);
    return open === undefined ? slack.openModal(trigger_id, modal) : slack.updateModal(open.id, modal);
  };
  await withTimeout(modalBudgetMs, opening).catch((failure: unknown) => {
    emit("modal_not_opened", { operation: "views.open", failure, user_id });
    void tell(notOpened).catch(() => undefined);
  });
}
