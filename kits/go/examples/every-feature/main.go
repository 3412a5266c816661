// An agent that shows every feature, by the question: slow, ask, file, fail, crash, usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	agent "github.com/crosszone/crosszone/kits/go"
)

func main() {
	card := agent.Card{Name: "Every feature", Description: "Shows what the kit can do.", InputModes: []string{"text/plain", "application/json", "image/*"}}
	agent.Serve(card, answer)
}

func answer(ctx context.Context, m agent.Message, t *agent.Task) (string, error) {
	switch m.Text {
	case "slow":
		return "", count(ctx, t)
	case "ask":
		city, err := t.Ask("Which city?")
		return fmt.Sprintf("You said %s.", city.Text), err
	case "file":
		t.File("words.csv", "text/csv", []byte("word,count\nhello,1\n"))
		return "Here is the file.", t.Data(map[string]any{"words": 1})
	case "fail":
		return "", agent.UserError("I can't do that.")
	case "crash":
		return "", errors.New("the password is in this text")
	case "usage":
		t.Usage(agent.Usage{InputTokens: 1200, OutputTokens: 85, Cost: 0.004875})
	}
	for _, file := range m.Files {
		return fmt.Sprintf("%s: %d bytes", file.Name, len(file.Bytes)), nil
	}
	return fmt.Sprintf("You said %s.", m.Text), nil
}

// count writes a piece of its answer five times in 2.5 seconds.
func count(ctx context.Context, t *agent.Task) error {
	t.Progress("Counting…")
	for at := 1; at <= 5; at++ {
		select {
		case <-time.After(500 * time.Millisecond):
			t.Write(fmt.Sprintf("%d ", at))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
