// suite: rest
import { expect, test, vi } from "vitest";
import type { Inbox } from "../inbox/inbox.ts";
import { createTestInbox, openTestDatabase } from "../testing/test-inbox.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { directMessage, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

/** Sends a question; resolves with the final answer, possibly of a second attempt. */
async function answerTo(text: string): Promise<string | undefined> {
  const message = directMessage(text);
  await app.deliver(message);
  await vi.waitFor(() => expect(app.slack.answers(message.ts)[0]?.mark?.state).toMatch(/done|failed/));
  expect(app.slack.answers(message.ts)).toHaveLength(1);
  return app.slack.answers(message.ts)[0]?.text;
}

/** Makes an inbox whose first `failures` reads of a question fail, as in a database outage, and `lost` of those before another attempt. */
async function failingInbox(failures: number, lost = 0): Promise<Inbox> {
  const inbox = createTestInbox(await openTestDatabase());
  const [standing, pauseOf] = [vi.spyOn(inbox, "standing"), vi.spyOn(inbox, "pauseOf")];
  for (let left = failures; left > 0; left -= 1) standing.mockRejectedValueOnce(new Error("away"));
  const reset = Object.assign(new Error("lost"), { code: "ECONNRESET" });
  for (let left = lost; left > 0; left -= 1) pauseOf.mockRejectedValueOnce(reset);
  return inbox;
}

const installation = ["not_installed", "bad_client_secret", "invalid_client_id", "invalid_refresh_token"];

test.each(["token_revoked", "invalid_auth", "missing_scope", ...installation])(
  "S13, S15, Y6: Slack's %s is an outage: the answer is stored, and posted once the app is repaired, or installed again",
  async (code) => {
    app = await startTestApp();
    app.slack.failNext("update", "refused", { code });
    expect(await answerTo("hi")).toBe("You said: hi");
    expect(app.zone.of("execute_task")).toHaveLength(1);
  },
);

test("S13: when Slack refuses an answer and then fails, the notice is retried until it replaces the placeholder", async () => {
  app = await startTestApp({ limits: { DELIVERY_BUDGET_MS: 0 } });
  app.slack.failNext("update", "refused", { code: "msg_too_long" });
  app.slack.failNext("update", "unavailable");
  expect(await answerTo("hi")).toBe("You said: hi");
});

test("a connection that is lost while a question is tried again costs no attempt", async () => {
  app = await startTestApp({ inbox: await failingInbox(1, 2) });
  expect(await answerTo("hi")).toBe("You said: hi");
});

test("an error that persists is reported to the person in the end", async () => {
  app = await startTestApp({ inbox: await failingInbox(100) });
  expect(await answerTo("hi")).toMatch(/^Something went wrong on our side/);
});

test("a retried question is judged again, but not counted twice", async () => {
  const limits = { MESSAGES_PER_MINUTE: 1, CHANNEL_RATE_FACTOR: 1_000, TEAM_RATE_FACTOR: 1_000 };
  app = await startTestApp({ inbox: await failingInbox(1), limits });
  app.slack.failNext("post", "refused", { code: "restricted_action" });
  expect(await answerTo("hi")).toBe("You said: hi");
  expect(app.logged("policy_allowed")).toHaveLength(2);
  expect(app.slack.notices).toEqual([]);
});

test("an unexpected error is retried before the person sees it; a question whose placeholder is posted is not judged again", async () => {
  app = await startTestApp({ inbox: await failingInbox(1) });
  expect(await answerTo("hi")).toBe("You said: hi");
  expect(app.logged("policy_allowed")).toHaveLength(1);
});

test("S13: a record is completed only after Slack has the thread's final status", async () => {
  const slack = createFakeSlack();
  const { setSessionStatus, update } = slack;
  const taken = Promise.withResolvers<void>();
  app = await startTestApp({
    slack: {
      ...slack,
      setSessionStatus: async (thread, status) => {
        if (status === "processing") await taken.promise;
        await setSessionStatus(thread, status);
      },
      // Slack accepts the status a moment after the answer is posted.
      update: async (...given) => update(...given).finally(() => setTimeout(taken.resolve, 20)),
    },
  });
  const statusesThen: string[][] = [];
  const { inbox } = app.deps;
  const { lanes } = inbox.jobs.store;
  const remove = lanes.remove.bind(lanes);
  vi.spyOn(lanes, "remove").mockImplementation(async (job) => {
    statusesThen.push([...slack.statuses]);
    return remove(job);
  });
  await app.deliver(directMessage("hi"));
  await vi.waitFor(() => expect(statusesThen).toEqual([["processing", "active"]]));
});
