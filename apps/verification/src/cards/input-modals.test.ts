import type { InputRequest } from "@crosszone/contracts";
import type { ModalView } from "@slack/web-api";
import { describe, expect, test } from "vitest";
import { askInSlack, cardsOf } from "../testing/ask-in-slack.ts";
import { type TestApp, until } from "../testing/start-test-app.ts";
import {
  elementsOf,
  inputRequest,
  interact,
  interactionPayload,
  press,
  submit,
  type ScriptedInputs,
} from "../testing/scripted-inputs.ts";
import { argumentPieces } from "./input-modals.ts";

let app: TestApp;
let inputs: ScriptedInputs;

const cards = () => cardsOf(app);
const answers = (): unknown[] => app.zone.of("answer_input").map(({ params }) => params["answer"]);

const ask = async (more: Partial<InputRequest>): Promise<void> =>
  void ({ app, inputs } = await askInSlack([inputRequest(more)]));

/** Opens the modal of a button. */
async function open(label: string): Promise<ModalView> {
  expect(await press(app, cards()[0]?.blocks, { label })).toBe(200);
  expect(app.slack.modals.at(-1)?.by).toMatch(/^trigger\./);
  return app.slack.modals.at(-1)?.modal as ModalView;
}

describe("a denial", () => {
  test("asks for a reason, which the receipt has", async () => {
    await ask({});
    const modal = await open("Deny");
    expect(await submit(app, modal, { answer: { value: " not on <!channel> Friday " } })).toBeUndefined();
    expect(answers()).toEqual([{ verdict: "deny", reason: "not on <!channel> Friday" }]);
    await until(() => expect(JSON.stringify(cards()[0]?.blocks)).toContain("“not on &lt;!channel&gt; Friday”"));
    expect(app.slack.notices.at(-1)).toMatchObject({ text: "Denied.", user_id: "U1" });
  });

  test("of someone who can't decide, or after the end, stays in the modal with the reason", async () => {
    await ask({});
    const modal = await open("Deny");
    const errors = (await submit(app, { ...modal, user: "U9" }, {})) as { errors: unknown };
    expect(errors).toEqual({ response_action: "errors", errors: { answer: "This is not yours to decide. Ask @U1." } });
    inputs.change({ state: "expired" });
    expect(await submit(app, modal, {})).toMatchObject({
      errors: { answer: expect.stringMatching(/^This expired, 2099-01-01 00:00:00 UTC, before/) },
    });
    expect(app.slack.notices).toEqual([]);
  });

  test("without a closed request's record the modal says so", async () => {
    await ask({});
    const modal = await open("Deny");
    inputs.change({ state: "denied" });
    await until(() => expect(elementsOf(cards()[0]?.blocks).some(({ type }) => type === "button")).toBe(false));
    await until(async () => {
      const said = await submit(app, modal, {});
      expect(said).toMatchObject({ errors: { answer: "This is not open any more." } });
    });
  });
});

describe("a form", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", maxLength: 20 },
      size: { type: "integer", minimum: 1 },
      fast: { type: "boolean" },
      zone: { type: "string", enum: ["eu", "us"], default: "us" },
      when: { type: "string", format: "date" },
    },
    required: ["name"],
  } as const;

  test("has an input of each field's type, and its values have the fields' types", async () => {
    await ask({ kind: "form", action: undefined, schema: schema as never });
    const modal = await open("Answer");
    expect(elementsOf(modal.blocks).flatMap(({ type, action_id }) => (action_id === "value" ? [type] : []))).toEqual([
      "plain_text_input",
      "number_input",
      "radio_buttons",
      "static_select",
      "datepicker",
    ]);
    expect(modal.blocks.map((block) => ("optional" in block ? block.optional : undefined))).toEqual([
      undefined,
      false,
      true,
      true,
      true,
      true,
    ]);
    const entered = {
      "field:name": { value: "Ada" },
      "field:size": { value: "3" },
      "field:fast": { selected_option: { value: "true" } },
      "field:zone": { selected_option: { value: "eu" } },
      "field:when": { selected_date: "2026-01-01" },
    };
    expect(await submit(app, modal, entered)).toBeUndefined();
    const values = { name: "Ada", size: 3, fast: true, zone: "eu", when: "2026-01-01" };
    expect(answers()).toEqual([{ verdict: "answer", values }]);
  });

  test("a value that execution refuses is named at its field, and can be corrected", async () => {
    await ask({ kind: "form", action: undefined, schema: schema as never });
    const modal = await open("Answer");
    const wrong = await submit(app, modal, { "field:name": { value: "Ada" }, "field:size": { value: "0" } });
    expect(wrong).toEqual({ response_action: "errors", errors: { "field:size": "It must be >= 1." } });
    expect(await submit(app, modal, { "field:name": { value: "Ada" }, "field:size": { value: "2" } })).toBeUndefined();
    expect(inputs.current().state).toBe("answered");
  });
});

test("a text is asked in a modal", async () => {
  await ask({ kind: "text", action: undefined });
  expect(await submit(app, await open("Answer"), { answer: { value: "blue" } })).toBeUndefined();
  expect(answers()).toEqual([{ verdict: "answer", value: "blue" }]);
});

test("a person whose modal Slack does not open is told so", async () => {
  await ask({});
  app.slack.failNext("openModal", "refused", { code: "expired_trigger_id" });
  expect(await press(app, cards()[0]?.blocks, { label: "Deny" })).toBe(200);
  await until(() => expect(app.commandReplies.at(-1)?.reply).toBe("I could not open the form. Please press again."));
});

test("arguments that are too long for the card are shown whole in a modal, page by page", async () => {
  const action = { agent: "a", tool: "t", arguments: { text: "\u202E😀".repeat(40_000) }, digest: "a".repeat(64) };
  await ask({ action });
  const card = JSON.stringify(cards()[0]?.blocks);
  expect(card.length).toBeLessThan(12_000);
  expect(card).toContain("“Show all” has the rest");
  let modal = await open("Show all");
  const shown: string[] = [];
  const codeOf = (of: ModalView) =>
    elementsOf(of.blocks).flatMap(({ type, text }) => (type === "text" ? [text as unknown as string] : []));
  for (let pages = 1; ; pages += 1) {
    expect(Buffer.byteLength(JSON.stringify(modal))).toBeLessThan(250_000);
    shown.push(...codeOf(modal));
    const next = elementsOf(modal.blocks).find(({ text }) => text?.text === "Next");
    if (next === undefined) break;
    const { callback_id, private_metadata } = modal;
    const view = { id: "V0VIEW", callback_id, private_metadata };
    const actions = [{ type: "button", action_id: next.action_id, value: next.value }];
    await interact(app, interactionPayload({ container: { type: "view", view_id: "V0VIEW" }, view, actions }));
    await until(() => expect(app.slack.modals).toHaveLength(pages + 1));
    modal = app.slack.modals.at(-1)?.modal as ModalView;
  }
  expect(shown.join("")).toBe(argumentPieces(action).join(""));
  expect(JSON.parse(shown.join("")) as unknown).toEqual(action.arguments);
});
