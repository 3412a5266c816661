import { workerData, type MessagePort } from "node:worker_threads";

/** Start settings of a blocking thread. */
export interface BlockingSettings {
  readonly port: MessagePort;
  readonly sent: Int32Array;
}

/** Answers the questions of the waiting thread. A message for which `answer` returns undefined gets no answer. */
export function serveBlocking<Question, Answer>(answer: (question: Question) => Answer | undefined): void {
  const { port, sent } = workerData as BlockingSettings;
  const send = (message: Answer | "started"): void => {
    port.postMessage(message);
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  };
  port.on("message", (question: Question) => {
    const answered = answer(question);
    if (answered !== undefined) send(answered);
  });
  send("started");
}
