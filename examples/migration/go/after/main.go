// The same agent in A2A 1.0 and 0.3.
package main

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	agent "github.com/crosszone/crosszone/kits/go"
)

func answer(_ context.Context, m agent.Message, _ *agent.Task) (string, error) {
	words := strings.FieldsFunc(m.Text, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return "", agent.UserError("This text has no words.")
	}
	return fmt.Sprintf("%d words, %d characters", len(words), len([]rune(m.Text))), nil
}

func main() {
	agent.Serve(agent.Card{Name: "Word counter", Description: "Counts words."}, answer)
}
