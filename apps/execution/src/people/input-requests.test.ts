// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { ballot, newInput, payment, voter } from "../testing/new-input.ts";
import { endTask, leasedTask, newVault } from "../testing/new-task.ts";
import { openInputsOf } from "../testing/open-inputs.ts";
import type { NewInput } from "./input-record.ts";
import { takeSeq } from "./input-statements.ts";

const idOf = (name: string | number): string => `inp_${String(name).padStart(32, "0")}`;
const input = (name: string | number, members: Partial<NewInput> = {}) =>
  newInput({ request_id: idOf(name), ...members });
const one = idOf(1);
const bob = voter("U_BOB");
const ops = (name: string | number) => voter(`U_${name}`, ["S_OPS"]);

onBothEngines("input requests", (newDatabase, engine) => {
  /** Opens two processes that share a database. */
  const open = async (options = {}) => {
    const url = await newDatabase();
    return [await openInputsOf({ url, ...options }), await openInputsOf({ url, ...options })] as const;
  };

  describe("answers", () => {
    test("P1, P2: a request is not answered twice: 40 people at once in two processes, one decision", async () => {
      const [here, there] = await open();
      await here.requests.ask(input(1));
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => (at % 2 ? here : there).requests.answer(one, ballot(ops(at)))),
      );
      const outcomes = answers.map((answer) => answer?.outcome);
      expect(outcomes.filter((outcome) => outcome === "decided")).toHaveLength(1);
      expect(new Set(outcomes)).toEqual(new Set(["decided", "already_decided"]));
      const decisions = [...here.events, ...there.events].filter(([event]) => event === "input_decided");
      expect(decisions.map(([, fields]) => fields)).toMatchObject([
        { request_id: one, state: "approved", via: "slack" },
      ]);
      expect((await there.requests.find(one))?.request).toMatchObject({ state: "approved", version: 2 });
    });

    test("no vote of a quorum is lost, and none is added after the decision", async () => {
      const [here, there] = await open();
      await here.requests.ask(input(1, { decide: { ...newInput().decide, approve: 3 } }));
      const voters = Array.from({ length: 12 }, (_, at) => ops(at));
      const answers = await Promise.all(
        voters.map((by, at) => (at % 2 ? here : there).requests.answer(one, ballot(by, { voters }))),
      );
      const taken = answers.map((answer) => answer?.outcome ?? "").filter((outcome) => outcome !== "already_decided");
      expect(taken.toSorted()).toEqual(["counted", "counted", "decided"]);
      expect((await here.requests.find(one))?.request.votes).toHaveLength(3);
    });

    test("P2, P8: who decided is in the record and its event, with team and surface, not only in Slack", async () => {
      const [{ requests, events }] = await open();
      await requests.ask(input(1));
      await requests.answer(one, ballot(bob, { answer: { verdict: "deny", reason: "No." } }));
      const vote = { user_id: "U_BOB", team_id: "T1", verdict: "deny", via: "slack", reason: "No." };
      const request = (await requests.find(one))?.request;
      expect(request?.votes).toEqual([{ ...vote, at: request?.decided_at }]);
      expect(events.at(-1)).toMatchObject(["input_decided", { request_id: one, user_id: "U_BOB", via: "slack" }]);
    });

    const reachable: readonly (readonly [who: string, decide: Partial<NewInput["decide"]>, state: string])[] = [
      ["the only one who can decide", {}, "denied"],
      ["one of two who must", { people: ["U_BOB", "U_DAN"], approve: 2 }, "denied"],
      ["the members of a group, whom the caller has counted", { people: [], groups: ["S_OPS"] }, "denied"],
      ["one of two who can", { people: ["U_BOB", "U_DAN"] }, "open"],
      ["a person beside a token", { people: ["U_BOB", "token:ci"] }, "open"],
      ["a person beside the requester", { requester: true }, "open"],
    ];
    test.each(reachable)("W19: a request is judged at once if %s can't be reached", async (_who, decide, state) => {
      const [{ requests }] = await open();
      const rule = { ...newInput().decide, groups: [], ...decide };
      await requests.ask(input(1, { decide: rule, action: payment(5) }));
      const claim = { by: "verification", team_id: "T1" };
      await requests.claim(one, claim, { names: { U_BOB: "Bob Carter" } });
      expect(await requests.claim(one, { ...claim, by: "another" }, { unreachable: ["U_BOB"] })).toBeUndefined();
      const told = await requests.claim(one, claim, { unreachable: ["U_BOB"] });
      expect(told?.state).toBe(state);
      if (state === "open") return;
      expect(told).toMatchObject({
        closed_because: "Bob Carter can't be reached in Slack. Tell the people who run this service.",
        votes: [],
        decision_event: expect.any(String) as string,
      });
      expect(await requests.answer(one, ballot(bob))).toMatchObject({ outcome: "already_decided" });
      expect(await requests.use(one, payment(5), "p")).toBe("not_approved");
    });

    test("answers that do not count change nothing and are reported", async () => {
      const [{ requests, events }] = await open();
      const before = await requests.ask(input(1));
      const answer = await requests.answer(one, ballot(voter("U_EVE")));
      expect(answer).toEqual({ outcome: "not_eligible", input_request: before });
      expect(events.at(-1)).toMatchObject([
        "input_answer_rejected",
        { request_id: one, outcome: "not_eligible", user_id: "U_EVE" },
      ]);
      expect(await requests.answer(idOf(2), ballot(bob))).toBeUndefined();
    });
  });

  describe("approvals", () => {
    const action = payment(100);
    const approved = async (members: Partial<NewInput> = {}) => {
      const zones = await open();
      const request = await zones[0].requests.ask(input(1, { action, ...members }));
      await zones[0].requests.answer(one, ballot(bob, { digest: request?.action?.digest }));
      return zones;
    };

    test("P2, P6: an approval can't be replayed: of concurrent uses one is allowed, the others are told", async () => {
      const [here, there] = await approved();
      const uses = Array.from({ length: 10 }, (_, at) => (at % 2 ? here : there).requests.use(one, action, "p"));
      const found = await Promise.all(uses);
      expect(found.toSorted()).toEqual([...Array.from({ length: 9 }, () => "again"), "allowed"]);
    });

    test("P6: a used approval does not cover another call after a crash", async () => {
      const [here, there] = await approved();
      expect(await here.requests.use(one, action, "p")).toBe("allowed");
      expect(await there.requests.use(one, payment(101), "p")).toBe("changed");
      expect(await there.requests.use(one, action, "p")).toBe("again");
    });

    test("P10: an approval is void when the action does not run in time", async () => {
      const [here, there] = await approved({ executeWithinMs: 0 });
      expect(await here.requests.use(one, action, "p")).toBe("void");
      expect(await there.requests.use(one, action, "p")).toBe("void");
      expect((await there.requests.find(one))?.request).toMatchObject({ state: "void" });
    });

    test("P2, P8: an agent's own word is no approval: nothing runs that people have not approved", async () => {
      const [{ requests }] = await open();
      await requests.ask(input(1, { action }));
      expect(await requests.use(one, action, "p")).toBe("not_approved");
      await requests.answer(one, ballot(bob, { answer: { verdict: "deny" } }));
      expect(await requests.use(one, action, "p")).toBe("not_approved");
      expect(await requests.use(idOf(2), action, "p")).toBe("not_approved");
    });
  });

  describe("the life of a request", () => {
    test("P2: an approved call is not left to time out: the decision wakes the task that sleeps, in any process", async () => {
      const [here, there] = await open();
      const { task } = await leasedTask(here.store);
      await here.requests.ask(input(1, { task_id: task.task_id }));
      await here.jobs.store.release([{ id: task.task_id, attempt: 1 }], { counted: false, afterMs: 3_600_000 });
      expect((await here.jobOf(one))?.due_at).toBeGreaterThan(Date.now() + 30_000);
      await there.requests.answer(one, ballot(bob));
      expect((await here.jobOf(task.task_id))?.due_at).toBeLessThan(Date.now() + 30_000);
      here.work();
      await vi.waitFor(async () => expect(await there.jobOf(one)).toMatchObject({ outcome: "approved" }));
    });

    test("O10: a request that is due only because the clock has jumped gets its time back, whenever it jumps", async () => {
      const [{ requests, database, jobs }] = await open();
      await requests.ask(input(1));
      // Moves the request, as a jump of the clock moves it nearer or farther.
      const later = async (ms: number) =>
        void (await sql`update input_request set expires_at = expires_at + ${sql.lit(ms)}`.execute(database.db));
      const settled = vi.spyOn(jobs.store, "settleClock").mockImplementation(() => later(-1e8));
      expect((await requests.advance(one))?.request.state).toBe("open");
      settled.mockImplementation(() => later(1e8));
      await later(-1e8);
      expect((await requests.advance(one))?.request.state).toBe("open");
    });

    test("P2: a request does not sleep with the process that asked: another one reminds and expires it", async () => {
      const [here, there] = await open();
      await here.requests.ask(input(1, { expiresInMs: 0 }));
      await here.requests.ask(input(2, { remindEveryMs: 1 }));
      there.work();
      await vi.waitFor(async () => expect(await here.jobOf(one)).toMatchObject({ outcome: "expired" }));
      await vi.waitFor(() => expect(there.events).toContainEqual(["input_reminded", expect.anything()]));
      expect((await here.requests.find(one))?.request.closed_because).toBe("No decision was made in time.");
      expect((await here.requests.answer(one, ballot(bob)))?.outcome).toBe("expired");
      expect((await here.requests.find(idOf(2)))?.request).toMatchObject({ state: "open" });
    });

    test("a request is withdrawn with its task, and a late click gets a word", async () => {
      const [here, there] = await open();
      const leased = await leasedTask(here.store);
      const of = { task_id: leased.task.task_id };
      await here.requests.ask(input(1, of));
      await here.requests.ask(input(2, of));
      await here.requests.ask(input(3));
      await endTask(here, leased);
      expect(await there.requests.answer(one, ballot(bob))).toMatchObject({
        outcome: "withdrawn",
        input_request: { state: "withdrawn", votes: [] },
      });
      await here.requests.withdrawOf({ taskId: of.task_id }, "The task was canceled.");
      const states = await here.requests.list({}, { limit: 9 });
      expect(Object.fromEntries(states.map(({ request_id, state }) => [request_id, state]))).toEqual({
        [one]: "withdrawn",
        [idOf(2)]: "withdrawn",
        [idOf(3)]: "open",
      });
      expect(await there.requests.openCount()).toBe(1);
    });

    test("ended requests are deleted after the retention time, open and approved ones are not", async () => {
      const [{ requests, database, jobOf, work }] = await open({ retentionMs: 0 });
      await requests.ask(input(1));
      await requests.ask(input(2));
      const { action } = (await requests.ask(input(3, { action: payment(1) }))) ?? {};
      await requests.answer(one, ballot(bob));
      await requests.answer(idOf(3), ballot(bob, { digest: action?.digest }));
      work();
      await vi.waitFor(async () => expect(await jobOf(one)).toMatchObject({ outcome: "approved" }));
      await vi.waitFor(async () => {
        await requests.purge.purge(10);
        expect(await jobOf(one)).toBeUndefined();
        const left = await database.db.selectFrom("input_request").select("request_id").orderBy("request_id").execute();
        expect(left).toEqual([{ request_id: idOf(2) }, { request_id: idOf(3) }]);
      });
    });
  });

  describe("lists", () => {
    test("have the caller's requests in the order of their changes", async () => {
      const [here, there] = await open();
      for (const name of [1, 2]) await here.requests.ask(input(name));
      await here.requests.ask(input(3, { caller: "stranger" }));
      const changes = async (afterSeq: number) =>
        (await there.requests.list({ shownBy: "verification", afterSeq }, { limit: 9 })).map(({ request_id, seq }) => [
          request_id,
          seq,
        ]);
      expect(await changes(0)).toEqual([
        [one, 1],
        [idOf(2), 2],
      ]);
      await there.requests.answer(one, ballot(bob));
      expect(await changes(2)).toEqual([[one, 4]]);
      // Each page begins after the last request of the one before, whatever changes meanwhile; the last names no next.
      const page = async (beforeSeq?: number) => {
        const { records, next } = await there.requests.page({ state: "open", beforeSeq }, 1);
        return [records.map(({ request }) => request.request_id), next];
      };
      expect(await page()).toEqual([[idOf(3)], 3]);
      await here.requests.ask(input(4));
      expect(await page(3)).toEqual([[idOf(2)], undefined]);
    });

    test("a caller that waits learns of changes, of other processes too", async () => {
      const [here, there] = await open();
      const waiting = [here, there].map(({ requests }) => requests.list({ afterSeq: 1 }, { limit: 9, waitMs: 20_000 }));
      await here.requests.ask(input(1));
      await here.requests.answer(one, ballot(bob));
      expect(await Promise.all(waiting)).toMatchObject([[{ state: "approved" }], [{ state: "approved" }]]);
      expect(await here.requests.list({ afterSeq: 2 }, { limit: 9, waitMs: 20 })).toEqual([]);
      const gone = AbortSignal.timeout(20);
      expect(await here.requests.list({ afterSeq: 2 }, { limit: 9, waitMs: 20_000, signal: gone })).toEqual([]);
    });

    test.runIf(engine === "postgres")(
      "a reader never skips a change that commits after a later one began",
      async () => {
        const [here, there] = await open();
        const [held, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        await here.requests.ask(input(1));
        const slow = here.database.transaction(async (transaction) => {
          const { rows } = await takeSeq(1).execute(transaction);
          await transaction
            .updateTable("input_request")
            .set({ seq: rows[0]?.seq ?? 0 })
            .execute();
          held.resolve();
          await commit.promise;
        });
        await held.promise;
        const later = there.requests.ask(input(2));
        const waits = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
        await vi.waitFor(async () => expect((await waits.execute(there.database.db)).rows[0]?.count).toBe(1));
        expect(await there.requests.list({ afterSeq: 1 }, { limit: 9 })).toEqual([]);
        commit.resolve();
        await Promise.all([slow, later]);
        const found = await there.requests.list({ afterSeq: 1 }, { limit: 9 });
        expect(found.map(({ request_id, seq }) => [request_id, seq])).toEqual([
          [one, 2],
          [idOf(2), 3],
        ]);
      },
    );
  });

  test("O31: rows are sealed; a process without their key leaves them to the others", async () => {
    const url = await newDatabase();
    const [{ requests, database }, other] = [
      await openInputsOf({ url, vault: newVault("a") }),
      await openInputsOf({ url, vault: newVault("b") }),
    ];
    await requests.ask(input(1, { body: "secret words" }));
    expect(JSON.stringify(await database.db.selectFrom("input_request").selectAll().execute())).not.toMatch(
      /secret|invoice|U_BOB|U_ALICE/,
    );
    expect((await requests.find(one))?.request).toMatchObject({ body: "secret words" });
    await expect(other.requests.find(one)).rejects.toThrow('sealed with the key "a"');
    expect(await other.requests.list({}, { limit: 9 })).toEqual([]);
  });
});
