import type { MessageBus } from "@crosszone/bus";
import { newExecutor } from "./new-executor.ts";

/**
 * `node executor-program.ts <url> [<step>]`: prints `started`, then advances runs until it is killed. When it sends a task of that step, it
 * kills itself in the middle of the run's turn.
 */
const [url = "", deadly] = process.argv.slice(2);

const dying = ({ outbox, ...bus }: MessageBus): MessageBus => ({
  ...bus,
  outbox: {
    ...outbox,
    add: async (transaction, messages) => {
      if (messages.some(({ value }) => value.task_id.includes(`.${String(deadly)}.`)))
        process.kill(process.pid, "SIGKILL");
      await outbox.add(transaction, messages);
    },
  },
});

const { workflows } = await newExecutor(url, { busOf: dying });
await workflows.start();
process.stdout.write("started\n");
