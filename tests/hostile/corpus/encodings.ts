import { requestText, type HostileBody } from "../hostile-body.ts";

const request = requestText({});
const bytes = Buffer.from(request);
const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

function utf32(text: string, bigEndian: boolean): Buffer {
  const points = Array.from(text);
  const out = Buffer.alloc(points.length * 4);
  points.forEach((point, index) => {
    const code = point.codePointAt(0) ?? 0;
    if (bigEndian) out.writeUInt32BE(code, index * 4);
    else out.writeUInt32LE(code, index * 4);
  });
  return out;
}

const whole: Record<string, Buffer> = {
  "UTF-8 with a byte order mark": Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]),
  "two byte order marks": Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), bytes]),
  "a byte order mark at the end": Buffer.concat([bytes, Buffer.of(0xef, 0xbb, 0xbf)]),
  "half a byte order mark": Buffer.concat([Buffer.of(0xef, 0xbb), bytes]),
  "only a byte order mark": Buffer.of(0xef, 0xbb, 0xbf),
  "UTF-16LE": Buffer.from(request, "utf16le"),
  "UTF-16LE with a mark": Buffer.from(`\ufeff${request}`, "utf16le"),
  "UTF-16BE": swapped(request),
  "UTF-16BE with a mark": swapped(`\ufeff${request}`),
  "UTF-32LE": utf32(request, false),
  "UTF-32LE with a mark": utf32(`\ufeff${request}`, false),
  "UTF-32BE with a mark": utf32(`\ufeff${request}`, true),
  "UTF-7": Buffer.from("+AHsAfQ-"),
  latin1: Buffer.from(requestText({ id: '"é"' }), "latin1"),
  "gzip that nobody announced": Buffer.from(
    "1f8b0800000000000003ab56ca2acecf2bca4956b25232d2335052d2514a2e4a55b252ca2c4e51d251ca4d2dc9c8076a00",
    "hex",
  ),
  "every byte": Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  NULs: Buffer.alloc(1_000),
};

/** Bytes that are invalid in UTF-8. https://www.rfc-editor.org/rfc/rfc3629#section-3 */
const sequences: Record<string, number[]> = {
  "a lone continuation": [0x80],
  "the last continuation": [0xbf],
  "two continuations": [0x80, 0xbf],
  "0xfe": [0xfe],
  "0xff": [0xff],
  "0xc0": [0xc0],
  "0xc1": [0xc1],
  "0xf5": [0xf5],
  "0xf8 and four": [0xf8, 0x88, 0x80, 0x80, 0x80],
  "0xfc and five": [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  "an overlong slash": [0xc0, 0xaf],
  "an overlong slash of three": [0xe0, 0x80, 0xaf],
  "an overlong slash of four": [0xf0, 0x80, 0x80, 0xaf],
  "an overlong NUL": [0xc0, 0x80],
  "an overlong quote": [0xc0, 0xa2],
  "the greatest overlong of three": [0xe0, 0x9f, 0xbf],
  "the greatest overlong of four": [0xf0, 0x8f, 0xbf, 0xbf],
  "a high surrogate": [0xed, 0xa0, 0x80],
  "a low surrogate": [0xed, 0xbf, 0xbf],
  "a pair of surrogates": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  "above U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
  "two of two cut": [0xc3],
  "three cut after one": [0xe2],
  "three cut after two": [0xe2, 0x82],
  "four cut after one": [0xf0],
  "four cut after two": [0xf0, 0x9f],
  "four cut after three": [0xf0, 0x9f, 0x98],
  "a cut one and a good one": [0xc3, 0xc3, 0xa9],
  "a good one": [0xc3, 0xa9],
  "the last code point": [0xf4, 0x8f, 0xbf, 0xbf],
  "a noncharacter": [0xef, 0xbf, 0xbf],
};

function around(name: string, sequence: readonly number[]): HostileBody[] {
  const places: Record<string, [before: string, after: string]> = {
    "in a string": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"x":"', '"}'],
    "in a name": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"', '":1}'],
    "in the id": ['{"jsonrpc":"2.0","method":"list_agents","id":"', '"}'],
    "before a request": ["", request],
    "behind a request": [request, ""],
    "before a quote": ['{"jsonrpc":"2.0","id":1,"method":"list_agents', '"}'],
    alone: ["", ""],
  };
  return Object.entries(places).map(([place, [before, after]]) => ({
    name: `${name} ${place}`,
    bytes: Buffer.concat([Buffer.from(before), Buffer.from(sequence), Buffer.from(after)]),
  }));
}

/** Byte order marks, other encodings, and every kind of invalid UTF-8. */
export const encodings: readonly HostileBody[] = [
  ...Object.entries(whole).map(([name, buffer]) => ({ name, bytes: buffer })),
  ...Object.entries(sequences).flatMap(([name, sequence]) => around(name, sequence)),
];
