import { newExecutor } from "./new-executor.ts";

/** `node executor-program.ts <url>`: brings runs forward, and says so in a line, until it is killed. */
const [url = ""] = process.argv.slice(2);
const { workflows } = await newExecutor(url);
await workflows.start();
process.stdout.write("started\n");
