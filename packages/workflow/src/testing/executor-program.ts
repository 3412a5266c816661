import { newExecutor } from "./new-executor.ts";
import { startFakeAgents } from "./fake-agents.ts";

/**
 * `node executor-program.ts <url> [<step>] [agents]`: prints `started`, then advances runs until it is killed. When it makes a
 * call for that step, it kills itself in the middle of the run's turn. With `agents`, it also runs calls, and prints each task.
 */
const [url = "", deadly, agents] = process.argv.slice(2);

const executor = await newExecutor(url, {
  intakeOf: (intake) => ({
    ...intake,
    enter: async (call) => {
      if (deadly && call.task.task_id.includes(`.${deadly}.`)) process.kill(process.pid, "SIGKILL");
      return intake.enter(call);
    },
  }),
});
if (agents !== undefined)
  await startFakeAgents(executor, ({ task_id, input_data }) => {
    process.stdout.write(`called ${task_id}\n`);
    return input_data;
  });
executor.workflows.start();
process.stdout.write("started\n");
