import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DevSlack, startDevSlack } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";
import { serveAgents, writeAgentFiles } from "./agents.ts";
import { type ChaosEngine, type EngineName, startEngine } from "./engine.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { executionSettings, verificationSettings } from "./settings.ts";

/** Everything that runs: the local Slack, the agents and the wires in this process, which nobody kills; the zones and the database in their own. */
export interface ChaosSystem {
  readonly slack: DevSlack;
  readonly engine: ChaosEngine;
  readonly verification: Fleet;
  readonly execution: Fleet;
  /** From Slack, and for files, to verification; and from verification to execution. */
  readonly wires: { readonly front: Gateway; readonly link: Gateway };
  /** How long the zones took to start side by side, milliseconds. */
  readonly startedInMs: number;
  readonly stop: () => Promise<void>;
}

/** Slack tries four times within six minutes. Here it tries for six minutes too, and much more often, as outages are that much shorter. */
const retryScheduleMs = [250, 500, 1_000, ...Array.from({ length: 230 }, () => 1_500)];

export async function startSystem(engineName: EngineName, journal: Journal): Promise<ChaosSystem> {
  const slack = await startDevSlack({
    retryScheduleMs,
    // Slack lets an app change 50 messages a minute, and start 20 streams; three hundred answers in two minutes are more. The rule of each
    // channel stays.
    rateLimits: {
      tier_2: { burst: 100_000, per_minute: 6_000_000 },
      tier_3: { burst: 100_000, per_minute: 6_000_000 },
      tier_4: { burst: 100_000, per_minute: 6_000_000 },
    },
  });
  const engine = await startEngine(engineName, journal);
  const front = await openGateway(() => verification.port());
  const link = await openGateway(() => execution.port());
  const agents = await serveAgents();
  const folder = mkdtempSync(join(tmpdir(), "crosszone-chaos-agents-"));
  const token = randomBytes(32).toString("hex");
  const url = (wire: Gateway): string => `http://127.0.0.1:${wire.port}`;
  const execution = createFleet("execution", {
    journal,
    env: {
      ...executionSettings,
      ...engine.env,
      ...writeAgentFiles(folder, agents.url),
      EXECUTION_TOKEN: token,
      VERIFICATION_URL: url(front),
      // A task that reads files goes on in another process only where its handle may be stored, which is sealed.
      DATA_KEYS: `chaos:${randomBytes(32).toString("base64")}`,
    },
  });
  const verification = createFleet("verification", {
    journal,
    env: {
      ...verificationSettings,
      ...engine.env,
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_APP_ID: slack.workspace.app.app_id,
      EXECUTION_URL: `${url(link)}/rpc`,
      EXECUTION_TOKEN: token,
    },
  });
  const beganAt = performance.now();
  await Promise.all([execution.start(), verification.start()]);
  const startedInMs = performance.now() - beganAt;
  slack.setEventsUrl(`${url(front)}/slack/events`);
  return {
    slack,
    engine,
    verification,
    execution,
    wires: { front, link },
    startedInMs,
    stop: async () => {
      await slack.close();
      await Promise.all([verification.stop(), execution.stop()]);
      await agents.close();
      rmSync(folder, { recursive: true, force: true });
      front.close();
      link.close();
      await engine.stop();
    },
  };
}
