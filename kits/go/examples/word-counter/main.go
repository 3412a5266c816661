package main

import (
	"context"
	"fmt"
	"strings"

	agent "github.com/crosszone/crosszone/kits/go"
)

func main() {
	agent.Serve(agent.Card{Name: "Word counter", Description: "Counts words."},
		func(ctx context.Context, m agent.Message, t *agent.Task) (string, error) {
			t.Progress("Counting…")
			return fmt.Sprintf("%d words", len(strings.Fields(m.Text))), nil
		})
}
