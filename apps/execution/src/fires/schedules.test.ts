// suite: both
import { randomUUID } from "node:crypto";
import { createAppendAudit } from "@crosszone/audit";
import type { MessageState, ScheduleSettings } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readSchedules } from "./standing.ts";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { createMessageStore } from "../tasks/store/message-store.ts";
import { authorChanger, personChanger } from "./changer.ts";
import { Schedules } from "./schedule-store.ts";
import { createScheduleTimer } from "./schedule-timer.ts";

const minuteMs = 60_000;
const caller = "verification";

onBothEngines("schedules", (newDatabase) => {
  /** Opens the schedules of two processes. The owner is of a team of the test's own. */
  async function open() {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(database.close);
    const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
    const events: string[] = [];
    const emit = (event: string, { because = "" }: { because?: string } = {}): void =>
      void events.push(`${event} ${because}`.trim());
    const canceled: string[] = [];
    const options = { append, emit: emit as never, retentionMs: minuteMs };
    const processes = [1, 2].map(() => {
      const schedules = new Schedules(database, options);
      const cancelTask = async (id: string) => canceled.push(id) > 0;
      return { schedules, timer: createScheduleTimer({ fires: schedules.starting, cancelTask, emit: emit as never }) };
    });
    const [{ schedules, timer }] = processes as [(typeof processes)[0]];
    const id = randomUUID().slice(0, 8);
    const owner = { team_id: `T${id}`, user_id: `U${id}` };
    const by = personChanger(owner);
    const name = `s-${id}`;
    const usual: ScheduleSettings = {
      owner,
      every_ms: 10 * minuteMs,
      agent: "echo",
      text: "Hello",
      jitter_ms: 0,
      cap: { fires: 100 },
    };
    const messages = createMessageStore(database, { retentionMs: minuteMs });
    const fires = async () => (await schedules.fires.page({ name }, 100)).fires;
    return {
      database,
      options,
      schedules,
      events,
      canceled,
      owner,
      by,
      name,
      usual,
      fires,
      save: (more: Partial<ScheduleSettings> = {}) =>
        schedules.save({ name, settings: { ...usual, ...more }, replaces: true }, by),
      /** Makes the schedule's next time, and what it counts from, earlier. */
      pass: async (ms: number) => {
        const moved = sql`update schedule set next_at = next_at - ${ms}, due_at = due_at - ${ms}, anchor_at = anchor_at - ${ms}`;
        await sql`${moved} where name = ${name}`.execute(database.db);
        // The same moment comes again, as another one.
        await sql`update fire set occasion = occasion || '.' where name = ${name} and occasion not like 'cap %'`.execute(
          database.db,
        );
      },
      look: () => Promise.all(processes.map((one) => one.timer.look())),
      lookOnce: timer.look,
      take: (fireId: string) => schedules.take({ fire_id: fireId, outcome: "accepted" }, caller),
      report: (fireId: string, state: MessageState) => {
        const place = { team_id: owner.team_id, user_id: owner.user_id, channel: "C1", ts: "1.1", thread_ts: "1.1" };
        const time = "2026-11-28T08:00:00Z";
        const record = { reference: fireId, revision: 1, state, attempts: 1, received_at: time, ...place };
        return messages.report([record], caller);
      },
      states: async () => (await fires()).map(({ state, reason = "" }) => `${state} ${reason}`.trim()).toSorted(),
    };
  }

  test("P4: a due time starts once, whichever process finds it, and only the owner's team sees it", async () => {
    const { save, pass, look, fires, schedules, owner, usual } = await open();
    const before = await save();
    await look();
    expect(await fires()).toEqual([]);
    await pass(10 * minuteMs);
    await Promise.all([look(), look()]);
    expect(await fires()).toMatchObject([{ state: "due", source: "schedule", text: "Hello", owner }]);
    const { next_at, last_fire, used } = (await schedules.find(before.name)) ?? {};
    expect(Date.parse(next_at?.[0] ?? "")).toBeLessThanOrEqual(Date.now() + (usual.every_ms ?? 0));
    expect(last_fire?.state).toBe("due");
    expect(used?.fires).toBe(1);
    const waiting = (team_ids: string[]) => schedules.fires.due({ team_ids }, { waitMs: 0 });
    expect(await waiting([owner.team_id])).toMatchObject(await fires());
    expect(await waiting(["T-other"])).toEqual([]);
  });

  test("P4: a clock that was ahead starts nothing again", async () => {
    const { save, pass, look, fires } = await open();
    await save();
    await pass(10 * minuteMs);
    await look();
    await pass(-60 * minuteMs);
    await look();
    expect(await fires()).toHaveLength(1);
  });

  const missed = "It was due while no process ran.";
  test.each([
    ["skip", ["due", `skipped ${missed}`]],
    ["once", ["due"]],
    ["all", ["due", "queued", "queued"]],
  ] as const)("P4: after a day without a process, `missed: %s`", async (policy, expected) => {
    const { save, pass, look, states } = await open();
    await save({ missed: policy, missed_most: 3 });
    await pass(1440 * minuteMs);
    await look();
    expect(await states()).toEqual(expected);
    await look();
    expect(await states()).toEqual(expected);
  });

  test("P4: with `missed: skip`, times of hours ago start nothing", async () => {
    const { save, pass, look, states } = await open();
    await save({ missed: "skip", every_ms: 1440 * minuteMs });
    await pass(1450 * minuteMs);
    await look();
    expect(await states()).toEqual([`skipped ${missed}`]);
  });

  test.each([
    ["skip", ["running", "skipped The fire before has not ended.", "skipped The fire before has not ended."]],
    ["queue", ["queued", "running", "skipped The fire before has not ended."]],
    ["cancel", ["due", "running A newer fire replaced it.", "skipped A newer fire replaced it."]],
  ] as const)("when the fire before has not ended, `overlap: %s`", async (overlap, expected) => {
    const { save, pass, look, states, fires, take, canceled, schedules } = await open();
    await save({ overlap });
    await pass(10 * minuteMs);
    await look();
    const [first] = await fires();
    await take(first?.fire_id ?? "");
    for (let times = 0; times < 2; times += 1) {
      await pass(10 * minuteMs);
      await look();
    }
    expect(await states()).toEqual(expected);
    expect(new Set(canceled)).toEqual(new Set(overlap === "cancel" ? [first?.fire_id] : []));
    const begun = schedules.fires.begin(first?.fire_id ?? "", caller).then(({ state }) => state);
    const judged = await begun.catch((error: { kind: string }) => error.kind);
    expect(judged).toBe(overlap === "cancel" ? "canceled" : "running");
  });

  test("what is queued starts when the fire before has ended", async () => {
    const { save, pass, lookOnce, states, fires, take, report } = await open();
    await save({ overlap: "queue" });
    await pass(10 * minuteMs);
    await lookOnce();
    const [first] = await fires();
    await take(first?.fire_id ?? "");
    await pass(10 * minuteMs);
    await lookOnce();
    expect(await states()).toEqual(["queued", "running"]);
    await report(first?.fire_id ?? "", "open");
    await lookOnce();
    expect(await states()).toEqual(["queued", "running"]);
    await report(first?.fire_id ?? "", "denied");
    await lookOnce();
    expect(await states()).toEqual(["due", "ended"]);
  });

  test("failures in a row pause a schedule, with an event in the audit log, and a person resumes it from now on", async () => {
    const { save, schedules, name, by, fires, take, report, lookOnce, events, database } = await open();
    await save({ pause_after: 2 });
    for (const state of ["given_up", "withdrawn", "denied"] as const) {
      await schedules.change(name, "fire", by);
      const [fire] = await fires();
      await take(fire?.fire_id ?? "");
      await report(fire?.fire_id ?? "", state);
      await lookOnce();
    }
    expect(await schedules.find(name)).toMatchObject({
      state: "paused",
      paused_reason: "Its last fires failed.",
      failures: 2,
      next_at: [],
      last_fire: { state: "ended", outcome: "denied" },
    });
    expect(events).toContain("schedule_paused Its last fires failed.");
    const resumed = await schedules.change(name, "resume", by);
    expect(resumed.schedule).toMatchObject({ state: "active", failures: 0 });
    expect(resumed.schedule?.next_at).toHaveLength(3);
    const acts = await sql<{ event: string }>`select event from audit_event order by id`.execute(database.db);
    const own = acts.rows.map(
      ({ event }) => JSON.parse(event) as { action: string; target: { id: string }; actor: { id: string } },
    );
    const done = own.filter(({ target }) => target.id === name).map(({ action, actor }) => `${action} ${actor.id}`);
    const person = by.name.slice("person:".length);
    expect(done).toEqual([
      `schedule.create ${person}`,
      ...["fire", "fire", "fire"].map((act) => `schedule.${act} ${person}`),
      "schedule.pause execution",
      `schedule.resume ${person}`,
    ]);
  });

  test("Q20: a schedule of the assistant can't work without a language model, as the list and the doctor say", async () => {
    const { save, name, database, options } = await open();
    await save({ agent: "assistant" });
    const why = "assistant has no language model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL";
    for (const [hasModel, warnings] of [[true], [undefined], [false, [why]]] as const) {
      const schedules = new Schedules(database, { ...options, hasModel });
      expect((await schedules.find(name))?.warnings).toEqual(warnings);
      const { broken } = await readSchedules(database, createRecordCodec(undefined), hasModel);
      expect(broken).toEqual(warnings === undefined ? [] : [`${name}: ${why}`]);
      const hooks = await schedules.whyNoAgents(["assistant", "builtin"]);
      expect([...hooks.values()].map((because) => `assistant ${because}`)).toEqual(warnings ?? []);
    }
  });

  test("O26: schedules that paused by themselves, and the costliest of today, are counted and named", async () => {
    const { save, schedules, name, by, usual, database } = await open();
    await save();
    for (const more of ["left", "hand"]) await schedules.save({ name: `${name}-${more}`, settings: usual }, by);
    await schedules.change(`${name}-hand`, "pause", by);
    for (const [of, why] of [
      [name, "Its last fires failed."],
      [`${name}-left`, "Its owner left."],
    ] as const)
      await database.db
        .updateTable("schedule")
        .set({ state: "paused", paused_reason: why })
        .where("name", "=", of)
        .execute();
    expect(await schedules.paused()).toEqual({ failures: 1, owner_left: 1, unallowed: 0, by_hand: 1 });
    const usage = createSqlUsage(database, {
      budgets: [],
      now: () => new Date(),
      capOf: async (fireId) => ({ source: "schedule", name: fireId, cap: {} }),
    });
    const call = { model: "a/m", input: 1, output: 1, cached: 0, tokens: 2, cost: 0.5, estimated: false };
    const payer = { task_id: "t", agent: "assistant", team: undefined, person: undefined, channel: undefined };
    for (const fire_id of [name, `${name}-left`, name])
      await usage.reserve({ ...payer, fire_id }, call, () => undefined);
    expect(await readSchedules(database, createRecordCodec(undefined))).toMatchObject({
      stopped: [`${name}: Its last fires failed.`, `${name}-left: Its owner left.`],
      costliest: { name, usd: 1 },
    });
  });

  test("a cap that is used up is listed once, refuses what a person starts, and agrees with what is shown", async () => {
    const { save, pass, look, states, schedules, name, by, fires, take, report } = await open();
    await save({ cap: { fires: 2 } });
    for (let times = 0; times < 4; times += 1) {
      await pass(10 * minuteMs);
      await look();
      for (const { fire_id, state } of await fires())
        if (state === "due") {
          await take(fire_id);
          await report(fire_id, "withdrawn");
          await look();
        }
    }
    expect(await states()).toEqual(["ended", "ended", "skipped Its cap for the day is used up."]);
    await expect(schedules.change(name, "fire", by)).rejects.toMatchObject({ kind: "cap" });
    expect((await schedules.find(name))?.used).toEqual({ fires: 2, tokens: 0, usd: 0 });
  });

  test("an owner who left stops every schedule of the owner, and no other", async () => {
    const { save, schedules, name, by, owner, usual, fires } = await open();
    await save();
    const [second, other] = [`${name}-2`, `${name}-other`];
    await schedules.save({ name: second, settings: usual }, by);
    const stays = { ...owner, user_id: "U-other" };
    await schedules.save({ name: other, settings: { ...usual, owner: stays } }, personChanger(stays));
    await schedules.change(name, "fire", by);
    const [fire] = await fires();
    const left = { fire_id: fire?.fire_id ?? "", outcome: "owner_left" } as const;
    expect([await schedules.take(left, caller), await schedules.take(left, caller)]).toEqual(["skipped", "skipped"]);
    const shown = await Promise.all([name, second, other].map((one) => schedules.find(one)));
    expect(shown.map((one) => one?.state)).toEqual(["paused", "paused", "active"]);
    expect(shown[0]).toMatchObject({ paused_reason: "Its owner left.", last_fire: { reason: "Its owner left." } });
    await expect(schedules.take(left, "another-zone")).rejects.toMatchObject({ kind: "invalid_params" });
    await expect(schedules.take({ ...left, fire_id: randomUUID() }, caller)).rejects.toMatchObject({
      kind: "invalid_params",
    });
  });

  test("an edit keeps the times unless it changes them, and the same settings change nothing", async () => {
    const { save, pass, look, fires, schedules, name, database } = await open();
    const first = await save();
    await pass(10 * minuteMs);
    const kept = await save({ text: "Hello again" });
    expect(kept.next_at[0]).not.toBe(first.next_at[0]);
    await look();
    expect(await fires()).toMatchObject([{ text: "Hello again" }]);
    await pass(10 * minuteMs);
    const moved = await save({ cron: "0 9 * * *", zone: "Europe/Berlin", every_ms: undefined as never });
    await look();
    expect(await fires()).toHaveLength(1);
    expect(Date.parse(moved.next_at[0] ?? "")).toBeGreaterThan(Date.now());
    const acts = async () => (await database.db.selectFrom("audit_event").select("id").execute()).length;
    const before = await acts();
    await save({ cron: "0 9 * * *", zone: "Europe/Berlin", every_ms: undefined as never });
    expect(await acts()).toBe(before);
    expect((await schedules.find(name))?.settings.zone).toBe("Europe/Berlin");
  });

  test("X28: a person has 100 schedules at most on every way, also at once; those that are over it go on", async () => {
    const { schedules, usual, owner, by, name, database } = await open();
    const other = { ...owner, user_id: `${owner.user_id}-2` };
    const [file, api] = (["file", "api"] as const).map((source) =>
      authorChanger({ actor: `${source === "api" ? "token" : "file"}:x`, correlationId: "x" }, source),
    ) as [ReturnType<typeof authorChanger>, ReturnType<typeof authorChanger>];
    const save = (at: number | string, more: object = {}, changer = by) =>
      schedules.save({ name: `${name}-${at}`, settings: { ...usual, ...more }, replaces: true }, changer);
    const count = async () => (await schedules.page({ user_id: owner.user_id }, 1_000)).schedules.length;
    for (let at = 0; at < 97; at += 1) await save(at);
    for (const at of [97, 98, 99, 100, 101]) await save(at, { owner: other }, personChanger(other));
    const ways = [
      save("a"),
      save("b", {}, api),
      save("c", {}, file),
      ...[97, 98, 99, 100, 101].map((at) => save(at, {}, api)),
    ];
    const done = await Promise.allSettled(ways);
    const refused = done.flatMap((one) => (one.status === "rejected" ? [one.reason as object] : []));
    expect(refused).toHaveLength(5);
    for (const one of refused) expect(one).toMatchObject({ kind: "not_valid", problems: [{ pointer: "/owner" }] });
    expect(await count()).toBe(100);
    // As at an upgrade.
    const rows = database.db.updateTable("schedule").where("user_id", "=", other.user_id);
    await rows.set({ user_id: owner.user_id }).execute();
    const before = await count();
    expect(before).toBeGreaterThan(100);
    await save(0, { text: "Hello again" });
    await schedules.change(`${name}-1`, "pause", by);
    await schedules.change(`${name}-1`, "resume", by);
    await schedules.change(`${name}-2`, "remove", by);
    await expect(save(2)).rejects.toMatchObject({ problems: [{ message: "has 100 schedules: remove one first" }] });
    expect(await count()).toBe(before - 1);
  });

  test("only its owner changes a schedule, and only the file one of the file; what is refused is in the audit log", async () => {
    const { save, schedules, name, by, usual, owner, database } = await open();
    const other = personChanger({ ...owner, user_id: "U-other" });
    await save();
    await expect(schedules.save({ name, settings: usual }, by)).rejects.toMatchObject({ kind: "exists" });
    await expect(schedules.save({ name, settings: usual, replaces: true }, other)).rejects.toMatchObject({
      kind: "exists",
    });
    for (const change of ["pause", "resume", "fire", "remove"] as const)
      await expect(schedules.change(name, change, other)).rejects.toMatchObject({ kind: "not_found" });
    const file = authorChanger({ actor: "file:schedules.yaml", correlationId: "x" }, "file");
    await expect(schedules.save({ name, settings: usual, replaces: true }, file)).rejects.toMatchObject({
      kind: "exists",
    });
    const api = authorChanger({ actor: "token:ops", correlationId: "x" }, "api");
    expect((await schedules.change(name, "pause", api)).schedule?.changed_by).toBe("token:ops");
    await schedules.save({ name: `${name}-file`, settings: usual }, file);
    const edit = schedules.save({ name: `${name}-file`, settings: { ...usual, text: "x" }, replaces: true }, by);
    await expect(edit).rejects.toMatchObject({ kind: "of_file" });
    await expect(schedules.change(`${name}-file`, "remove", api)).rejects.toMatchObject({ kind: "of_file" });
    await schedules.change(`${name}-file`, "pause", by);
    const rows = await sql<{ event: string }>`select event from audit_event`.execute(database.db);
    const rejected = rows.rows.filter(({ event }) => event.includes(`"${name}`) && event.includes('"rejected"'));
    expect(rejected).toHaveLength(7);
  });

  test("removed is gone, with what waits; what runs goes on", async () => {
    const { save, schedules, name, by, fires, states, take } = await open();
    await save({ overlap: "queue" });
    await schedules.change(name, "fire", by);
    await take((await fires())[0]?.fire_id ?? "");
    await schedules.change(name, "fire", by);
    expect(await schedules.change(name, "remove", by)).toEqual({ schedule: undefined, fire: undefined });
    expect(await states()).toEqual(["running", "skipped The schedule was removed."]);
    expect(await schedules.find(name)).toBeUndefined();
  });

  const unreported = "ended Verification did not report what became of it.";
  test.each([
    ["is not taken", undefined, "skipped Verification did not take it within a day."],
    ["has no task", "accepted", unreported],
    ["has a task that ended over a day ago", 25, unreported],
    ["has a task that ended today", 23, "running"],
    ["has a task that runs", null, "running"],
  ] as const)("a day later, a fire of which verification reports nothing and that %s: %s", async (_, how, expected) => {
    const { save, schedules, name, by, fires, take, look, states, database } = await open();
    await save();
    await schedules.change(name, "fire", by);
    const fire_id = (await fires())[0]?.fire_id ?? "";
    const past = sql`update fire set due_at = due_at - 90000000 where fire_id = ${fire_id}`;
    await past.execute(database.db);
    if (how !== undefined) {
      await take(fire_id);
      await schedules.starting.expire();
      await past.execute(database.db);
    }
    const task = { id: fire_id, kind: "task", share: "task", attempt: 1, due_at: 0, created_at: 0, record: "{}" };
    const ended_at = typeof how === "number" ? Date.now() - how * 60 * minuteMs : null;
    const hasTask = ended_at !== null || how === null;
    if (hasTask)
      await database.db
        .insertInto("job")
        .values({ ...task, state: ended_at ? 4 : 3, ended_at })
        .execute();
    await schedules.starting.expire();
    await look();
    expect(await states()).toEqual([expected]);
    expect((await schedules.find(name))?.failures).toBe(expected === "running" ? 0 : 1);
  });

  test.each([
    [{ every_ms: undefined }, ["/cron"]],
    [{ cron: "0 9 * * *", zone: "UTC" }, ["/cron"]],
    [{ zone: "UTC" }, ["/zone"]],
    [{ every_ms: undefined, cron: "0 9 * *", zone: "UTC" }, ["/cron"]],
    [{ every_ms: undefined, cron: "0 9 * * *", zone: "Mars" }, ["/zone"]],
    [{ input: { a: 1 } }, ["/text"]],
    [{ text: undefined }, ["/text"]],
    [{ text: undefined, input: { a: "x".repeat(10_000) } }, ["/input"]],
    [{ thread_ts: "1.1" }, ["/thread_ts"]],
  ])("settings that make no schedule are refused by their members: %j", async (more, pointers) => {
    const { save } = await open();
    const refused = await save(more as never).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "not_valid", problems: pointers.map((pointer) => ({ pointer })) });
  });

  test("schedules of one minute spread, by the same amount in each process", async () => {
    const { schedules, name, usual, by, database } = await open();
    const settings = { ...usual, every_ms: undefined as never, cron: "0 9 * * *", zone: "UTC", jitter_ms: 60_000 };
    for (let at = 0; at < 40; at += 1) await schedules.save({ name: `${name}-${at}`, settings }, by);
    const rows = await database.db.selectFrom("schedule").selectAll().where("name", "like", `${name}-%`).execute();
    const offsets = rows.map(({ next_at, due_at }) => (due_at ?? 0) - (next_at ?? 0));
    expect(new Set(offsets).size).toBeGreaterThan(30);
    expect(Math.max(...offsets)).toBeLessThanOrEqual(60_000);
    expect(new Set(rows.map(({ next_at }) => next_at)).size).toBe(1);
  });
});
