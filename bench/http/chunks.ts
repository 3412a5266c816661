import { fixed, tableSection } from "../kit/markdown.ts";
import { mediansOf } from "../kit/statistics.ts";
import { type Bench, type ServerSample, withServer } from "./measure.ts";
import { chunk, inChunks } from "./messages.ts";
import { servers, type ServerName } from "./servers.ts";

/** The servers that stream one artifact in chunks, and keep it. */
const titles = {
  "a2a-postgres": "@a2a-js/sdk 1.3, tasks in its own store on PostgreSQL",
  "ask-postgres": "**A2A server**, tasks on PostgreSQL",
} as const satisfies Partial<Record<ServerName, string>>;
type ChunkServer = keyof typeof titles;
export const chunkServers = Object.keys(titles) as ChunkServer[];

/** The time from a question until the end of its stream. */
export interface ChunksSample extends Pick<ServerSample, "server" | "round"> {
  readonly chunks: number;
  readonly ms: number;
}

/** Streams one answer of each size, after a small one. Throws when an answer lacks text. */
export function measureChunks(
  server: ServerName,
  { round, sizes }: { readonly round: number; readonly sizes: readonly number[] },
  { databases }: Pick<Bench, "databases">,
): Promise<ChunksSample[]> {
  return withServer(server, databases, async (worker) => {
    const url = await worker.call<string>("listen");
    const { headers } = servers[server];
    await streamAnswer(url, headers, 10);
    const samples: ChunksSample[] = [];
    for (const chunks of sizes) {
      const began = performance.now();
      await streamAnswer(url, headers, chunks);
      samples.push({ server, round, chunks, ms: performance.now() - began });
    }
    return samples;
  });
}

interface Update {
  readonly artifactUpdate?: { readonly artifact: { readonly parts: readonly { readonly text?: string }[] } };
}

async function streamAnswer(url: string, headers: Readonly<Record<string, string>>, chunks: number): Promise<void> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: inChunks(chunks) }] };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } }),
  });
  const text = await response.text();
  const updates = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as { result?: Update });
  const parts = updates.flatMap(({ result }) => result?.artifactUpdate?.artifact.parts ?? []);
  if (parts.map((part) => part.text ?? "").join("") !== chunk.repeat(chunks))
    throw new Error(
      `${url} streamed ${parts.length} parts of ${chunks} chunks, not the whole text: ${text.slice(0, 300)}`,
    );
}

export function chunksSection(samples: readonly ChunksSample[]): string {
  const sizes = [...new Set(samples.map(({ chunks }) => chunks))];
  const msOf = (server: ServerName, size: number): number =>
    mediansOf(
      samples.filter((sample) => sample.server === server && sample.chunks === size),
      ["ms"],
    ).ms;
  const [least = 1, most = 1] = [sizes[0], sizes.at(-1)];
  return tableSection({
    title: "One artifact in chunks",
    text: `Milliseconds from a question to the end of its stream; each chunk has ${chunk.length} characters. In linear time, ${most / least} times as many chunks take at most ${most / least} times as long.`,
    rows: chunkServers,
    columns: [
      ["server", (server) => titles[server]],
      ...sizes.map((size) => [`${size} chunks`, (server: ChunkServer) => fixed(msOf(server, size), 0)] as const),
      [`${most} of ${least}`, (server) => fixed(msOf(server, most) / msOf(server, least), 1)],
    ],
  });
}
