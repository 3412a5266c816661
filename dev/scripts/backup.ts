/** `./crosszone backup create FOLDER` and `./crosszone backup restore FOLDER`: the data commands of that name. */
process.argv.splice(2, 0, "backup");
await import("./data.ts");
