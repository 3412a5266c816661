import { vi } from "vitest";

/** Default timeout of `vi.waitFor`, milliseconds. Vitest's second is too short for a busy machine. */
const waitMs = 15_000;

const { waitFor } = vi;
const patient: typeof waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: waitMs, ...options });

// The files of one worker share `vi`.
if (waitFor.name !== patient.name) vi.waitFor = patient;
