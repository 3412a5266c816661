// suite: both
import { readFileSync } from "node:fs";
import type { Fire, InputRequest, InputVoter, ScheduleSettings } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import type { Ballot } from "../people/decide.ts";
import { agentThat, startZone } from "../testing/start-zone.ts";
import { authorChanger, personChanger } from "./changer.ts";
import { readSchedules } from "./standing.ts";

const schema = new URL("../../../../schemas/schedule/schedule-settings.schema.json", import.meta.url);
const members = Object.keys((JSON.parse(readFileSync(schema, "utf8")) as { readonly properties: object }).properties);

/** Another value of each member of settings that says what is asked, of whom, when, where, how often and how much. */
const others: Readonly<Record<string, Partial<ScheduleSettings>>> = {
  title: { title: "Trust me" },
  owner: { owner: { team_id: "T2", user_id: "U1" } },
  cron: { cron: "1 9 * * *" },
  zone: { zone: "Europe/Rome" },
  every_ms: { every_ms: 60_000, cron: undefined, zone: undefined },
  agent: { agent: "other" },
  text: { text: "Pay more" },
  input: { text: undefined, input: { pay: "more" } },
  channel: { channel: "C2" },
  thread_ts: { thread_ts: "2.1" },
  overlap: { overlap: "cancel" },
  missed: { missed: "all" },
  missed_most: { missed_most: 100 },
  cap: { cap: { fires: 10 } },
};
/** Those that change nothing of it. */
const harmless: Partial<ScheduleSettings> = { jitter_ms: 1, pause_after: 9 };

onBothEngines("what others write in a person's name", (newDatabase) => {
  const owner = { team_id: "T1", user_id: "U1" };
  const usual: ScheduleSettings = {
    owner,
    cron: "0 9 * * *",
    zone: "UTC",
    agent: "pays",
    text: "Pay",
    channel: "C1",
    cap: { fires: 9 },
  };
  const token = authorChanger({ actor: "token:ci", correlationId: "x" }, "api");
  const alice = personChanger(owner);

  async function open() {
    const asked: object[] = [];
    const run = async ({ text, offered_by }: { readonly text: string; readonly offered_by?: string }) => {
      asked.push({ text, offered_by });
      return { response_text: "Paid." };
    };
    const agents = ["pays", "other"].map((name) => ({
      ...agentThat(run, name),
      describe: async () => ({ sideEffects: true }),
    }));
    const zone = await startZone(agents, { database: await newDatabase() });
    const { schedules, inputs } = zone.roles;
    const save = (more: Partial<ScheduleSettings> = {}, by = token) =>
      schedules.save({ name: "pay", settings: { ...usual, ...more }, replaces: true }, by);
    const find = async () => (await schedules.find("pay")) as NonNullable<Awaited<ReturnType<typeof schedules.find>>>;
    /** Resolves with the request that the schedule waits for, once it is there. */
    const request = () =>
      vi.waitFor(async () => {
        const found = await inputs.requests.find((await find()).request_id ?? "");
        expect(found).toBeDefined();
        return found?.request as InputRequest;
      }, 10_000);
    const answer = async (given: Partial<Ballot> = {}, more: Partial<InputVoter> = {}) => {
      const { request_id, action } = await request();
      const by = { ...owner, groups: [], ...more };
      const ballot = { answer: { verdict: "approve" }, digest: action?.digest, via: "slack", by, ...given } as Ballot;
      return (await inputs.requests.answer(request_id, ballot))?.outcome;
    };
    const becomes = (state: string, reason?: string) =>
      vi.waitFor(async () => expect(await find()).toMatchObject({ state, paused_reason: reason }), 10_000);
    /** Fires it and asks as verification does. */
    const fire = async (more: object = {}) => {
      await schedules.change("pay", "fire", alice);
      const listed = await zone.call("list_fires", { team_ids: ["T1"], authors: true });
      const [{ fire_id, agent, text, written_by }] = (listed as { result: { fires: [Fire] } }).result.fires;
      const params = { channel: "C1", thread_ts: "1.1", text, agent, bot_token: "h", ...owner, fire_id, ...more };
      const done = await zone.call("execute_task", params, fire_id);
      await schedules.take({ fire_id, outcome: "accepted" }, "anonymous").catch(() => undefined);
      await zone.database.db.deleteFrom("fire").execute();
      return { written_by, done };
    };
    return { ...zone, schedules, inputs, asked, save, find, request, answer, becomes, fire };
  }

  test("X18: only a press of the owner in Slack counts, and allows this text for this agent", async () => {
    const { save, answer, becomes, asked, fire, acts, schedules } = await open();
    expect(await save()).toMatchObject({ state: "paused", written_by: "token:ci" });
    const outcomes = [
      await answer({}, { user_id: "U2" }),
      await answer({}, { team_id: "T-partner" }),
      await answer({}, { team_id: undefined }),
      await answer({ via: "console" }),
      await answer({ via: "api" }, { user_id: "token:ci", team_id: undefined }),
      await answer({ digest: "0".repeat(64) }),
    ];
    expect(outcomes).toEqual([...Array<string>(5).fill("not_eligible"), "changed"]);
    await expect(schedules.change("pay", "fire", token)).rejects.toMatchObject({ kind: "not_allowed" });
    await expect(schedules.change("pay", "fire", alice)).rejects.toMatchObject({ kind: "not_allowed" });
    expect(await answer()).toBe("decided");
    await becomes("active");
    expect((await fire()).written_by).toBe("token:ci");
    expect(asked).toEqual([{ text: "Pay", offered_by: "schedule:pay" }]);
    // The owner allowed another agent.
    const { done } = await fire({ agent: "other" });
    expect(done).toMatchObject({ result: { status: "input_required" } });
    expect(asked).toHaveLength(1);
    const own = (await acts()).filter(({ action }) => /^schedule\.(create|allow)|^input\.decide/.test(action));
    expect(own.filter(({ outcome }) => outcome === "done")).toMatchObject([
      { action: "schedule.create", actor: { id: "ci" } },
      { action: "input.decide", actor: { type: "person", id: "U1" } },
      { action: "schedule.allow", details: { written_by: "token:ci", by: "U1" } },
    ]);
  });

  test("X18: every setting that matters is asked anew, what was allowed is not, and the owner's own words never", async () => {
    const { save, find, schedules, request, becomes, answer } = await open();
    expect(members.toSorted()).toEqual([...Object.keys(others), "jitter_ms", "pause_after"].toSorted());
    expect(await save({}, alice)).toMatchObject({ state: "active", written_by: undefined });
    for (const [member, more] of Object.entries(others)) {
      expect([member, (await save(more)).state]).toEqual([member, "paused"]);
      expect([member, (await save()).state]).toEqual([member, "active"]);
      expect([member, (await save({ ...more, ...harmless })).state]).toEqual([member, "paused"]);
      expect([member, (await save(harmless)).state]).toEqual([member, "active"]);
    }
    expect((await save({ owner: { ...owner, name: "Bob" } })).state).toBe("active");
    // What is no longer asked is withdrawn.
    await save(others["text"]);
    const first = await request();
    await save(others["title"]);
    await vi.waitFor(async () => expect((await schedules.find("pay"))?.request_id).not.toBe(first.request_id));
    expect(await answer({ answer: { verdict: "deny", reason: "No" } })).toBe("decided");
    await becomes("paused", "Its owner declined it.");
    expect((await schedules.change("pay", "resume", alice)).schedule).toMatchObject({ state: "paused" });
    await schedules.change("pay", "pause", alice);
    await save();
    expect((await find()).paused_reason).toBe("Its owner paused it.");
    expect((await schedules.change("pay", "resume", token)).schedule?.state).toBe("paused");
    await answer({ answer: { verdict: "deny" } });
    await becomes("paused", "Its owner declined it.");
    // A pause takes back what was allowed.
    expect((await schedules.change("pay", "resume", token)).schedule?.state).toBe("paused");
    expect((await save(harmless)).state).toBe("paused");
  });

  test("Q20: what can't work is said by the list and, once, by the doctor: no agent, and a workspace where no zone asks", async () => {
    const { save, find, database } = await open();
    await save({ agent: "builtn", owner: { ...owner, team_id: "T9" } });
    const agent = "builtn is no agent or workflow: did you mean builtin?";
    expect((await find()).warnings).toEqual([agent]);
    await database.db
      .updateTable("schedule")
      .set({ changed_at: Date.now() - 120_000 })
      .execute();
    const lost = "No verification zone asks in the workspace T9: install the app there, or correct the owner.";
    expect(await find()).toMatchObject({ state: "paused", warnings: [agent, lost] });
    const { broken, waiting } = await readSchedules(database, createRecordCodec(undefined));
    expect([broken, waiting]).toEqual([[`pay: ${agent}; ${lost}`], []]);
  });

  test("X18: what ran before the upgrade goes on until others change it, and what nobody answers is paused, as the doctor says", async () => {
    const { save, database, becomes, fire, request, inputs } = await open();
    await save();
    const older = {
      allowed: null,
      written_by: null,
      consent_id: null,
      state: "active",
      next_at: 1,
      due_at: null,
    } as const;
    await database.db.updateTable("schedule").set(older).execute();
    expect((await fire()).written_by).toBeUndefined();
    expect(await save(harmless)).toMatchObject({ state: "active" });
    expect(await save(others["text"])).toMatchObject({ state: "paused", written_by: "token:ci" });
    expect((await readSchedules(database, createRecordCodec(undefined))).waiting).toEqual([
      expect.stringMatching(/^pay: Waits for U1 to allow it in Slack, whom no verification zone has asked yet\.$/),
    ]);
    const { request_id } = await request();
    await inputs.requests.claim(request_id, { by: "anonymous", team_id: "T1" }, {});
    expect((await readSchedules(database, createRecordCodec(undefined))).waiting).toEqual([
      "pay: Waits for U1 to allow it in Slack.",
    ]);
    await database.db.updateTable("input_request").set({ expires_at: 1 }).execute();
    await database.db.updateTable("job").set({ due_at: 1 }).where("id", "=", request_id).execute();
    await becomes("paused", "Its owner did not answer in time.");
    const { declined, waiting } = await readSchedules(database, createRecordCodec(undefined));
    expect([declined, waiting]).toEqual([["pay: Its owner did not answer in time."], []]);
  });
});
