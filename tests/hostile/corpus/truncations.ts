import type { HostileBody } from "../hostile-body.ts";

const request = Buffer.from(
  JSON.stringify({
    jsonrpc: "2.0",
    method: "execute_task",
    params: {
      channel: "C024BE91L",
      text: 'Grüße, 世界 🌍: what is 2+2? "quoted" \\ and \u0001',
      bot_token: "handle-of-a-hostile-test",
      thread_ts: "1731900000.000100",
      attachments: [{ id: "F1", name: "a.txt", mime_type: "text/plain", size: 12.0 }],
      thread: [{ text: "earlier", user: "U1", ts: "1731899999.000100", bot: false }],
    },
    id: "0d5b7c9e-2f41-4a63-9c85-e7a0b1d2f364",
  }),
);

/** A good request without its end, its start, or one byte, at each of its bytes. */
export const truncations: readonly HostileBody[] = Array.from(request, (_, at) => [
  { name: `cut off after byte ${at}`, bytes: request.subarray(0, at) },
  { name: `begins at byte ${at + 1}`, bytes: request.subarray(at + 1) },
  { name: `without byte ${at}`, bytes: Buffer.concat([request.subarray(0, at), request.subarray(at + 1)]) },
  { name: `byte ${at} twice`, bytes: Buffer.concat([request.subarray(0, at + 1), request.subarray(at)]) },
]).flat();
