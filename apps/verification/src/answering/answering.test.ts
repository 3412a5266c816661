import { afterEach, describe, expect, test, vi } from "vitest";
import { member } from "../testing/fake-slack.ts";
import { directMessage, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

async function start(overrides?: Parameters<typeof startTestApp>[0]): Promise<void> {
  app = await startTestApp(overrides);
  app.slack.directory.users["UGUEST"] = { ...member, guest: true };
  await app.started;
}

const mention = (text: string, more: Record<string, unknown> = {}): Record<string, unknown> & { ts: string } => ({
  ...directMessage(`<@UBOT> ${text}`, { channel: "C1", channel_type: "channel" }),
  ...more,
});

describe("gate threads", () => {
  afterEach(() => app.close());

  describe("a reply without a mention, in a thread of people", () => {
    const reply = (): Record<string, unknown> & { ts: string } =>
      mention("", { thread_ts: "900.1", text: "Bob, lunch?" });
    const verdict = async (): Promise<unknown> => {
      const event = reply();
      await app.deliver(event);
      const seen = app.logs.filter(({ event: name }) => /^event_(accepted|ignored|refused)$/.test(String(name)));
      return seen.at(-1)?.["event"];
    };

    test("is ignored if the app was mentioned only by a person whom the policy denies", async () => {
      await start();
      await app.deliver(mention("hi", { user: "UGUEST", thread_ts: "900.1" }));
      await app.deliver(mention("stop", { user: "UGUEST", thread_ts: "900.1" }));
      await vi.waitFor(() => expect(app.slack.notices).toHaveLength(2));
      expect(await verdict()).toBe("event_ignored");
      expect(app.zone.calls).toEqual([]);
    });

    test("is answered if an allowed person has mentioned the app, whatever other people did", async () => {
      await start();
      await app.deliver(mention("hi", { user: "UGUEST", thread_ts: "900.1" }));
      await app.deliver(mention("hi", { thread_ts: "900.1" }));
      await app.deliver(mention("hi", { user: "UGUEST", thread_ts: "900.1" }));
      await vi.waitFor(() => expect(app.slack.notices).toHaveLength(2));
      expect(await verdict()).toBe("event_accepted");
    });

    test("is answered if the mention was denied only for its size or rate", async () => {
      await start({ limits: { MAX_QUESTION_CHARACTERS: 2 } });
      await app.deliver(mention("too long", { thread_ts: "900.1" }));
      await vi.waitFor(() => expect(app.slack.notices).toHaveLength(1));
      expect(await verdict()).toBe("event_accepted");
    });
  });
});
