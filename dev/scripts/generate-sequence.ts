/** Draws docs/images/one-message.svg, the sequence of one message. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

const people = ["Slack", "Verification", "Database", "Execution", "Agent"] as const;
type Person = (typeof people)[number];
interface Step {
  readonly from: Person;
  readonly to: Person;
  readonly text: string;
  /** An answer to an earlier step: a dashed line. */
  readonly reply?: boolean;
}

const step = (from: Person, to: Person, text: string): Step => ({ from, to, text });
const reply = (from: Person, to: Person, text: string): Step => ({ from, to, text, reply: true });

const steps: readonly (Step | string)[] = [
  "1 · Accept the message",
  step("Slack", "Verification", "signed event"),
  step("Verification", "Verification", "check size, age, signature, app"),
  step("Verification", "Database", "store the question, once"),
  reply("Verification", "Slack", "200 OK"),
  "2 · Decide and start",
  step("Verification", "Database", "lease the question"),
  step("Verification", "Verification", "policy: who, where, how often"),
  step("Verification", "Slack", "placeholder in the thread, after 300 ms"),
  "3 · Cross the wall",
  step("Verification", "Execution", "execute_task, with a handle in place of the Slack token"),
  reply("Execution", "Verification", "accepted, task_id"),
  step("Execution", "Agent", "the question"),
  step("Agent", "Execution", "reads a file of the question"),
  step("Execution", "Verification", "GET /files/<id>, with the handle"),
  step("Verification", "Slack", "download, with the token"),
  reply("Verification", "Execution", "the file, checked"),
  reply("Agent", "Execution", "the answer"),
  "4 · Answer",
  step("Verification", "Execution", "get_async_task_result, waits for news"),
  reply("Execution", "Verification", "progress, text, result"),
  step("Verification", "Slack", "placeholder becomes answer, or the answer is posted"),
  step("Verification", "Database", "delete the question"),
];

const left = 90;
const between = 235;
const height = 36;
const top = 92;
const x = (person: Person): number => left + people.indexOf(person) * between;
const width = left * 2 + (people.length - 1) * between;
const bottom = top + steps.length * height;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function drawn(item: Step | string, index: number): string {
  const y = top + index * height + 20;
  if (typeof item === "string")
    return `<rect class="part" x="12" y="${y - 16}" width="${width - 24}" height="24" rx="5"/><text class="head" x="24" y="${y + 1}">${item}</text>`;
  const [from, to] = [x(item.from), x(item.to)];
  if (from === to)
    return `<path class="line" d="M${from} ${y - 12} h26 v16 h-22"/><text class="label" x="${from + 34}" y="${y}">${escaped(item.text)}</text>`;
  const end = to > from ? to - 2 : to + 2;
  return `<path class="line${item.reply ? " reply" : ""}" d="M${from} ${y + 4} H${end}"/><text class="label on" x="${(from + to) / 2}" y="${y - 4}" text-anchor="middle">${escaped(item.text)}</text>`;
}

const lifelines = people.map(
  (name) =>
    `<path class="life" d="M${x(name)} 66 V${bottom + 8}"/><rect class="box" x="${x(name) - 66}" y="24" width="132" height="42" rx="8"/><text class="name" x="${x(name)}" y="50" text-anchor="middle">${name}</text>`,
);
const wall = (x("Database") + x("Execution")) / 2;

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 26}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" role="img" aria-labelledby="t d">
<!-- Drawn by dev/scripts/generate-sequence.ts. Do not edit; run pnpm generate. -->
<title id="t">The sequence of one message</title>
<desc id="d">${steps.map((item) => (typeof item === "string" ? `${item}.` : `${item.from} to ${item.to}: ${escaped(item.text)}.`)).join(" ")}</desc>
<style>
.bg{fill:#fff}.box{fill:#f6f8fa;stroke:#57606a;stroke-width:1.2}.name{font-size:16px;font-weight:650;fill:#1f2328}
.life{stroke:#d0d7de;stroke-width:1.4}.part{fill:#ddf4ff}.head{font-size:13.5px;font-weight:650;fill:#0550ae}
.label{font-size:13px;fill:#1f2328}.on{paint-order:stroke;stroke:#fff;stroke-width:4px}
.line{stroke:#1f2328;stroke-width:1.5;fill:none;marker-end:url(#tip)}.reply{stroke-dasharray:5 4}
.wall{stroke:#bc4c00;stroke-width:5;stroke-linecap:round}.walltext{font-size:12.5px;font-weight:650;fill:#bc4c00}
</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#1f2328"/></marker></defs>
<rect class="bg" width="${width}" height="${bottom + 26}"/>
<path class="wall" d="M${wall} 70 V${bottom + 8}"/><text class="walltext" x="${wall}" y="20" text-anchor="middle">the wall</text>
${lifelines.join("\n")}
${steps.map(drawn).join("\n")}
</svg>
`;

writeFileSync(resolve(import.meta.dirname, "../../docs/images/one-message.svg"), svg);
