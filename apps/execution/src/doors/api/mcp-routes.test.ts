// suite: both
import { startAdminApi } from "@crosszone/admin-api/testing";
import { fingerprintOf, type McpDefinition, type McpList } from "@crosszone/assistant";
import { isMcpServer, isMcpServerList, type McpServerList } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createMcpApi } from "./mcp-routes.ts";
import { createSqlMcpPins } from "../../agents/assistant/mcp-pins.ts";

const tool = (name: string, description = ""): McpDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
  annotations: {},
});

onBothEngines("the pins of MCP servers", (newDatabase) => {
  async function open(url: string) {
    const database = await openExecutionDatabase({ url });
    onTestFinished(() => database.close());
    const pins = createSqlMcpPins(database);
    const observe = async (list: McpList) => Object.fromEntries(await pins.observe("wiki", list));
    const states = (...tools: McpDefinition[]) => observe({ tools, leftOut: [] });
    return { database, pins, states, observe };
  }

  test("G4: the first tool list of a server is pinned; changed or new tools are not, even after a restart", async () => {
    const url = await newDatabase();
    const { states } = await open(url);
    expect(await states(tool("find"), tool("get"))).toEqual({ find: "pinned", get: "pinned" });
    const later = await open(url);
    const now = [tool("find", "Other."), tool("get"), tool("pay")];
    expect(await later.states(...now)).toEqual({ find: "changed", get: "pinned", pay: "new" });
    expect(await later.states(...now)).toEqual({ find: "changed", get: "pinned", pay: "new" });
    expect(await later.states(tool("find"))).toEqual({ find: "pinned" });
    expect((await later.pins.all()).get("wiki")?.tools).toMatchObject([
      { name: "find", state: "pinned" },
      { name: "get", state: "gone" },
      { name: "pay", state: "gone" },
    ]);
  });

  test("G4: when a server returns different tools to each process, one definition is pinned, and only that is offered", async () => {
    const url = await newDatabase();
    const zones = await Promise.all([0, 1, 2, 3].map(() => open(url)));
    const round = () =>
      Promise.all(zones.map(async ({ states }, index) => (await states(tool("find", String(index))))["find"]));
    const [first, ...later] = [await round(), await round(), await round(), await round(), await round()];
    expect(first?.filter((state) => state === "pinned")).toHaveLength(1);
    for (const found of later) expect(found).toEqual(first);
  });

  test("J32: tools with any name are pinned, and those that can't be offered are listed beside them as last seen", async () => {
    const { pins, observe } = await open(await newDatabase());
    const tools = [tool("find: Bücher"), tool("look")];
    const odd = { name: "odd", because: "it has no name" };
    const states = { "find: Bücher": "pinned", look: "pinned" };
    expect(await observe({ tools, leftOut: [odd, odd] })).toEqual(states);
    const { ask } = await startAdminApi({ parts: [createMcpApi(pins, [], () => undefined)] });
    const listed = async () => {
      const { body } = await ask("GET /mcp-servers");
      expect(isMcpServerList(body)).toBe(true);
      return (body as unknown as McpServerList).servers[0];
    };
    expect(await listed()).toMatchObject({
      name: "wiki",
      left_out: [odd],
      tools: [{ name: "find: Bücher" }, { name: "look" }],
    });
    const print = fingerprintOf(tool("find: Bücher"));
    expect(await ask("POST /mcp-servers/wiki/approve", { tools: { "find: Bücher": print } })).toMatchObject({
      status: 200,
    });
    expect(await observe({ tools, leftOut: [{ ...odd, because: "it changed" }] })).toEqual(states);
    expect(await listed()).toMatchObject({ left_out: [{ ...odd, because: "it changed" }] });
    expect(await observe({ tools, leftOut: [] })).toEqual(states);
    expect(await listed()).not.toHaveProperty("left_out");
  });

  test("an unchanged list writes nothing", async () => {
    const { database, states } = await open(await newDatabase());
    await states(tool("find"));
    await database.db.updateTable("mcp_tool").set({ approved_by: "mark", seen: "{}" }).execute();
    await states(tool("find"));
    expect(await database.db.selectFrom("mcp_tool").select("seen").execute()).toEqual([{ seen: "{}" }]);
  });

  test("G4: an admin sees the changes, and approves all of what was shown or nothing", async () => {
    const { pins, states } = await open(await newDatabase());
    const approved: unknown[] = [];
    const part = createMcpApi(
      pins,
      [
        { name: "search", url: "https://search.example.com/mcp?key=planted", read_only: false },
        { name: "wiki", url: "http://127.0.0.1:9/mcp", read_only: true },
      ],
      (_event, ...[fields]) => {
        const { server, tools } = fields as { server?: string; tools?: unknown };
        approved.push([server, tools]);
      },
    );
    const { ask } = await startAdminApi({ parts: [part] });
    const list = async (): Promise<McpServerList> => {
      const { body } = await ask("GET /mcp-servers");
      expect(isMcpServerList(body)).toBe(true);
      expect(JSON.stringify(body)).not.toContain("planted");
      return body as unknown as McpServerList;
    };
    await states(tool("find"));
    const listed = [tool("find", "Other."), tool("pay")];
    await states(...listed);
    expect(await list()).toMatchObject({
      servers: [
        { name: "search", origin: "https://search.example.com", tools: [] },
        {
          name: "wiki",
          read_only: true,
          tools: [
            { state: "changed", definition: { description: "Other." }, pinned_definition: { description: "" } },
            { state: "new", fingerprint: fingerprintOf(tool("pay")) },
          ],
        },
      ],
    });
    const approve = (tools: unknown, server = "wiki") => ask(`POST /mcp-servers/${server}/approve`, { tools });
    const [find] = listed.map(fingerprintOf);
    expect(await approve({ find, pay: fingerprintOf(tool("pay", "Planted.")) })).toMatchObject({ status: 409 });
    expect(await states(...listed)).toEqual({ find: "changed", pay: "new" });
    const { status, body } = await approve({ find });
    expect([status, isMcpServer(body)]).toEqual([200, true]);
    expect(await states(...listed)).toEqual({ find: "pinned", pay: "new" });
    expect(approved).toEqual([["wiki", ["find"]]]);
    expect(body).toMatchObject({ tools: [{ approved_by: expect.stringMatching(/./) as string }, {}] });
    expect(await approve({ find }, "other")).toMatchObject({ status: 404 });
    expect(await approve({})).toMatchObject({ status: 422, body: { problems: [{ pointer: "/tools" }] } });
  });
});
