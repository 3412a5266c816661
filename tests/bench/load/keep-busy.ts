import type { Socket } from "node:net";
import { readHttpAnswer, type HttpAnswer, type RequestTemplate } from "./http-exchange.ts";

/** Gets each answer, the id that its request had, and how long it took, milliseconds. Says whether to send another one. */
export type OnAnswer = (answer: HttpAnswer, id: string, ms: number) => boolean;

/** Sends one request at a time, the next as soon as the answer to the last was looked at. */
export async function keepBusy(socket: Socket, template: RequestTemplate, onAnswer: OnAnswer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const message = Buffer.from(template.bytes);
  let id = "";
  let sentAt = 0;
  let received = "";

  const send = (): void => {
    id = nextId();
    message.write(id, template.idAt, "latin1");
    received = "";
    sentAt = performance.now();
    socket.write(message);
  };
  const receive = (chunk: Buffer): void => {
    received += chunk.toString("latin1");
    try {
      const answer = readHttpAnswer(received);
      if (answer === undefined) return;
      if (onAnswer(answer, id, performance.now() - sentAt)) send();
      else resolve();
    } catch (error) {
      reject(error);
    }
  };
  const closed = (): void => reject(new Error("the server closed a connection"));

  socket.on("data", receive).once("close", closed).once("error", reject);
  send();
  await promise.finally(() => socket.off("data", receive).off("close", closed).off("error", reject));
}

let sent = 0;

/** A UUID that this process has not sent yet. */
function nextId(): string {
  return `5b0e2a9c-0000-4000-8000-${(sent++).toString(16).padStart(12, "0")}`;
}
