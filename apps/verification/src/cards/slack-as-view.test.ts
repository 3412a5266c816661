import { ZoneError } from "@crosszone/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { askInSlack, cardsOf, labels, until } from "../testing/ask-in-slack.ts";
import type { FakeMessage } from "../testing/fake-slack.ts";
import { inputRequest, press, type ScriptedInputs } from "../testing/scripted-inputs.ts";
import type { TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let inputs: ScriptedInputs;
let thread: string;
beforeEach(async () => void ({ app, inputs, thread } = await askInSlack([inputRequest()])));

const card = (): FakeMessage => cardsOf(app)[0] as FakeMessage;

describe("Slack shows execution's record", () => {
  test("P2: a request is asked where everybody finds it again: in a message of the thread, not in an ephemeral one", async () => {
    expect(card()).toMatchObject({ channel: "C1", thread_ts: thread });
    expect(app.slack.notices).toEqual([]);
  });

  test("P2, P9: a decision in the web page reaches the thread: its card is the receipt, and the answer follows", async () => {
    const at = "2026-01-02T00:00:00Z";
    const vote = { user_id: "token:0123456789ab", verdict: "approve", via: "api", at } as const;
    inputs.change({ state: "approved", votes: [vote], decided_at: at });
    await until(() => expect(app.slack.answers(thread).at(-1)?.text).toBe("It was approved."));
    await until(() => expect(labels(card())).toEqual([]));
    expect(JSON.stringify(card().blocks)).toContain("Approved by token:0123456789ab through the API, <!date^");
  });

  test("P2, P9: a press while execution does not answer neither fails nor clears the card, and counts later", async () => {
    let failures = 0;
    app.zone.on("get_input_request", ({ request_id }) => {
      if (failures >= 2) return inputs.current(request_id);
      failures += 1;
      throw new ZoneError("shutting_down");
    });
    const { blocks } = card();
    expect(await press(app, blocks, { label: "Approve" })).toBe(200);
    await until(() => expect(failures).toBe(1));
    expect(card().blocks).toEqual(blocks);
    await until(() => expect(app.commandReplies.at(-1)?.reply).toBe("Approved."));
    await until(() => expect(labels(card())).toEqual([]));
  });
});
