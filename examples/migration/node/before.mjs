// A simple-a2a agent: it counts the words of a text.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const port = Number(process.env.PORT ?? 8090);

function answer(text) {
  const words = text.match(/\p{L}+/gu);
  if (words === null) throw new Error("This text has no words.");
  return `${words.length} words, ${text.length} characters`;
}

function run({ task_id, input }) {
  try {
    return { task_id, status: "success", output: { text: answer(input.text) }, error: null };
  } catch (error) {
    return { task_id, status: "error", output: null, error: error.message };
  }
}

createServer(async (request, response) => {
  const task = await json(request).catch(() => undefined);
  const result = task?.task_id === undefined ? undefined : JSON.stringify(run(task));
  response.writeHead(result ? 200 : 400, { "content-type": "application/json" }).end(result);
}).listen(port, "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${port}`));
