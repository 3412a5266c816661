import { vi } from "vitest";

/** Default timeout of `vi.waitFor`, milliseconds. Vitest's second is too short for a busy machine. */
const waitMs = 15_000;

const { waitFor } = vi;
const patient: typeof waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: waitMs, ...options });

/** Makes every run of the properties choose the same values. Without it, each run chooses others, and a failure prints its seed. */
const { TEST_SEED: seed } = process.env;
if (seed !== undefined) (await import("fast-check")).configureGlobal({ seed: Number(seed) });

// The files of one worker share `vi`.
if (waitFor.name !== patient.name) vi.waitFor = patient;
