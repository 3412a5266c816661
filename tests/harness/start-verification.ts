import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient, type Transport } from "@crosszone/jsonrpc";
import { close, createHttpServer, createLogger, createMetrics, httpLimits, listen } from "@crosszone/service-kit";
import { tunedConstants } from "@crosszone/testkit/tune";
import { startTracing } from "@crosszone/service-kit/tracing";
import { verificationEvents } from "@crosszone/telemetry";
import {
  createDeps,
  createVerificationApp,
  loadVerificationConfig,
  type VerificationDeps,
} from "@crosszone/verification";
import type { LogLine } from "./start-process.ts";

export interface Verification {
  url: string;
  stop(): Promise<void>;
}

export interface VerificationOptions {
  /** Environment variables of the zone. */
  env: Record<string, string>;
  /** Replaces the HTTPS transport of the environment. */
  transport?: Transport;
  /** Replaces dependencies of the zone. */
  override?: (deps: VerificationDeps) => Partial<VerificationDeps>;
  log: LogLine[];
  /** Default: a free port. */
  port?: number;
}

/** Starts the verification zone, as its process does, on an HTTP server on loopback. */
export async function startVerification({
  env,
  transport,
  override,
  log,
  port = 0,
}: VerificationOptions): Promise<Verification> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-verification-"));
  const { values, files } = loadVerificationConfig({ DATA_DIR: folder, ...env });
  const config = { ...values, ...tunedConstants(env) };
  const logger = createLogger({
    zone: "verification",
    level: "debug",
    events: verificationEvents,
    destination: { write: (line) => void log.push(JSON.parse(line) as LogLine) },
  });
  const build = { zone: "verification", version: "0.0.0" };
  const { tracer, stop } = await startTracing({ ...build, config, logger });
  const made = await createDeps(config, { logger, metrics: createMetrics(build), tracer, secretFiles: files });
  const zone = transport && createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 5_000 });
  const app = createVerificationApp({ ...made.deps, ...(zone && { zone }), ...override?.(made.deps) });
  const server = createHttpServer(app.listener, { ...httpLimits(config), onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port });
  await app.start();
  return {
    url,
    stop: async () => {
      await close(server, { deadlineMs: 500 });
      await app.stop(0);
      await made.transport.close();
      made.deps.policy.close();
      await made.deps.audit.close();
      await made.database.close();
      await rm(folder, { recursive: true, force: true });
      await stop();
    },
  };
}
