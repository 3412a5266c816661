import { vi } from "vitest";

/** How long `vi.waitFor` waits, milliseconds, unless a test says otherwise. Vitest's second is too short for a loaded machine. */
const waitMs = 15_000;

const { waitFor } = vi;
const patient: typeof waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: waitMs, ...options });

// Files of one worker share `vi`.
if (waitFor.name !== patient.name) vi.waitFor = patient;
