import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import { journal } from "./play-scenario.ts";

/** Listens on a free port of loopback, prints the URL as a line of JSON, and serves what the agent was asked at `/journal`. */
export function serveAgent(routes: (app: Express, url: string) => void): void {
  const app = express();
  const server = app.listen(0, "127.0.0.1", () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.use(express.json({ limit: "10mb" }));
    app.get("/journal", (_request, response) => void response.json(journal));
    routes(app, url);
    console.log(JSON.stringify({ url }));
  });
}
