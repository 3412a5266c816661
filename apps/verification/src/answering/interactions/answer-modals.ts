import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { ModalView } from "@slack/web-api";
import type { AnswerPress } from "../../inbox/press.ts";
import { formInputs, modal, reasonInput } from "../inputs/input-modals.ts";
import { listSession } from "../tasks/zone-calls.ts";
import { badRating } from "../presses/answer-controls.ts";
import type { Handle, ModalData } from "../presses/handles.ts";
import { formOf } from "../presses/run-form.ts";

interface Pressed {
  readonly handle: Extract<Handle, { of: "answer" }>;
  readonly data: ModalData;
}

/** Makes a modal; undefined if there is nothing to fill in any more. */
type MakeModal = (zone: Client<ZoneMethods>) => Promise<ModalView | undefined>;

/** Slack accepts a modal for three seconds. */
const timeoutMs = 1_500;

/** Returns how to make the modal that a press under an answer opens; undefined for one that opens none. */
export const answerModals: Partial<Record<AnswerPress["verb"], (pressed: Pressed) => MakeModal | undefined>> = {
  rate: ({ handle, data }) => {
    if (data.value !== badRating) return undefined;
    const about = "What was wrong with the answer?";
    return async () => modal({ handle, data, title: "Feedback", submit: "Send", about, blocks: [reasonInput()] });
  },
  form: ({ handle, data }) => {
    const { value: workflow = "" } = data;
    return async (zone) => {
      const schema = await formOf(workflow, { zone, call: { session: listSession, timeoutMs } });
      const blocks = formInputs(schema);
      return schema && modal({ handle, data, title: "Run a workflow", submit: "Run", about: workflow, blocks });
    };
  },
};
