// Prints "<fixture> valid" or "<fixture> invalid" for each line of stdin: fixture, tab, $id or $ref of its schema.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func read(path string) any {
	text, err := os.ReadFile(path)
	must(err)
	var value any
	must(json.Unmarshal(text, &value))
	return value
}

func main() {
	root := os.Args[1]
	compiler := jsonschema.NewCompiler()
	must(filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".schema.json") {
			return err
		}
		schema := read(path)
		return compiler.AddResource(schema.(map[string]any)["$id"].(string), schema)
	}))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fixture, ref, _ := strings.Cut(lines.Text(), "\t")
		value := read(filepath.Join(root, "fixtures", fixture))
		if strings.Contains(fixture, "/invalid/") {
			value = value.(map[string]any)["value"]
		}
		schema, err := compiler.Compile(ref)
		must(err)
		verdict := "valid"
		if schema.Validate(value) != nil {
			verdict = "invalid"
		}
		fmt.Println(fixture, verdict)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
