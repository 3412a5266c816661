import type { Message } from "@crosszone/dev-slack";
import { describe, expect, test } from "vitest";
import { shownText } from "../harness/slack-actions.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { startCrosszone, stateOf } from "../harness/start-crosszone.ts";

describe("which messages are answered, each once and in its thread", () => {
  test("Z6: a direct message gets a placeholder at once, then the answer replaces it", async () => {
    const zones = await startCrosszone();
    const root = zones.write({ text: "2+2 in words?" });
    const placeholder = await zones.slack.control.waitForMessage(
      (message) => message.thread_ts === root.ts && stateOf(message) === "working",
    );
    const answer = await zones.answerTo(root);
    expect(answer.ts).toBe(placeholder.ts);
    expect(answer.markdown_text).toContain("four");
    expect(stateOf(answer)).toBe("done");
    await zones.slack.control.idle();
    expect(zones.replies(root)).toHaveLength(1);
  });

  test("S8: a message that is only a file gets an honest answer", async () => {
    const zones = await startCrosszone();
    const root = zones.write({
      text: "",
      files: [{ name: "plan.pdf", mimetype: "application/pdf", content: "%PDF-1.7" }],
    });
    expect((await zones.answerTo(root)).markdown_text).toContain("plan.pdf");
  });
});

test("an agent is asked by name; an unknown agent gets a clear sentence with a reference", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "ask builtin: 3 * 3" });
  expect((await zones.answerTo(root)).markdown_text).toContain("9");
  const wrong = zones.write({ text: "ask nobody: 3 * 3" });
  const answer = await zones.answerTo(wrong);
  expect(stateOf(answer)).toBe("failed");
  expect(answer.markdown_text).toMatch(/nobody.*[\s\S]*Reference: [\w-]{8,}/);
});

test("W13: a locked thread's answer reaches the person, once", async () => {
  const zones = await startCrosszone({
    agents: [agentThat("speaker", async () => ({ response_text: "The answer." }))],
  });
  const { control } = zones.slack;
  for (const method of ["chat.startStream", "chat.postMessage"])
    control.setFault({
      method,
      kind: "error",
      error: "restricted_action_thread_locked",
      times: method.endsWith("Stream") ? 1 : 2,
    });
  const { ts } = zones.write({ channel: "general", text: "@Crosszone go" });
  const direct = await control.waitForMessage((message) => shownText(message).includes("The answer."));
  expect(shownText(direct)).toMatch(/^_I can’t answer in <#C0GENERAL01>, because the thread is locked/);
  await control.idle();
  expect(direct.channel).toMatch(/^D/);
  expect(zones.log.filter(({ event }) => event === "answer_redirected")).toHaveLength(1);
  expect(zones.replies({ channel: "C0GENERAL01", ts } as Message)).toEqual([]);
});

test("W26: the text arrives before its image, whose upload fails for a while; the image has a text for people who can't see it", async () => {
  const image = { name: "sales chart.png", media_type: "image/png", bytes: Buffer.from("89504e470d0a1a0a", "hex") };
  const agent = agentThat("speaker", async () => ({ response_text: "Here it is.", files: [image] }));
  const zones = await startCrosszone({ agents: [agent] });
  const { control } = zones.slack;
  control.setFault({ method: "files.completeUploadExternal", kind: "error", error: "internal_error" });
  const root = zones.write({ text: "a chart, please" });
  expect((await zones.answerTo(root)).text).toBe("Here it is.");
  expect(zones.replies(root).flatMap(({ files = [] }) => files)).toEqual([]);
  const { files } = await control.waitForMessage((message) => message.files !== undefined);
  expect(files).toMatchObject([{ name: "sales chart.png", alt_txt: "Image: sales chart.png" }]);
  expect(control.traffic().filter(({ verdict }) => verdict.includes("image_without_alt_txt"))).toEqual([]);
});
