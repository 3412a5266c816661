import { startDevAgents } from "./start-dev-agents.ts";

const port = Number(process.env["DEV_AGENTS_PORT"] ?? 3200);
try {
  const agents = await startDevAgents({ port });
  console.log(`The sample agents are at ${agents.url}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void agents.close().then(() => process.exit(0)));
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const inUse = `Port ${port} is in use; set DEV_AGENTS_PORT to another one for the sample agents.`;
  console.error(code === "EADDRINUSE" ? inUse : `The sample agents cannot start: ${message}`);
  process.exitCode = 1;
}
