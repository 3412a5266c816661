/** `./crosszone deploy:agentcore`: makes an image of execution live on AgentCore, or goes back to the one before. The stacks are in deploy/aws. */
import { setTimeout as sleep } from "node:timers/promises";
import { runDeploy } from "./deploy/run-deploy.ts";

process.exitCode = await runDeploy({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  clock: { now: Date.now, sleep: (ms) => sleep(ms) },
});
