// suite: both
import { startAdminApi, viewToken } from "@crosszone/admin-api/testing";
import { createReadAgentCalls } from "@crosszone/agent-bridge";
import { isTaskList, isTaskRecord, type MessageLife, type MessageList, type TaskRecord } from "@crosszone/contracts";
import { apiSources, openApi } from "@crosszone/contracts/openapi";
import { type Vault } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMessageStore } from "../../tasks/store/message-store.ts";
import { createSqlTaskReader } from "../../tasks/store/task-reader.ts";
import { openTaskStore } from "../../tasks/store/task-store.ts";
import { canceled, endTask, leasedTask, succeeded, newVault } from "../../testing/new-task.ts";
import { createTaskRoutes, type TaskReaders } from "./task-routes.ts";

const agentFailed = { error: { kind: "agent_failed", data: { agent_says: "secret words" } } } as const;
onBothEngines("the API of tasks", (newDatabase) => {
  const start = async (vault?: Vault) => {
    const zone = await openTaskStore({ url: await newDatabase(), vault });
    const { database } = zone;
    onTestFinished(() => database.close());
    const states = vi.fn<TaskReaders["readRun"]>(async () => undefined);
    const read = {
      tasks: createSqlTaskReader(database),
      messages: createMessageStore(database, { retentionMs: 60_000 }),
      usage: { callsOf: async () => ({ model_calls: [], tool_calls: [] }) },
      inputs: { page: async () => ({ records: [] }), waitsOf: async () => new Map() },
      readSteps: async () => [],
      readCalls: createReadAgentCalls(database),
      readRun: states,
    };
    const { messages } = read;
    const part = messages.names.named(createTaskRoutes(read as unknown as TaskReaders));
    const api = await startAdminApi({ parts: [part] });
    const list = async (query = ""): Promise<readonly TaskRecord[]> => {
      const { body } = await api.ask(`GET /tasks${query}`);
      expect(isTaskList(body)).toBe(true);
      return body?.["tasks"] as TaskRecord[];
    };
    return { ...api, ...zone, messages, states, list };
  };

  test("tasks are listed newest first, by state, agent and correlation id, with the total of all pages", async () => {
    const { store, database, list, ask } = await start();
    const ids: string[] = [];
    for (const [agent, correlation_id] of [
      ["counter", "c-1"],
      ["counter", "c-2"],
      ["größer \ud800", "c-2"],
    ] as const) {
      const { task } = await leasedTask(store, { agent, correlation_id });
      ids.unshift(task.task_id);
      const moment = { created_at: 1_000 * ids.length };
      await database.db.updateTable("job").set(moment).where("id", "=", task.task_id).execute();
    }
    const found = async (query: string) => (await list(query)).map(({ task_id }) => task_id);
    expect(await found("")).toEqual(ids);
    expect(await found("?correlation_id=c-2")).toEqual(ids.slice(0, 2));
    expect(await found("?agent=counter")).toEqual(ids.slice(1));
    expect(await found("?agent=counter&correlation_id=c-2&state=working")).toEqual([ids[1]]);
    expect(await found("?state=success")).toEqual([]);
    const { body } = await ask("GET /tasks?limit=1");
    expect(body).toMatchObject({ total: 3, next_cursor: expect.any(String) as string });
    expect(await found(`?limit=2&cursor=${body?.["next_cursor"] as string}`)).toEqual(ids.slice(1));
    expect((await list("?limit=1"))[0]?.agent).toBe("größer \ud800");
  });

  test("X26: the tasks of others who chose the reference of a message are marked, come last and hide none of its own", async () => {
    const { store, database, ask } = await start();
    const received_at = "2026-11-21T10:00:00.000Z";
    const place = { team_id: "T1", channel: "C1", thread_ts: "1.0", user_id: "U1" };
    const message = { reference: "c-1", revision: 1, state: "open", attempts: 1, received_at, ...place } as const;
    await createMessageStore(database, { retentionMs: 60_000 }).report([message], "verification");
    const own = await leasedTask(store);
    const others = await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const by = { caller: "token:ci", ask: { surface: "a2a", context_id: `x${n}`, hops: 0 } } as const;
        return leasedTask(store, { key: JSON.stringify(String(n)), ...by });
      }),
    );
    const lifeOf = async (id: string) => (await ask(`GET /messages/${id}`)).body as unknown as MessageLife;
    for (const id of ["c-1", own.task.task_id]) {
      const life = await lifeOf(id);
      expect([life.message?.reference, life.tasks.length]).toEqual(["c-1", 20]);
      expect(life.tasks.map(({ task, of_another }) => [task.caller, of_another ?? false])).toEqual([
        ["verification", false],
        ...Array.from({ length: 19 }, () => ["token:ci", true]),
      ]);
    }
    const foreign = await lifeOf(others[0]?.task.task_id ?? "");
    expect(foreign.reported).toBe(false);
    expect(foreign.tasks.at(-1)).toMatchObject({ task: { caller: "verification" }, of_another: true });
  });

  test("Q21: a message has its title, its standing and the names of people and channels, which are content; a beginning of its reference finds it", async () => {
    const { store, database, ask, url, messages } = await start();
    const reference = "f8a53243-76d1-4764-b836-4766d22d188e";
    const place = { team_id: "T1", channel: "C0GENERAL", channel_name: "#general", ts: "1.0", thread_ts: "1.0" };
    const author = { user_id: "U0ALICE", user_name: "Alice Berger", received_at: new Date().toISOString() };
    const report = {
      reference,
      revision: 1,
      state: "answered",
      outcome: "failed",
      attempts: 1,
      ...place,
      ...author,
    } as const;
    await messages.report([{ ...report, reason: "Unknown agent" }], "verification");
    const text = `Ask <@U0BOB|Bob Carter> about\n${"x".repeat(500)}`;
    await leasedTask(store, { correlation_id: reference, params: { channel: "C0GENERAL", text } });
    const names = { U0ALICE: "Alice Berger", C0GENERAL: "#general" };
    const list = (await ask("GET /messages?state=failed")).body as unknown as MessageList;
    expect(list).toMatchObject({ names, messages: [{ standing: "failed", message: { reason: "Unknown agent" } }] });
    const title = list.messages[0]?.task?.title ?? "";
    expect(title).toMatch(/^Ask Bob Carter about x+$/);
    expect(title).toHaveLength(120);
    expect((await ask("GET /messages?state=answered")).body).toMatchObject({ messages: [] });
    expect((await ask("GET /messages/f8a5")).body).toMatchObject({ reference, standing: "failed", names });
    expect((await ask("GET /messages/f9a5")).status).toBe(404);
    const headers = { authorization: `Bearer ${viewToken}` };
    for (const path of ["/messages", "/messages/f8a5", "/tasks"]) {
      const shown = await (await fetch(url + path, { headers })).text();
      expect([path, shown.includes(reference)]).toEqual([path, true]);
      expect(shown).not.toMatch(/Alice Berger|#general|"title"|"names"/);
    }
    expect(JSON.stringify(await database.db.selectFrom("message").selectAll().execute())).not.toContain("Alice");
  });

  test("Q21: every answer that can have names has those of the ids in it", async () => {
    const { messages, list } = await start();
    await list();
    const place = { team_id: "T1", channel: "C0GENERAL", channel_name: "#general", ts: "1.0", thread_ts: "1.0" };
    const author = { user_id: "U0ALICE", user_name: "Alice Berger", received_at: new Date().toISOString() };
    const report = { reference: "r", revision: 1, state: "open", attempts: 1, ...place, ...author } as const;
    await messages.report([report], "verification");
    const parts = Object.keys(apiSources).map((part) => openApi(part as keyof typeof apiSources));
    const able = parts.flatMap(({ paths, components }) =>
      Object.entries(paths).flatMap(([path, { get }]) => {
        const [, title = ""] = /"200":.*?"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(get ?? {})) ?? [];
        const schema = components["schemas"]?.[title] as { readonly properties?: object } | undefined;
        return Object.hasOwn(schema?.properties ?? {}, "names") ? path : [];
      }),
    );
    // The names of those who decide are those of the request itself.
    const own = new Set(["/runs/{run_id}"]);
    expect(able).toEqual(expect.arrayContaining(["/schedules", "/schedules/{name}", "/hooks", "/messages"]));
    for (const path of able.filter((one) => !own.has(one))) {
      const get = async () => ({ status: 200, body: { owner: "U0ALICE", in: ["C0GENERAL"] } });
      const { paths } = messages.names.named({ paths: { [path]: { get } } } as never);
      const answer: unknown = await paths[path]?.get?.({} as never);
      expect([path, answer]).toMatchObject([
        path,
        { body: { names: { U0ALICE: "Alice Berger", C0GENERAL: "#general" } } },
      ]);
    }
  });

  test("O7: tasks are found by person, by time, and by what has not ended, also with keys", async () => {
    const { list, ask, ...zone } = await start(newVault());
    const { store, database } = zone;
    const asked = { channel: "C1", text: "x", team_id: "T1" };
    const alice = await leasedTask(store, { params: { ...asked, user_id: "U0ALICE0001", user_name: "Alice Carter" } });
    const bob = await leasedTask(store, { params: { ...asked, user_id: "U0BOB000001", user_name: "Bob  Müller" } });
    await leasedTask(store, { params: asked });
    const at = Date.parse("2026-11-21T10:00:00Z");
    for (const [{ task }, created_at] of [
      [alice, at],
      [bob, at + 60_000],
    ] as const)
      await database.db.updateTable("job").set({ created_at }).where("id", "=", task.task_id).execute();
    await endTask(zone, alice, { state: "success", outcome: succeeded("done") });
    const [a, b] = [alice.task.task_id, bob.task.task_id];
    const found = async (query: string) =>
      (await list(query)).map(({ task_id }) => task_id).filter((id) => id === a || id === b);
    for (const name of ["U0ALICE0001", "Alice%20Carter", "alice", "CARTER", "%20alice"])
      expect(await found(`?person=${name}`)).toEqual([a]);
    for (const name of ["Bob%20%20M%C3%BCller", "m%C3%BCller", "U0BOB000001"])
      expect(await found(`?person=${name}`)).toEqual([b]);
    for (const name of ["Ali", "T1", "%25", "_", "nobody"]) expect(await found(`?person=${name}`)).toEqual([]);
    expect((await ask("GET /tasks?person=alice")).body).toMatchObject({ total: 1 });
    expect(await found("?since=2026-11-21T10:00:00Z&until=2026-11-21T10:01:00Z")).toEqual([a]);
    expect(await found("?since=2026-11-21T10:00:01Z")).toEqual([b]);
    expect(await found("?until=2026-11-21T10:00:00Z")).toEqual([]);
    expect(await found("?open=true")).toEqual([b]);
    expect(await found("?open=false&person=alice")).toEqual([a]);
    const rows = JSON.stringify(await database.db.selectFrom("job").selectAll().execute());
    expect(rows).not.toMatch(/alice|carter|U0BOB|müller/i);
  });

  test("O6: what waits for an agent are its own open tasks, and those that wait for a call of it", async () => {
    const { list, store, database } = await start();
    const { task: own } = await leasedTask(store, { agent: "slow" });
    const { task: other } = await leasedTask(store, { agent: "assistant" });
    await leasedTask(store, { agent: "assistant" });
    const call = { kind: "agent_call", share: "agent_call slow", due_at: 0, created_at: 0, attempt: 0, record: "{}" };
    const add = (id: string, state: 0 | 4, parent: string) =>
      database.db
        .insertInto("job")
        .values({ ...call, id, state, parent, name: "slow" })
        .execute();
    await add("open", 0, other.task_id);
    await add("ended", 4, "another");
    const ids = (await list("?agent=slow&open=true")).map(({ task_id }) => task_id);
    expect(ids.toSorted()).toEqual([own.task_id, other.task_id].toSorted());
    expect((await list("?agent=slow")).map(({ task_id }) => task_id)).toEqual([own.task_id]);
  });

  test("a task shows its requester, its deadline and how it ended, never the question or the answer", async () => {
    const { ask, list, ...zone } = await start();
    const { store } = zone;
    const params = { channel: "C1", text: "secret words", team_id: "T1", user_id: "U1" };
    const [open, done, failed, stopped] = [
      await leasedTask(store, { params }),
      await leasedTask(store, { params }),
      await leasedTask(store, { params }),
      await leasedTask(store, { params }),
    ];
    await endTask(zone, done, { state: "success", outcome: succeeded("secret words") });
    await endTask(zone, failed, { state: "error", outcome: agentFailed });
    await store.cancel(stopped.task.task_id, canceled);
    const show = async ({ task }: typeof open) => (await ask(`GET /tasks/${task.task_id}`)).body;
    const known = { caller: "verification", agent: "builtin", correlation_id: "c-1", attempts: 1, agent_calls: [] };
    const origin = { channel: "C1", team_id: "T1", user_id: "U1" };
    expect(await show(open)).toMatchObject({ ...known, ...origin, state: "working" });
    expect(await show(done)).toMatchObject({ ...known, state: "success", ended_at: expect.any(String) as string });
    expect(await show(failed)).toMatchObject({
      ...known,
      state: "error",
      error: { kind: "agent_failed", code: -32_011, message: "Agent failed" },
    });
    expect(await show(stopped)).toMatchObject({ state: "canceled", error: { kind: "canceled" } });
    const all = [await show(open), await show(failed), await show(done), await list()];
    expect(all.slice(0, 3).every(isTaskRecord)).toBe(true);
    // The title is content, which the API leaves out without its scope.
    expect(JSON.stringify(all, (key, value: unknown) => (key === "title" ? undefined : value))).not.toContain(
      "secret words",
    );
    expect(new Set((await list()).map(({ team }) => team)).size).toBe(1);
  });

  test("with keys, tasks are listed and shown without unsealing anything; sealed values are left out", async () => {
    const vault = newVault();
    const { ask, list, ...zone } = await start(vault);
    const opened = vi.spyOn(vault, "open");
    const { task } = await leasedTask(zone.store, { params: { channel: "C1", text: "x", user_id: "U1" } });
    await endTask(zone, await leasedTask(zone.store), { state: "error", outcome: agentFailed });
    expect(new Set((await list()).map(({ error }) => error?.kind))).toEqual(new Set(["agent_failed", undefined]));
    const { body } = await ask(`GET /tasks/${task.task_id}`);
    expect(isTaskRecord(body)).toBe(true);
    for (const member of ["channel", "user_id"]) expect(body).not.toHaveProperty(member);
    expect(opened).not.toHaveBeenCalled();
  });

  test("a task of a workflow names its run", async () => {
    const { store, ask, states } = await start();
    const { task } = await leasedTask(store);
    states.mockResolvedValue({} as never);
    expect((await ask(`GET /tasks/${task.task_id}`)).body).toMatchObject({ run_id: task.task_id });
    expect(states).toHaveBeenCalledWith(task.task_id);
  });
});
