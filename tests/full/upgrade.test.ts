import { resolve } from "node:path";
import { executionMigrations } from "@crosszone/execution";
import { listTables, openDatabase, type MigrationStep } from "@crosszone/sql";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { verificationMigrations } from "@crosszone/verification";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inBrackets } from "../harness/bracket-workflows.ts";
import {
  type Asked,
  createGate,
  expectAnswers,
  findPreviousBuild,
  type Installation,
  installPreviousBuild,
  type PreviousBuild,
  startInstallation,
  startWork,
  type Zone,
} from "./previous-build.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";

const current = resolve(import.meta.dirname, "../..");
const { name, canGoBack, untested } = findPreviousBuild();
if (untested !== undefined) process.stderr.write(`NOT TESTED: ${untested}\n`);
let previous: PreviousBuild | undefined;

beforeAll(async () => {
  if (name !== undefined) previous = await installPreviousBuild(name);
}, 120_000);
afterAll(() => previous?.remove());

const migrations = { execution: executionMigrations, verification: verificationMigrations };
const zones: readonly Zone[] = ["execution", "verification"];
/** Applies a migration step to a zone's tables, as a newer build does, while the zone runs. */
async function takeStep(installation: Installation, zone: Zone, step: Record<string, MigrationStep>): Promise<void> {
  const url = installation.databaseUrl(zone);
  const options = { url, schema: zone, migrations: { ...migrations[zone], ...step } };
  await (await openDatabase(options)).close();
}

const down = async (): Promise<void> => undefined;
/** Everything that a newer build may add: a column in every table, and a table. */
const widen: MigrationStep = {
  up: async (db, engine) => {
    for (const table of await listTables({ db, engine } as never))
      await db.schema.alterTable(table).addColumn("added_later", "text").execute();
    await db.schema.createTable("made_later").addColumn("id", "text").execute();
  },
  down,
};

vi.setConfig({ testTimeout: 300_000 });

onBothEngines("upgrades", (newDatabase, engine) => {
  const prepare = async () => {
    const gate = createGate();
    const agent = await startHttpAgent(async (text, method) => {
      await gate.pass();
      return inBrackets(text, method);
    });
    return { gate, agent, installation: await startInstallation(agent, { newDatabase, engine }) };
  };

  test.skipIf(name === undefined)(
    `from ${name} to this build and back, zone by zone: nothing under way is lost, and all is answered once`,
    async () => {
      const { gate, agent, installation } = await prepare();
      const older = previous?.dir ?? "";
      await Promise.all(zones.map((zone) => installation.use(zone, older)));
      const there = zones.map((zone) => [zone, current] as const);
      const back = canGoBack ? zones.toReversed().map((zone) => [zone, older] as const) : [];
      const moves = [...there, ...back];
      const all: Asked[] = [];
      for (const [index, [zone, build]] of moves.entries()) {
        gate.hold();
        const asked = await startWork(installation, agent, `move${index}`);
        await installation.use(zone, build);
        gate.release();
        await expectAnswers(installation, asked);
        all.push(...asked);
      }
      await expectAnswers(installation, all);
      const ids = agent.requests.filter(({ text }) => text.includes("-run")).map(({ id }) => id);
      expect(new Set(ids).size).toBe(5 * moves.length);
    },
  );

  test("tables can be extended while work is in progress: the zones continue, even after a restart", async () => {
    const { gate, agent, installation } = await prepare();
    await Promise.all(zones.map((zone) => installation.use(zone, current)));
    gate.hold();
    const asked = await startWork(installation, agent, "before");
    for (const zone of zones) await takeStep(installation, zone, { "9998_add_everywhere": widen });
    gate.release();
    await expectAnswers(installation, asked);
    gate.hold();
    const again = await startWork(installation, agent, "after");
    for (const zone of zones) await installation.use(zone, current);
    gate.release();
    await expectAnswers(installation, again);
    expect(new Set([...asked, ...again].map(({ root }) => root.ts)).size).toBe(6);
  });
});

test("a zone does not start on tables that a newer build changed in another way", async () => {
  const agent = await startHttpAgent(inBrackets);
  const installation = await startInstallation(agent, { newDatabase: newSqliteDatabase, engine: "sqlite" });
  const starts = zones.map(async (zone) => {
    await takeStep(installation, zone, { "9999_drop_something": { up: async () => undefined, down } });
    await expect(installation.use(zone, current)).rejects.toThrow(/ended with 1 before it listened/);
  });
  await Promise.all(starts);
});
