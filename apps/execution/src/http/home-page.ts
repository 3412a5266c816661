import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "@crosszone/service-kit";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crosszone execution zone</title>
</head>
<body>
<main>
<h1>Crosszone execution zone</h1>
<ul>
<li><a href="/runs">Workflow runs</a></li>
<li><a href="/readyz">Readiness</a></li>
<li><a href="/metrics">Metrics</a></li>
</ul>
<p>The API is below <code>/api/v1</code> and needs an admin token. To connect an agent, see <code>docs/agents.md</code>.</p>
</main>
</body>
</html>
`;

/** Answers a browser that opens the zone's address with links. Passes other clients on, to the 404 answer. */
export function homePage(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const types = request.headers.accept?.split(",").map((type) => type.split(";", 1)[0]?.trim()) ?? [];
  if (!types.includes("text/html")) next();
  else answer(response, 200, { contentType: "text/html; charset=utf-8", body: page });
}
