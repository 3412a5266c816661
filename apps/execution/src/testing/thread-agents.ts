import { parentPort } from "node:worker_threads";
import { ZoneError } from "@crosszone/contracts";
import type { Agent } from "../agents/agent.ts";

/** Creates an agent for tests of threads that does what the text says. `spin` never yields. */
export function createObedientAgent(): Agent {
  return {
    name: "obedient",
    description: "Does what a test says.",
    skills: [],
    run: async ({ text, attachments }, { signal, now, readFile }) => {
      const [word, argument = ""] = text.split(" ");
      if (word === "spin") {
        const until = performance.now() + Number(argument);
        while (performance.now() < until);
        return { response_text: "spun" };
      }
      if (word === "wait") {
        await new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          if (argument !== "") setTimeout(resolve, Number(argument));
        });
        return { response_text: "waited" };
      }
      if (word === "deaf") await new Promise(() => {});
      if (word === "fail")
        throw new ZoneError("agent_unavailable", { agent: "obedient" }, { cause: new Error("inner") });
      if (word === "break") throw new TypeError("broken");
      if (word === "exit") process.exit(3);
      // Like a library that uses this thread's port itself.
      if (word === "babble") {
        parentPort?.postMessage(JSON.parse(argument));
        await new Promise(() => {});
      }
      if (word === "time") return { response_text: now().toISOString() };
      if (word === "odd") return { response_text: "odd", member: () => 1 };
      if (word === "read") {
        const bytes = await readFile(argument);
        return { response_text: `${bytes.byteLength} ${bytes[0]} ${bytes.at(-1)}` };
      }
      return { response_text: text, attachments: attachments.length };
    },
  };
}
