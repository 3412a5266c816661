#!/usr/bin/env node
// Old syntax on purpose: an older Node must get as far as the sentence.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 26 || (major === 26 && minor >= 1)) {
  void import("../dist/main.js");
} else {
  process.stderr.write(
    `crosszone-local needs Node.js 26.1 or later, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
