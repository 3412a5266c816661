import { hash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { createRandom } from "../harness/random.ts";
import type { CpuMs } from "./costs.ts";

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const before = cpuMs();
let loaded = before;
beforeAll(() => {
  loaded = cpuMs();
});
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook needs
afterAll(({}, { file }) => {
  const ended = cpuMs();
  file.meta.cpuMs = { tests: ended - loaded, all: ended - before } satisfies CpuMs;
});

/** Of Vitest's worker, with `experimental.recordDependencies`: what a test file depends on, and the graph of the modules. */
interface WorkerState {
  readonly filepath: string;
  readonly dependencies?: Set<string>;
  readonly evaluatedModules: {
    readonly getModuleById: (id: string) => { readonly imports: ReadonlySet<string> } | undefined;
  };
}

// This file is evaluated anew for each test file of a worker.
const shared = globalThis as unknown as {
  readonly __vitest_worker__: WorkerState;
  openedBy?: Map<string, Set<string>>;
};
const openedBy = (shared.openedBy ??= new Map());
const { __vitest_worker__: state } = shared;
if (state.dependencies !== undefined) {
  const notes = join(tmpdir(), `crosszone-opened-${randomUUID()}`);
  process.env["OPENED_FILES"] = notes;
  afterAll(() => {
    for (const path of openedFiles(notes)) state.dependencies?.add(path);
  });
}

/** Returns what this file opened, and what its modules did for earlier files of this worker: they may have kept it. */
function openedFiles(notes: string): Set<string> {
  const lines = existsSync(notes) ? readFileSync(notes, "utf8").split("\n").slice(0, -1) : [];
  rmSync(notes, { force: true });
  const opened = new Set<string>();
  for (const line of lines) {
    const [opener = "", path = ""] = line.split("\t");
    opened.add(path);
    openedBy.set(opener, (openedBy.get(opener) ?? new Set()).add(path));
  }
  const seen = new Set([state.filepath]);
  for (const id of seen) {
    for (const path of openedBy.get(id) ?? []) opened.add(path);
    for (const imported of state.evaluatedModules.getModuleById(id)?.imports ?? []) seen.add(imported);
  }
  return opened;
}

/** Default timeout of `vi.waitFor` and `vi.waitUntil`, milliseconds, as of `expect.poll`. A test that passes never waits for it, on any machine. */
const waitMs = 30_000;

const { waitFor, waitUntil } = vi;
const patient = <Options extends { timeout?: number }>(options?: number | Options) =>
  typeof options === "number" ? options : { timeout: waitMs, ...options };
const patientWaitFor: typeof waitFor = (callback, options) => waitFor(callback, patient(options));
const patientWaitUntil: typeof waitUntil = (callback, options) => waitUntil(callback, patient(options));

/** Makes every run choose the same values: of the properties, and by chance in each file. Without it, each run chooses others, and a failed property prints its seed. */
const { TEST_SEED: seed } = process.env;
if (seed !== undefined) {
  (await import("fast-check")).configureGlobal({ seed: Number(seed) });
  const random = createRandom(Number(seed), hash("sha1", basename(state.filepath), "buffer").readUInt32LE());
  Math.random = () => random.int(2 ** 32) / 2 ** 32;
}

// The files of one worker share `vi`.
if (waitFor.name !== patientWaitFor.name) Object.assign(vi, { waitFor: patientWaitFor, waitUntil: patientWaitUntil });
