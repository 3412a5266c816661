import { describe, expect, test } from "vitest";
import { policyOf } from "../policy/policy-section.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { before, createFakeSlack, member, newTs } from "../testing/fake-slack.ts";
import { startTestApp, type TestApp, type TestAppOptions, until } from "../testing/start-test-app.ts";

let app: TestApp;

const start = async (options: TestAppOptions = {}): Promise<void> => {
  app = await startTestApp({ ...options, policy: policyOf({ reactions: { ticket: "case", eyes: "case" } }) });
};

/** Plants a message of Bob. */
function plant(): string {
  const ts = newTs();
  app.slack.say({ ts, thread_ts: "", user: "U2", text: "The printer burns." });
  return ts;
}

const react = (ts: string, user: string, reaction = "ticket"): Promise<number> =>
  app.deliver({
    type: "reaction_added",
    user,
    reaction,
    item_user: "U2",
    item: { type: "message", channel: "C1", ts },
    event_ts: newTs(),
  });
const asked = (): unknown[] => app.zone.of("execute_task").map(({ params }) => params["user_id"]);
const ended = (): unknown[] => app.logged("answer_pressed").map(({ outcome }) => outcome);
const done = (count: number): Promise<void> => until(() => expect(ended()).toHaveLength(count));

describe("a reaction that asks", () => {
  test.each([
    ["a guest", { guest: true }, ["I do not answer guests"]],
    ["a partner, who gets no answer", { team_id: "T2" }, []],
    ["somebody who was deactivated", { deleted: true }, []],
  ])("W20: of %s is in nobody's way: the next person is answered, and a third is not", async (_who, person, told) => {
    await start();
    app.slack.directory.users["UFIRST"] = { ...member, ...person };
    const ts = plant();
    expect(await react(ts, "UFIRST")).toBe(200);
    await done(1);
    expect(await react(ts, "U1")).toBe(200);
    await done(2);
    expect(await react(ts, "U3")).toBe(200);
    await done(3);
    await app.idle();
    expect([asked(), ended()]).toEqual([["U1"], ["rejected", "done", "duplicate"]]);
    expect(app.slack.notices.map(({ text }) => text.slice(0, 22))).toEqual(told);
    const judged = app.logs.filter(
      ({ event, kind_of_record }) => event === "policy_denied" && kind_of_record === "press",
    );
    expect(judged).toHaveLength(1);
  });

  test("W20: whose person could not be looked up counts when the person adds it again", async () => {
    const slack = createFakeSlack();
    let isDown = true;
    before(slack, "user", () => {
      if (isDown) throw new SlackCallError("users.info", { failure: "unavailable", code: "timeout" });
    });
    await start({ slack });
    const ts = plant();
    await react(ts, "U1");
    const told = { user_id: "U1", text: expect.stringContaining("ask again in a minute") as string };
    await until(() => expect(app.slack.notices).toMatchObject([told]));
    isDown = false;
    await react(ts, "U1");
    await done(2);
    await react(ts, "U1", "ticket::skin-tone-2");
    await done(3);
    await app.idle();
    expect([asked(), ended()]).toEqual([["U1"], ["rejected", "done", "duplicate"]]);
  });

  test("W20: that could not be asked, because the thread is full, can be added again", async () => {
    await start({ limits: { MAX_WAITING_PER_THREAD: 0 } });
    const ts = plant();
    for (const count of [1, 2]) {
      await react(ts, "U1");
      await until(() => expect(app.slack.notices).toHaveLength(count));
    }
    await app.idle();
    expect([asked(), ended()]).toEqual([[], ["rejected", "rejected"]]);
  });

  test("W20: two people at once ask once, and another reaction asks once more", async () => {
    await start();
    const ts = plant();
    await Promise.all([react(ts, "U1"), react(ts, "U3"), react(ts, "U1", "eyes")]);
    await done(3);
    await app.idle();
    expect([asked().length, ended().filter((outcome) => outcome === "done").length]).toEqual([2, 2]);
  });

  test.each([
    ["is gone", () => undefined],
    ["stays as a tombstone", (ts: string) => app.slack.say({ ts, thread_ts: "", text: "", ...tombstone })],
  ])("W29: about a message that %s is posted nowhere, and its person is told", async (_how, plantAgain) => {
    await start();
    const ts = newTs();
    plantAgain(ts);
    const { length } = app.slack.messages;
    await react(ts, "U1");
    await done(1);
    await app.idle();
    expect([ended(), asked(), app.slack.messages.length]).toEqual([["gone"], [], length]);
    const text: unknown = expect.stringMatching(/^That message is gone/);
    expect(app.slack.notices).toMatchObject([{ user_id: "U1", text }]);
  });
});

const tombstone = { subtype: "tombstone", user: "USLACKBOT" };
