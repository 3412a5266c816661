import { paramsBodies, requestText, textBodies, type HostileBody } from "../hostile-body.ts";

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));
const escapes = Array.from({ length: 0x60 }, (_, index) => `"\\${String.fromCharCode(0x20 + index)}"`);
const units = [
  "\\ud800",
  "\\udfff",
  "\\ud800\\ud800",
  "\\udc00\\ud800",
  "\\uD83D\\uDE00",
  "\\ud83d",
  "\\ud83dx",
  "\\u0000",
  "\\uffff",
  "\\ufeff",
  "\\u202e",
  "\\u2028",
  "\\u00",
  "\\u",
  "\\u12",
  "\\u123",
  "\\u123g",
  "\\u+123",
  "\\u 123",
  "\\u{41}",
  "\\U0041",
  "\\x41",
  "\\0",
  "\\101",
  "\\N{DASH}",
  "\\\n",
  "\\",
].map((text) => `"${text}"`);
const odd = [
  '"a\tb"',
  '"a\nb"',
  '"a\rb"',
  "'a'",
  '"a',
  'a"',
  '"a""b"',
  '"a" "b"',
  '"\u007f"',
  '"\u0080"',
  '"\u2028"',
  '"\ufffe"',
  '"\u202egnp.exe"',
  `"${"a".repeat(100_000)}"`,
  `"${"\\n".repeat(50_000)}"`,
  `"${"\\u0041".repeat(20_000)}"`,
  `"${"😀".repeat(20_000)}"`,
  `"${"e\u0301".repeat(20_000)}"`,
  '"%s%n%x"',
  '"${7*7}{{7*7}}<%= 7*7 %>"',
  '"\'; DROP TABLE tasks; --"',
  '"<script>alert(1)</script>"',
  '"\\r\\nX-Injected: 1"',
  '"../../etc/passwd"',
  '"<!channel>"',
  '"http://169.254.169.254/"',
  '"$(id)"',
];
const all = [...controls.map((control) => `"a${control}b"`), ...escapes, ...units, ...odd];

/** Every control character, every escape, lone surrogates, and text with a meaning in other languages. */
export const strings: readonly HostileBody[] = [
  ...textBodies("string", all),
  ...paramsBodies("string", all),
  ...textBodies(
    "string as id",
    all.map((id) => requestText({ id })),
  ),
  ...textBodies(
    "string as method",
    all.map((method) => requestText({ method })),
  ),
  ...textBodies(
    "string as a member",
    all.map((name) => requestText({ params: `{${name}:1}` })),
  ),
  ...textBodies(
    "string as text",
    all.map((text, index) =>
      requestText({
        method: '"execute_task"',
        id: `"text-${index}"`,
        params: `{"channel":"C","text":${text},"bot_token":"h"}`,
      }),
    ),
  ),
  ...textBodies(
    "control outside of a string",
    controls.map((control) => `${control}${requestText({})}`),
  ),
  ...textBodies(
    "control inside of an object",
    controls.map((control) => requestText({ id: `${control}1` })),
  ),
];
