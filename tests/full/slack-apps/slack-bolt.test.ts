import { join } from "node:path";
import { type Message, startDevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { expect, onTestFinished, test } from "vitest";
import { pythonOf } from "../../harness/install-once.ts";
import { startServer } from "../../harness/run-program.ts";

test("an app on Bolt for Python takes a button and a choice, and validates a modal", async () => {
  const python = await pythonOf(join(import.meta.dirname, "requirements.txt"));
  const dev = await startDevSlack();
  onTestFinished(() => dev.close());
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/slack/events`;
  const env = { ...slackEnv(dev), PORT: port, BOLT_PYTHON_LOG_LEVEL: "ERROR" };
  await startServer([python, "approve.py"], { cwd: import.meta.dirname, env, url });
  dev.setEventsUrl(url);
  const { control } = dev;
  const saying = (words: string): Promise<Message> => control.waitForMessage(({ text }) => text.includes(words));

  control.postMessage({ channel: "dm", text: "deploy" });
  const { channel, ts } = await saying("Deploy?");
  const place = { channel, ts, user: "alice" };
  await control.act({ ...place, action_id: "owner", value: "o1" });
  expect(await saying("Owner noted: o1")).toMatchObject({ ephemeral_for: "U0ALICE0001" });

  await control.act({ ...place, action_id: "decide" });
  const opened = (): string | undefined => control.views("alice")[0]?.id;
  await expect.poll(opened).toBeDefined();
  const view = { user: "alice", view_id: opened() ?? "" };
  await control.act({ ...view, action_id: "text", value: "no" });
  expect(await control.submitView(view)).toMatchObject({ errors: { why: "Say more." } });
  await control.act({ ...view, action_id: "text", value: "tested" });
  expect(await control.submitView(view)).not.toHaveProperty("warning");
  expect(await saying("approved")).toMatchObject({ ts, text: "v1 approved by <@U0ALICE0001>: tested" });
  await control.idle();
  const good = ["ok", "accepted", "acknowledged"];
  expect(control.traffic().filter(({ verdict }) => !good.includes(verdict))).toEqual([]);
  expect(control.warnings()).toEqual([]);
});
