// Prints "<case> valid" or "<case> invalid" for each case of a schema. A line of stdin names the schema: path, tab, $id or $ref.
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
		path, ref, _ := strings.Cut(lines.Text(), "\t")
		folder, name, _ := strings.Cut(path, "/")
		cases := read(filepath.Join(root, "fixtures", folder+".cases.json")).(map[string]any)[name].(map[string]any)
		schema, err := compiler.Compile(ref)
		must(err)
		for _, expected := range []string{"valid", "invalid"} {
			for _, one := range cases[expected].([]any) {
				verdict := "valid"
				if schema.Validate(one.(map[string]any)["value"]) != nil {
					verdict = "invalid"
				}
				fmt.Printf("%s/%s/%s %s\n", path, expected, one.(map[string]any)["name"], verdict)
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
