import type { ConformanceReport } from "@crosszone/contracts";
import { protocolNames, resultWords } from "./protocol-names.ts";
import { attribute, xml } from "../output/xml.ts";

const height = 20;

/** Green with white text, amber with black text, red with white text: each at least 4.5 to 1. */
const colours = { good: ["#1a7f37", "#fff"], warned: ["#d4a72c", "#000"], bad: ["#b62324", "#fff"] } as const;

/** Width of a text in 11 px Verdana, about. */
const widthOf = (text: string): number => Math.round(text.length * 6.8) + 12;

/** Returns a picture (SVG) of the result for a README: the protocols and `compliant` or how many checks failed. */
export function badge(report: ConformanceReport): string {
  const [label, words] = [protocolNames(report), resultWords(report)];
  const [left, right] = [widthOf(label), widthOf(words)];
  const [fill, ink] = colours[!report.compliant ? "bad" : report.summary.warned > 0 ? "warned" : "good"];
  const text = (at: number, colour: string, what: string): string =>
    `<text x="${at}" y="14" fill="${colour}" text-anchor="middle">${xml(what)}</text>`;
  const whole = `${label}: ${words}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${attribute(whole)}">
  <title>${xml(whole)}</title>
  <rect width="${left}" height="${height}" fill="#444"/>
  <rect x="${left}" width="${right}" height="${height}" fill="${fill}"/>
  <g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    ${text(left / 2, "#fff", label)}
    ${text(left + right / 2, ink, words)}
  </g>
</svg>
`;
}
